import ArgumentParser
import Betfair

/// Runs the decoder and the store on a recording of the Betfair stream, to compare with other programs.
struct BetfairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "betfair", abstract: "Run the Betfair decoder and the store on a recording.")

  @Option(help: "First write a generated recording with this number of messages to the file.")
  var generate: Int?

  @Flag(help: "Generate a historical file instead of a recorded stream.")
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
    var engine = DecoderEngine(BetfairDecoder(isRecorded: true))
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
