import EveryMatrix
import OddsFeed
import OddsModel

/// A run of the engine: decodes each line as a frame of its own, applies it and counts the changes.
struct EngineIngest {
  private let text: FeedText
  private var channel = ChannelState()

  init(_ text: FeedText) {
    self.text = text
  }

  mutating func run() throws -> IngestReport {
    var decoder = MessageDecoder()
    var batch = FeedBatch()
    var changes = FeedChanges()
    var changed = 0
    let wall = ContinuousClock().measure {
      text.eachLine { bytes, line in
        decoder.decode(bytes, line, into: &batch)
        channel.apply(batch, at: feedTime, into: &changes)
        changed += changes.matches.count
        changes.removeAll()
        batch.removeAll()
      }
    }
    guard changed > 0, channel.counters.unparsable == 0 else { throw FeedText.Failure.noFeed }
    let (offers, units) = sum()
    return IngestReport(
      name: "toteboard", updates: channel.counters.oddsUpdates, bytes: text.bytes.count, seconds: wall / .seconds(1),
      offers: offers, sum: Double(units) / Double(DecimalOdds.unitsPerOne))
  }

  private mutating func sum() -> (offers: Int, units: Int64) {
    var (offers, units) = (0, Int64(0))
    for id in channel.matchIDs {
      for market in channel.match(id)?.markets ?? [] {
        for odds in market.outcomes.compactMap({ $0.offer?.odds }) {
          offers += 1
          units += odds.units
        }
      }
    }
    return (offers, units)
  }
}

/// The assumed time of arrival of all frames, in milliseconds since 1970.
let feedTime: Int64 = 1_750_752_650_000

/// A run of the decoder without the store.
struct DecodeIngest {
  private let text: FeedText
  private let check: Bool

  init(_ text: FeedText, check: Bool) {
    self.text = text
    self.check = check
  }

  func run() -> String {
    var decoder = MessageDecoder()
    var batch = FeedBatch()
    var (records, properties, bad) = (0, 0, 0)
    var (ids, values) = (UInt64(0), UInt64(0))
    let time = seconds {
      text.eachLine { bytes, line in
        decoder.decode(bytes, line, into: &batch)
        records += batch.records.count
        properties += batch.properties.count
        bad += batch.unparsable
        if check { fold(batch, &ids, &values) }
        batch.removeAll()
      }
    }
    func hex(_ number: UInt64) -> String {
      let digits = String(number, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    let each = (time * 1e10 / Double(records)).rounded() / 10
    return """
      {"name":"MessageDecoder","decode_ns_per_record":\(each),"records":\(records),"properties":\(properties),\
      "bad":\(bad),"check":"\(hex(ids))-\(hex(values))"}
      """
  }

  private func fold(_ batch: FeedBatch, _ ids: inout UInt64, _ values: inout UInt64) {
    for record in batch.records {
      let change: UInt64 = record.change == .create ? 0 : record.change == .update ? 1 : 2
      ids &+= (record.id ?? .max) &* UInt64(record.kind.rawValue + 1) &+ change
    }
    for property in batch.properties {
      let field = UInt64(property.field.rawValue) + 1
      switch property.value {
      case .id(let id): values &+= id &* field
      case .integer(let number), .fixed(let number): values &+= UInt64(bitPattern: number) &* field
      case .flag(let flag): values &+= (flag ? 1 : 0) &* field
      case .text: values &+= UInt64(batch.string(property.value)!.utf8.count)
      case .null, .wrongType, .outOfRange: break
      }
    }
  }
}
