import ArgumentParser

struct IngestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ingest", abstract: "The engine on a feed's file: decode, apply, and take what changed.")

  @Argument(help: "A feed, one message a line.")
  var file: String

  mutating func run() throws {
    var ingest = EngineIngest(try FeedText(path: file))
    print(try ingest.run().json)
  }
}

struct BaselineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline", abstract: "The same with Foundation's JSONDecoder and dictionaries.")

  @Argument(help: "A feed, one message a line.")
  var file: String

  mutating func run() throws {
    var ingest = BaselineIngest(try FeedText(path: file))
    print(try ingest.run().json)
  }
}

struct DecodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode", abstract: "The engine's decoder alone on a feed's file, and a check of what it found.")

  @Argument(help: "A feed, one message a line.")
  var file: String

  @Flag(help: "Fold all values into the check, which costs more time than decoding.")
  var check = false

  mutating func run() throws { print(DecodeIngest(try FeedText(path: file), check: check).run()) }
}

/// The report of a program about a feed.
struct IngestReport: Codable {
  let name: String
  let updatesPerSecond: Double
  let megabytesPerSecond: Double
  let offers: Int
  /// The sum of all odds at the end, rounded to two decimals. Equal for all programs that read the same feed.
  let sum: Double

  private enum CodingKeys: String, CodingKey {
    case name, offers, sum
    case updatesPerSecond = "updates_per_s"
    case megabytesPerSecond = "mb_per_s"
  }

  init(name: String, updates: Int, bytes: Int, seconds: Double, offers: Int, sum: Double) {
    self.name = name
    updatesPerSecond = (Double(updates) / seconds).rounded()
    megabytesPerSecond = (Double(bytes) / seconds / 1e5).rounded() / 10
    self.offers = offers
    self.sum = (sum * 100).rounded() / 100
  }

  var json: String {
    """
    {"name":"\(name)","updates_per_s":\(Int(updatesPerSecond)),"mb_per_s":\(megabytesPerSecond),\
    "offers":\(offers),"sum":\(sum)}
    """
  }
}
