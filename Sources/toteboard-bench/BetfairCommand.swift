import ArgumentParser
import Betfair
import OddsFeed
import OddsModel

/// The decoder of the Betfair stream with a store.
private struct BetfairEngine {
  private var decoder = BetfairDecoder(isRecorded: true)
  private var batch = FeedBatch()
  private var changes = FeedChanges()
  private var channel = ChannelState()
  private(set) var messages = 0
  private(set) var unparsable = 0

  mutating func read(_ text: FeedText, applying: Bool) {
    text.eachLine { bytes, line in
      decoder.decode(bytes, line, into: &batch)
      messages += batch.messages.count
      unparsable += batch.unparsable
      if applying { channel.apply(batch, into: &changes) }
      changes.removeAll()
      batch.removeAll()
    }
  }

  /// The sum of the best prices to back at the end.
  var sum: Double {
    mutating get {
      let outcomes = channel.matchIDs.compactMap { channel.match($0) }.flatMap(\.markets).flatMap(\.outcomes)
      return outcomes.reduce(0) { $0 + Double($1.offer?.odds?.units ?? 0) / Double(DecimalOdds.unitsPerOne) }
    }
  }
}

/// Runs the decoder and the store on a recording of the Betfair stream, to compare with other programs.
struct BetfairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "betfair", abstract: "Run the Betfair decoder and the store on a recording.")

  @Option(help: "Write a generated recording of this many messages to the file first.")
  var generate: Int?

  @Flag(help: "Generate a historical file and not a stream.")
  var historical = false

  @Option(help: "Markets of the generated recording. (default: 100)")
  var markets: Int?

  @Option(help: "Runners of each of its markets. (default: 3)")
  var runners: Int?

  @Argument(help: "Recording, one message per line.")
  var file: String

  func validate() throws {
    guard generate == nil, historical || markets != nil || runners != nil else { return }
    throw ValidationError("'--historical', '--markets' and '--runners' need '--generate'")
  }

  mutating func run() throws {
    if let generate {
      let kind = historical ? BetfairFeed.Kind.historical : .stream
      let text = BetfairFeed.text(
        kind, markets: max(1, markets ?? 100), runners: max(1, runners ?? 3), messages: max(0, generate))
      try text.write(to: file)
    }
    let text = try FeedText(path: file)
    var engine = BetfairEngine()
    let time = seconds { engine.read(text, applying: true) }
    guard engine.messages > 0, engine.unparsable == 0 else { throw BenchError.noFeed }
    let rate = Int((Double(engine.messages) / time).rounded())
    let volume = (Double(text.bytes.count) / time / 1e5).rounded() / 10
    print(
      """
      {"name":"betfair","messages_per_s":\(rate),"mb_per_s":\(volume),"sum":\((engine.sum * 100).rounded() / 100)}
      """)
  }
}

/// The throughput of the Betfair decoder, alone and with the store.
enum BetfairTable {
  static func show(updates: Int, rounds: Int) {
    let text = BetfairFeed.text(messages: updates)
    var table = FigureTable(
      "The Betfair stream, \(Double(updates).text()) messages", ["step", "messages/s", "MB/s", "µs/message"])
    for (name, applying) in [("decoded into records", false), ("and applied", true)] {
      let times = (0..<rounds).map { _ in
        var engine = BetfairEngine()
        return seconds { engine.read(text, applying: applying) }
      }
      let time = times.median
      table.add([
        name, (Double(updates) / time).text(), (Double(text.bytes.count) / time / 1e6).text(1),
        (time * 1e6 / Double(updates)).text(2),
      ])
    }
    table.show()
  }
}
