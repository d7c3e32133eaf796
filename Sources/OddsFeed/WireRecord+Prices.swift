struct BettingOfferRecord: WireRecord, Equatable {
  let id: UInt64
  var outcomeID: UInt64?
  /// Ten-millionths.
  var odds: Int64?
  var status: Int64?
  var lastChanged: Int64?
  var isAvailable = true

  init(id: UInt64) { self.id = id }

  mutating func set(_ field: WireField, _ value: WireValue, _ texts: [String]) -> Bool {
    switch field {
    case .outcomeId: value.take(&outcomeID)
    case .odds: value.take(&odds)
    case .statusId: value.take(&status)
    case .lastChangedTime: value.take(&lastChanged)
    case .isAvailable: value.take(&isAvailable, absent: true)
    default: true
    }
  }

  /// Odds below 1 pay back less than the stake: no bookmaker offers that, so the number is wrong.
  var isSound: Bool { odds.map { $0 >= DecimalOdds.unitsPerOne } ?? true }
}

struct MarketOutcomeRelationRecord: WireRecord, Equatable {
  let id: UInt64
  var marketID: UInt64?
  var outcomeID: UInt64?

  init(id: UInt64) { self.id = id }

  mutating func set(_ field: WireField, _ value: WireValue, _ texts: [String]) -> Bool {
    switch field {
    case .marketId: value.take(&marketID)
    case .outcomeId: value.take(&outcomeID)
    default: true
    }
  }
}

struct MainMarketRecord: WireRecord, Equatable {
  let id: UInt64
  var bettingTypeID: UInt64?
  var sportID: UInt64?

  init(id: UInt64) { self.id = id }

  mutating func set(_ field: WireField, _ value: WireValue, _ texts: [String]) -> Bool {
    switch field {
    case .bettingTypeId: value.take(&bettingTypeID)
    case .sportId: value.take(&sportID)
    default: true
    }
  }
}

struct EventInfoRecord: WireRecord, Equatable {
  /// The types that a row shows (FEED.md §3, EVENT_INFO typeId).
  enum Kind: Int64 {
    case score = 1
    case serve = 37
    case matchTime = 95
  }

  let id: UInt64
  var eventID: UInt64?
  var type: Int64?
  /// Ten-millionths.
  var first: Int64?
  var second: Int64?
  var participant: UInt64?

  init(id: UInt64) { self.id = id }

  mutating func set(_ field: WireField, _ value: WireValue, _ texts: [String]) -> Bool {
    switch field {
    case .eventId: value.take(&eventID)
    case .typeId: value.take(&type)
    case .paramFloat1: value.take(&first)
    case .paramFloat2: value.take(&second)
    case .paramParticipantId1: value.take(&participant)
    default: true
    }
  }
}
