import ArgumentParser
import Dashboard
import EveryMatrix
import OddsFeed
import OddsModel
import TerminalCore

/// The cost of each key that is typed into a filter.
struct FindCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "find", abstract: "Keys of a filter over 10,000 rows, one after the other.")

  @Option(help: "How many rows.")
  var rows = 10_000

  @Option(help: "How often each text is typed.")
  var rounds = 7

  private static let texts = [
    "ars", "manchester united", "mnutd rvr", "\"city\"", "odds < 2.0 and overround > 6", "not live or start < 60m",
    "sport = football and name ~ ars",
  ]

  mutating func run() throws {
    var board = Self.board(rows)
    var table = FigureTable(
      "A key of a filter over \(Double(rows).text()) rows, in ms", ["typed", "median", "most", "first", "bar"])
    for text in Self.texts {
      var times: [Double] = []
      for _ in 0..<max(1, rounds) {
        board.press(.character("/"))
        for character in text { times.append(seconds { board.press(.character(character)) } * 1000) }
        board.press(.escape)
      }
      let last = times.dropFirst(text.count)
      table.add([
        text, Array(last.isEmpty ? times[...] : last).median.text(2), (last.max() ?? times.max()!).text(2),
        times[0].text(2),
        "10.00",
      ])
    }
    table.show()
  }

  private static func board(_ rows: Int) -> FindBoard {
    var state = ChannelState()
    let sides = [
      "Arsenal", "Manchester United", "River Plate", "Atlético Madrid", "Beşiktaş", "上海海港", "Salford City", "Lens",
    ]
    let matches = (1...rows).map { id in
      let (home, away) = (sides[id % 8], sides[id / 8 % 8])
      return """
        {"_type":"MATCH","id":"\(id)","sportId":"1","name":"\(home) \(id) - \(away)","startTime":\(id),"statusId":"1",\
        "parentName":"Premier League \(id % 40)","categoryName":"Country \(id % 60)","currentPartName":"2nd Half"}
        """
    }
    var batch = FeedBatch()
    let dump =
      #"{"version":"1","format":"AGGREGATOR","messageType":"INITIAL_DUMP","records":[\#(matches.joined(separator: ","))]}"#
    var decoder = MessageDecoder()
    let subscription = Subscription(topic: Topic(path: "/bench"), generation: 1)
    decoder.decode(TransportFrame(subscription: subscription, bytes: Array(dump.utf8), framing: .lines), into: &batch)
    state.apply(batch)
    var board = FindBoard()
    board.apply((1...rows).compactMap { state.match(MatchID(integerLiteral: UInt32($0))) })
    return board
  }
}

/// A dashboard with the given matches.
private struct FindBoard {
  private var state = BoardState(
    size: Size(rows: 40, columns: 120), channels: BoardChannel.standard(EveryMatrixCatalog(), matches: 10_000),
    feedName: "")
  private let now = FrameTime(uptime: .seconds(10), wall: 1_750_752_000_000, zone: 0)

  mutating func apply(_ matches: [Match]) {
    let staleness = Freshness(.live, since: 0)
    _ = state.reduce(.channelUpdated(ChannelUpdate(changed: matches, staleness: staleness)), now: now)
  }

  mutating func press(_ key: Key) { _ = state.reduce(.keyPressed(key), now: now) }
}
