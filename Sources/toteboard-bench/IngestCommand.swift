import ArgumentParser
import OddsFeed
import OddsModel

struct IngestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ingest", abstract: "Run the engine on a feed file: decode, apply and collect the changes.")

  @Argument(help: "Feed file, one message per line.")
  var file: String

  mutating func run() throws {
    let text = try FeedText(path: file)
    var engine = Engine()
    var changed = 0
    let wall = ContinuousClock().measure {
      text.eachLine { bytes, line in
        engine.decode(bytes, line)
        changed += engine.apply()
      }
    }
    guard changed > 0, engine.counters.unparsable == 0 else { throw BenchError.noFeed }
    let outcomes = engine.buildAll().flatMap(\.markets).flatMap(\.outcomes)
    let odds = outcomes.compactMap { $0.offer?.odds?.units }
    let report = IngestReport(
      name: "toteboard", updates: engine.counters.oddsUpdates, bytes: text.bytes.count, time: wall,
      offers: odds.count, sum: Double(odds.reduce(0, +)) / Double(DecimalOdds.unitsPerOne))
    print(report.json)
  }
}

struct DecodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode", abstract: "Run only the engine's decoder on a feed file.")

  @Argument(help: "Feed file, one message per line.")
  var file: String

  mutating func run() throws {
    let text = try FeedText(path: file)
    var engine = Engine()
    var (records, properties, bad) = (0, 0, 0)
    let time = seconds {
      text.eachLine { bytes, line in
        engine.decode(bytes, line)
        records += engine.batch.records.count
        properties += engine.batch.properties.count
        bad += engine.batch.unparsable
        engine.skip()
      }
    }
    let each = (time * 1e10 / Double(records)).rounded() / 10
    print(
      """
      {"name":"MessageDecoder","decode_ns_per_record":\(each),"records":\(records),"properties":\(properties),"bad":\(bad)}
      """)
  }
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

  init(name: String, updates: Int, bytes: Int, time: Duration, offers: Int, sum: Double) {
    self.name = name
    self.offers = offers
    updatesPerSecond = (Double(updates) / (time / .seconds(1))).rounded()
    megabytesPerSecond = (Double(bytes) / (time / .seconds(1)) / 1e5).rounded() / 10
    self.sum = (sum * 100).rounded() / 100
  }

  var json: String {
    """
    {"name":"\(name)","updates_per_s":\(Int(updatesPerSecond)),"mb_per_s":\(megabytesPerSecond),\
    "offers":\(offers),"sum":\(sum)}
    """
  }
}
