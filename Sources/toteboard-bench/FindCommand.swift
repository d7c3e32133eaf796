import ArgumentParser
import TerminalCore

/// The cost of each key that is typed into a filter.
struct FindCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "find", abstract: "Measure each key typed into a filter over 10,000 rows.")

  @Option(help: "Number of rows.")
  var rows = 10_000

  @Option(help: "Number of times each text is typed.")
  var rounds = 7

  private static let texts = [
    "ars", "manchester united", "mnutd rvr", "\"city\"", "odds < 2.0 and margin > 6", "not live or start < 60m",
    "sport = football and name ~ ars",
  ]
  private static let sides = [
    "Arsenal", "Manchester United", "River Plate", "Atlético Madrid", "Beşiktaş", "上海海港", "Salford City", "Lens",
  ]

  mutating func run() {
    let matches = (1...rows).map { id in
      """
      {"_type":"MATCH","id":"\(id)","sportId":"1","name":"\(Self.sides[id % 8]) \(id) - \(Self.sides[id / 8 % 8])",\
      "startTime":\(id),"statusId":"1","parentName":"Premier League \(id % 40)","categoryName":"Country \(id % 60)",\
      "currentPartName":"2nd Half"}
      """
    }
    var engine = Engine()
    engine.decode(Array(#"{"messageType":"INITIAL_DUMP","records":[\#(matches.joined(separator: ","))]}"#.utf8))
    engine.apply()
    var board = BenchBoard(engine.buildAll())
    var table = FigureTable(
      "Key typed into a filter over \(Double(rows).text()) rows, in ms", ["typed", "median", "max", "first", "target"])
    for text in Self.texts {
      var times: [Double] = []
      for _ in 0..<max(1, rounds) {
        board.press(.character("/"))
        for character in text { times.append(seconds { board.press(.character(character)) } * 1000) }
        board.press(.escape)
      }
      let last = rounds > 1 ? Array(times.dropFirst(text.count)) : times
      table.add([text, last.median.text(2), last.max()!.text(2), times[0].text(2), "10.00"])
    }
    table.show()
  }
}
