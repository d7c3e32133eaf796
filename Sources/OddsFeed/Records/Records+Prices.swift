struct MarketContent: RecordContent {
  var eventID = RawID.none
  var bettingTypeID = RawID.none
  /// Ten-millionths.
  var line = absentNumber
  var name: TextID = 0
  var isAvailable = true
  var isClosed = false
  var isMainLine = false

  mutating func set(_ field: WireField, _ value: WireValue, _ batch: FeedBatch, _ texts: inout TextTable) -> Bool {
    switch field {
    case .eventId: value.take(id: &eventID)
    case .bettingTypeId: value.take(id: &bettingTypeID)
    case .name: value.take(&name, batch, &texts)
    case .paramFloat1: value.take(&line)
    case .isAvailable: value.take(&isAvailable, absent: true, unreadable: false)
    case .isClosed: value.take(&isClosed, absent: false, unreadable: true)
    case .mainLine: value.take(&isMainLine, absent: false)
    default: true
    }
  }
}

struct OutcomeContent: RecordContent {
  /// Only some producers send it; the real feed joins by MARKET_OUTCOME_RELATION.
  var marketID = RawID.none
  var name: TextID = 0
  var translatedName: TextID = 0
  var typeName: TextID = 0
  var key: TextID = 0

  mutating func set(_ field: WireField, _ value: WireValue, _ batch: FeedBatch, _ texts: inout TextTable) -> Bool {
    switch field {
    case .marketId: value.take(id: &marketID)
    case .name: value.take(&name, batch, &texts)
    case .translatedName: value.take(&translatedName, batch, &texts)
    case .typeName: value.take(&typeName, batch, &texts)
    case .headerNameKey: value.take(&key, batch, &texts)
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
    case .marketId: value.take(id: &marketID)
    case .outcomeId: value.take(id: &outcomeID)
    default: true
    }
  }
}

struct OfferContent: RecordContent {
  var outcomeID = RawID.none
  /// Ten-millionths.
  var odds = absentNumber
  /// Milliseconds since 1970.
  var lastChanged = absentNumber
  // NB: a producer that sends no status at all means an ordinary offer; one that we do not know is 0, not bettable.
  var status = UInt8(OfferStatus.standard.rawValue)
  var isAvailable = true

  @inline(__always)
  mutating func set(_ field: WireField, _ value: WireValue, _ batch: FeedBatch, _ texts: inout TextTable) -> Bool {
    switch field {
    case .outcomeId: value.take(id: &outcomeID)
    case .odds: value.take(&odds)
    case .statusId: value.take(offerStatus: &status)
    case .lastChangedTime: value.take(&lastChanged)
    case .isAvailable: value.take(&isAvailable, absent: true, unreadable: false)
    default: true
    }
  }

  /// Above what any bookmaker offers, and far below what the arithmetic on prices can take.
  static let highestOdds = DecimalOdds.limit

  /// Odds below 1 pay back less than the stake: no bookmaker offers that, so the number is wrong.
  var isValid: Bool {
    odds == absentNumber || DecimalOdds.unitsPerOne...Self.highestOdds.units ~= odds
  }

  /// The offer's own part of the bettable rule (Records.md); the market's part is in `Outcome.isBettable`.
  var isBettable: Bool { status == OfferStatus.standard.rawValue && isAvailable && odds != absentNumber }
}
