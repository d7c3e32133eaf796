import TestSupport

extension ReferenceStore {
  struct Message {
    var isDump: Bool
    var version: Int64?
    var receivedAt: Int64?
    var records: [[String: Any]]
    /// The number of list elements that are not records.
    var unknownInvocations: Int

    /// Creates a message from JSON. Returns nil if its kind is unknown or its records cannot be read; only an update
    /// may have none. A line of a recording contains the message.
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
      guard let raw = object["records"] else {
        if isDump { return nil }
        records = []
        unknownInvocations = 0
        return
      }
      guard let list = raw as? [Any] else { return nil }
      records = list.compactMap { $0 as? [String: Any] }
      if records.isEmpty, !list.isEmpty { return nil }
      unknownInvocations = list.count - records.count
    }

    private static func number(_ raw: Any?) -> Int64? {
      guard let raw, case .number(let number) = FeedJSON.value(raw, .integer) else { return nil }
      return number
    }
  }

  enum Reading {
    case ignored
    /// A rejected record, with its change, or nil if the change cannot be read.
    case bad(Change?)
    case change(Change)
  }

  /// The keys that are read from each record type (Records.md).
  private static let fields: [String: [String: FeedJSON.Kind]] = [
    "SPORT": ["name": .text],
    "MATCH": [
      "sportId": .id, "name": .text, "homeParticipantId": .id, "awayParticipantId": .id, "homeParticipantName": .text,
      "awayParticipantName": .text, "parentName": .text, "categoryName": .text, "currentPartName": .text,
      "startTime": .integer, "statusId": .integer,
    ],
    "MARKET": [
      "eventId": .id, "name": .text, "bettingTypeId": .id, "isAvailable": .flag, "isClosed": .flag, "mainLine": .flag,
      "paramFloat1": .fixed, "numberOfOutcomes": .integer,
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

  private static let validOdds: ClosedRange<Int64> = 10_000_000...100_000_000_000_000

  /// Returns the value that replaces an unreadable status or flag and allows no bets; nil for other fields.
  private static func unreadable(_ field: String, of type: String) -> FeedJSON.Value? {
    switch (type, field) {
    case ("BETTING_OFFER", "statusId"): .number(0)
    case ("BETTING_OFFER", "isAvailable"), ("MARKET", "isAvailable"): .flag(false)
    case ("MARKET", "isClosed"): .flag(true)
    default: nil
    }
  }

  /// Reads a record of an update, or of a dump, whose records all count as creates.
  static func change(_ record: [String: Any], isDump: Bool) -> Reading {
    let named = record["entityType"] as? String ?? record["_type"] as? String ?? ""
    let type = named == "EVENT" ? "MATCH" : named
    guard let kinds = fields[type] else { return .ignored }
    var verb = FeedRecord.Verb.create
    let object = (record["entity"] ?? record["changedProperties"]) as? [String: Any]
    let content = object ?? record
    if !isDump {
      guard let change = record["changeType"] else { return .bad(nil) }
      guard let known = (change as? String).flatMap(FeedRecord.Verb.init) else { return .ignored }
      verb = known
      if verb != .delete, object == nil, kinds.keys.allSatisfy({ record[$0] == nil }) { return .bad(nil) }
    }
    guard let raw = record["id"] ?? content["id"], case .text(let id) = FeedJSON.value(raw, .id) else {
      return .bad(nil)
    }
    var read: Fields = [:]
    var isBad = false
    if verb != .delete {
      for (name, kind) in kinds {
        guard let raw = content[name] else { continue }
        var value = FeedJSON.value(raw, kind) ?? unreadable(name, of: type)
        if name == "odds", case .number(let units) = value, !validOdds.contains(units) { value = nil }
        if name.hasSuffix("Time"), case .number(let time) = value, !(0...253_402_300_799_999 ~= time) { value = .null }
        isBad = isBad || value == nil
        read[name] = value ?? .null
      }
    }
    let change = Change(verb: verb, key: RecordKey(type: type, id: id), fields: read)
    return isBad ? .bad(change) : .change(change)
  }
}
