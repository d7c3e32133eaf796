/// A record as the feed sends it, patched in place by the fields of a message.
protocol WireRecord: Sendable {
  init(id: UInt64)
  /// Takes one field. False where the value has a kind that the field cannot have; the record is then set aside.
  mutating func set(_ field: WireField, _ value: WireValue, _ texts: [String]) -> Bool
  /// False where a record with these fields cannot stand: it is set aside.
  var isSound: Bool { get }
}

extension WireRecord {
  var isSound: Bool { true }
}

extension WireValue {
  /// Assigns an id; null clears it. False for another kind of value.
  func take(_ target: inout UInt64?) -> Bool {
    switch self {
    case .id(let id): target = id
    case .null: target = nil
    default: return false
    }
    return true
  }

  func take(_ target: inout Int64?) -> Bool {
    switch self {
    case .integer(let value), .fixed(let value): target = value
    case .null: target = nil
    default: return false
    }
    return true
  }

  /// Assigns a flag; null gives it back the value it has when it is not sent.
  func take(_ target: inout Bool, absent: Bool) -> Bool {
    switch self {
    case .flag(let flag): target = flag
    case .null: target = absent
    default: return false
    }
    return true
  }

  func take(_ target: inout String, _ texts: [String]) -> Bool {
    switch self {
    case .text(let place): target = texts[place]
    case .null: target = ""
    default: return false
    }
    return true
  }
}

struct SportRecord: WireRecord, Equatable {
  let id: UInt64
  var name = ""

  init(id: UInt64) { self.id = id }

  mutating func set(_ field: WireField, _ value: WireValue, _ texts: [String]) -> Bool {
    field == .name ? value.take(&name, texts) : true
  }
}

struct MatchRecord: WireRecord, Equatable {
  let id: UInt64
  var sportID: UInt64?
  var homeID: UInt64?
  var awayID: UInt64?
  var name = ""
  var home = ""
  var away = ""
  var tournament = ""
  var category = ""
  var part = ""
  var startTime: Int64?
  var status: Int64?

  init(id: UInt64) { self.id = id }

  mutating func set(_ field: WireField, _ value: WireValue, _ texts: [String]) -> Bool {
    switch field {
    case .sportId: value.take(&sportID)
    case .homeParticipantId: value.take(&homeID)
    case .awayParticipantId: value.take(&awayID)
    case .name: value.take(&name, texts)
    case .homeParticipantName: value.take(&home, texts)
    case .awayParticipantName: value.take(&away, texts)
    case .parentName: value.take(&tournament, texts)
    case .categoryName: value.take(&category, texts)
    case .currentPartName: value.take(&part, texts)
    case .startTime: value.take(&startTime)
    case .statusId: value.take(&status)
    default: true
    }
  }
}

struct MarketRecord: WireRecord, Equatable {
  let id: UInt64
  var eventID: UInt64?
  var bettingTypeID: UInt64?
  var name = ""
  var isAvailable = true
  var isClosed = false

  init(id: UInt64) { self.id = id }

  mutating func set(_ field: WireField, _ value: WireValue, _ texts: [String]) -> Bool {
    switch field {
    case .eventId: value.take(&eventID)
    case .bettingTypeId: value.take(&bettingTypeID)
    case .name: value.take(&name, texts)
    case .isAvailable: value.take(&isAvailable, absent: true)
    case .isClosed: value.take(&isClosed, absent: false)
    default: true
    }
  }
}

struct OutcomeRecord: WireRecord, Equatable {
  let id: UInt64
  /// Only some producers send it; the real feed joins by MARKET_OUTCOME_RELATION.
  var marketID: UInt64?
  var name = ""
  var translatedName = ""
  var typeName = ""
  var key = ""

  init(id: UInt64) { self.id = id }

  mutating func set(_ field: WireField, _ value: WireValue, _ texts: [String]) -> Bool {
    switch field {
    case .marketId: value.take(&marketID)
    case .name: value.take(&name, texts)
    case .translatedName: value.take(&translatedName, texts)
    case .typeName: value.take(&typeName, texts)
    case .headerNameKey: value.take(&key, texts)
    default: true
    }
  }

  var shownName: String {
    if !translatedName.isEmpty { return translatedName }
    return name.isEmpty ? typeName : name
  }
}
