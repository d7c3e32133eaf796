/// A feed of arbitrary changes: any change of any id at any time, with versions out of order, missing or equal.
///
/// It has no expected state, which only the reference implementation gives.
package struct ArbitraryFeed {
  private var random: SeededRandom
  private var version: Int64 = 1000

  private static let types = [
    "MATCH", "MARKET", "OUTCOME", "MARKET_OUTCOME_RELATION", "BETTING_OFFER", "EVENT_INFO", "MAIN_MARKET",
  ]

  package init(seed: UInt64) { random = SeededRandom(seed: seed) }

  package mutating func message() -> FeedMessage {
    version += Int64(upTo(2))
    let at = upTo(9) == 0 ? nil : version - Int64(upTo(3) == 0 ? upTo(3) : 0)
    let records = (0...upTo(4)).map { _ in record() }
    return FeedMessage(isDump: upTo(19) == 0, version: at, records: records)
  }

  private mutating func upTo(_ most: Int) -> Int { Int.random(in: 0...most, using: &random) }

  /// Returns one of few ids, so that changes concern the same records.
  private mutating func id() -> String { ["7", "10", "x"][upTo(2)] }

  private mutating func record() -> FeedRecord {
    let key = RecordKey(type: Self.types[upTo(Self.types.count - 1)], id: id())
    let verb: FeedRecord.Verb = [.create, .create, .update, .update, .delete][upTo(4)]
    var fields: [String] = []
    for (name, values) in Self.values(key.type) where upTo(9) < 7 {
      let value = values[upTo(values.count - 1)]
      fields.append("\"\(name)\":" + (value == "id" ? "\"\(id())\"" : upTo(19) == 0 ? "{}" : value))
    }
    return FeedRecord(verb: verb, key: key, content: verb == .delete ? "" : fields.joined(separator: ","))
  }

  private static func values(_ type: String) -> [(String, [String])] {
    let flag = ["true", "false", "true", "null"]
    switch type {
    case "MATCH":
      return [
        ("name", ["\"A\"", "\"B\"", "null"]), ("homeParticipantName", ["\"H\"", "null"]),
        ("startTime", ["5", "\"6\""]),
        ("homeParticipantId", ["\"7\"", "null"]), ("awayParticipantId", ["10"]),
        ("statusId", ["1", "\"2\"", "3", "null"]),
      ]
    case "MARKET":
      return [
        ("eventId", ["id", "id", "id", "null"]), ("name", ["\"M\"", "null"]), ("bettingTypeId", ["1", "\"2\"", "3"]),
        ("isAvailable", flag), ("isClosed", ["false", "false", "true", "null"]), ("mainLine", flag),
        ("paramFloat1", ["2.5", "\"-3\"", "null"]), ("numberOfOutcomes", ["2", "\"3\"", "0", "255", "null"]),
      ]
    case "OUTCOME":
      return [
        ("marketId", ["id", "null"]), ("name", ["\"N\"", "null"]), ("translatedName", ["\"T\"", "null"]),
        ("typeName", ["\"Y\""]), ("headerNameKey", ["\"home\"", "\"away\""]),
      ]
    case "MARKET_OUTCOME_RELATION": return [("marketId", ["id"]), ("outcomeId", ["id"])]
    case "BETTING_OFFER":
      return [
        ("outcomeId", ["id", "id", "id", "null"]), ("odds", ["2", "2.5", "1.0000001", "0.5", "null", "\"3\""]),
        ("statusId", ["1", "1", "\"7\"", "null"]), ("isAvailable", flag), ("lastChangedTime", ["9", "null"]),
      ]
    case "EVENT_INFO":
      return [
        ("eventId", ["id", "id", "null"]), ("typeId", ["1", "3", "4", "\"37\"", "95", "null"]),
        ("paramFloat1", ["1", "2.0", "null"]), ("paramFloat2", ["3", "0"]), ("paramParticipantId1", ["id", "null"]),
      ]
    default: return [("bettingTypeId", ["1", "2", "\"3\"", "null"])]
    }
  }
}
