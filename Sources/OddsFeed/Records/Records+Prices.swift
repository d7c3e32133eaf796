struct MarketContent: RecordContent {
  var eventID = RawID.none
  var bettingTypeID = RawID.none
  /// The line, in ten-millionths.
  var line = absentNumber
  var name: TextID = 0
  var isAvailable = true
  var isClosed = false
  var isMainLine = false

  mutating func set(_ field: WireField, _ value: WireValue, _ batch: FeedBatch, _ texts: inout TextTable) -> Bool {
    switch field {
    case .eventId: value.assign(id: &eventID)
    case .bettingTypeId: value.assign(id: &bettingTypeID)
    case .name: value.assign(&name, batch, &texts)
    case .paramFloat1: value.assign(&line)
    case .isAvailable: value.assign(&isAvailable, absent: true, unreadable: false)
    case .isClosed: value.assign(&isClosed, absent: false, unreadable: true)
    case .mainLine: value.assign(&isMainLine, absent: false)
    default: true
    }
  }
}

struct OutcomeContent: RecordContent {
  /// The id of the outcome's market, which only some producers send. The real feed joins by MARKET_OUTCOME_RELATION.
  var marketID = RawID.none
  var name: TextID = 0
  var translatedName: TextID = 0
  var typeName: TextID = 0
  var key: TextID = 0

  mutating func set(_ field: WireField, _ value: WireValue, _ batch: FeedBatch, _ texts: inout TextTable) -> Bool {
    switch field {
    case .marketId: value.assign(id: &marketID)
    case .name: value.assign(&name, batch, &texts)
    case .translatedName: value.assign(&translatedName, batch, &texts)
    case .typeName: value.assign(&typeName, batch, &texts)
    case .headerNameKey: value.assign(&key, batch, &texts)
    default: true
    }
  }

  var shownName: TextID { translatedName != 0 ? translatedName : name != 0 ? name : typeName }
}

struct RelationContent: RecordContent {
  var marketID = RawID.none
  var outcomeID = RawID.none

  mutating func set(_ field: WireField, _ value: WireValue, _ batch: FeedBatch, _ texts: inout TextTable) -> Bool {
    switch field {
    case .marketId: value.assign(id: &marketID)
    case .outcomeId: value.assign(id: &outcomeID)
    default: true
    }
  }
}

struct OfferContent: RecordContent {
  var outcomeID = RawID.none
  /// The decimal odds, in ten-millionths.
  var odds = absentNumber
  /// The time of the last change, in milliseconds since 1970.
  var lastChanged = absentNumber
  // NB: a missing status means an ordinary offer. An unknown status is 0, which is not bettable.
  var status = UInt8(OfferStatus.standard.rawValue)
  var isAvailable = true

  @inline(__always)
  mutating func set(_ field: WireField, _ value: WireValue, _ batch: FeedBatch, _ texts: inout TextTable) -> Bool {
    switch field {
    case .outcomeId: value.assign(id: &outcomeID)
    case .odds: value.assign(&odds)
    case .statusId: value.assign(offerStatus: &status)
    case .lastChangedTime: value.assign(&lastChanged)
    case .isAvailable: value.assign(&isAvailable, absent: true, unreadable: false)
    default: true
    }
  }

  /// The highest valid odds: above any bookmaker's offer, and far below the bounds of the arithmetic on prices.
  static let highestOdds = DecimalOdds.limit

  /// True if the odds are absent or between 1 and `highestOdds`. Odds below 1 would pay back less than the stake, so
  /// they are an error.
  var isValid: Bool {
    odds == absentNumber || DecimalOdds.unitsPerOne...Self.highestOdds.units ~= odds
  }

  /// The offer's part of the bettable rule (Records.md). `Outcome.isBettable` adds the market's part.
  var isBettable: Bool { status == OfferStatus.standard.rawValue && isAvailable && odds != absentNumber }
}
