extension ReferenceStore {
  struct Message {
    var isDump: Bool
    var version: Int64?
    var receivedAt: Int64?
    var records: [[String: Any]]

    /// Nil where the JSON is no message of a kind we know. A line of a recording has the message inside.
    init?(_ json: Any) {
      guard var object = json as? [String: Any] else { return nil }
      if let inner = object["message"] as? [String: Any] {
        receivedAt = Self.number(object["receivedAt"])
        object = inner
      }
      switch object["messageType"] {
      case nil: isDump = false
      case let kind as String where kind == "UPDATE" || kind == "INITIAL_DUMP": isDump = kind == "INITIAL_DUMP"
      default: return nil
      }
      version = Self.number(object["version"])
      records = (object["records"] as? [Any] ?? []).compactMap { $0 as? [String: Any] }
    }

    private static func number(_ raw: Any?) -> Int64? {
      guard let raw, case .number(let number) = FeedJSON.value(raw, .integer) else { return nil }
      return number
    }
  }

  enum Reading {
    case ignored
    /// To be set aside.
    case bad
    case change(Change)
  }

  /// The keys that we use of each type (FEED.md §3).
  private static let fields: [String: [String: FeedJSON.Kind]] = [
    "SPORT": ["name": .text],
    "MATCH": [
      "sportId": .id, "name": .text, "homeParticipantId": .id, "awayParticipantId": .id, "homeParticipantName": .text,
      "awayParticipantName": .text, "parentName": .text, "categoryName": .text, "currentPartName": .text,
      "startTime": .integer, "statusId": .integer,
    ],
    "MARKET": [
      "eventId": .id, "name": .text, "bettingTypeId": .id, "isAvailable": .flag, "isClosed": .flag, "mainLine": .flag,
      "paramFloat1": .fixed,
    ],
    "OUTCOME": [
      "marketId": .id, "name": .text, "typeName": .text, "translatedName": .text, "headerNameKey": .text,
    ],
    "MARKET_OUTCOME_RELATION": ["marketId": .id, "outcomeId": .id],
    "BETTING_OFFER": [
      "outcomeId": .id, "statusId": .integer, "odds": .fixed, "isAvailable": .flag, "lastChangedTime": .integer,
    ],
    "MAIN_MARKET": ["bettingTypeId": .id],
    "EVENT_INFO": [
      "typeId": .integer, "eventId": .id, "paramFloat1": .fixed, "paramFloat2": .fixed, "paramParticipantId1": .id,
    ],
  ]

  /// A record of an update, or of a dump: that one creates.
  static func change(_ record: [String: Any]) -> Reading {
    let named = record["entityType"] as? String ?? record["_type"] as? String ?? ""
    let type = named == "EVENT" ? "MATCH" : named
    guard let kinds = fields[type] else { return .ignored }
    guard let verb = FeedRecord.Verb(rawValue: record["changeType"] as? String ?? "CREATE") else { return .ignored }
    let content = (record["entity"] ?? record["changedProperties"]) as? [String: Any] ?? record
    guard let raw = record["id"] ?? content["id"], case .text(let id) = FeedJSON.value(raw, .id) else { return .bad }
    var read: Fields = [:]
    if verb != .delete {
      for (name, kind) in kinds {
        guard let raw = content[name] else { continue }
        guard let value = FeedJSON.value(raw, kind) else { return .bad }
        if name == "odds", case .number(let units) = value, units < 10_000_000 { return .bad }
        read[name] = value
      }
    }
    return .change(Change(verb: verb, key: RecordKey(type: type, id: id), fields: read))
  }
}
