import OddsModel

struct MarketContent: RecordContent {
  var eventID = RawID.none
  var bettingTypeID = RawID.none
  /// The handicap, in ten-millionths.
  var handicap = absentNumber
  var name: TextID = 0
  var isAvailable = true
  var isClosed = false
  var isMainLine = false
  /// The number of outcomes that the feed states, up to 254; 0 if it states none or a greater number.
  var outcomeCount: UInt8 = 0

  mutating func set(_ field: RecordField, _ value: FieldValue, _ batch: FeedBatch, _ texts: inout TextTable) -> Bool {
    switch field {
    case .matchID: value.assign(id: &eventID)
    case .bettingTypeID: value.assign(id: &bettingTypeID)
    case .name: value.assign(&name, batch, &texts)
    case .firstNumber: value.assign(&handicap)
    case .isAvailable: value.assign(&isAvailable, absent: true, unreadable: false)
    case .isClosed: value.assign(&isClosed, absent: false, unreadable: true)
    case .isMainLine: value.assign(&isMainLine, absent: false)
    case .outcomeCount: value.assign(code: &outcomeCount, absent: 0)
    default: true
    }
  }

  mutating func applyTradingState(of rejected: MarketContent) {
    isAvailable = rejected.isAvailable
    isClosed = rejected.isClosed
  }

  func appendFields(to batch: inout FeedBatch, _ texts: TextTable) {
    batch.set(.matchID, sentID: eventID)
    batch.set(.bettingTypeID, sentID: bettingTypeID)
    batch.set(.name, sent: texts[name])
    batch.set(.firstNumber, sentUnits: handicap)
    batch.set(.isAvailable, .flag(isAvailable))
    batch.set(.isClosed, .flag(isClosed))
    batch.set(.isMainLine, .flag(isMainLine))
    if outcomeCount != 0 { batch.set(.outcomeCount, .integer(Int64(outcomeCount))) }
  }
}

struct OutcomeContent: RecordContent {
  /// The id of the outcome's market, for feeds without relations between markets and outcomes.
  var marketID = RawID.none
  var name: TextID = 0
  var translatedName: TextID = 0
  var typeName: TextID = 0
  var key: TextID = 0

  mutating func set(_ field: RecordField, _ value: FieldValue, _ batch: FeedBatch, _ texts: inout TextTable) -> Bool {
    switch field {
    case .marketID: value.assign(id: &marketID)
    case .name: value.assign(&name, batch, &texts)
    case .translatedName: value.assign(&translatedName, batch, &texts)
    case .typeName: value.assign(&typeName, batch, &texts)
    case .key: value.assign(&key, batch, &texts)
    default: true
    }
  }

  var shownName: TextID { translatedName != 0 ? translatedName : name != 0 ? name : typeName }

  func appendFields(to batch: inout FeedBatch, _ texts: TextTable) {
    batch.set(.marketID, sentID: marketID)
    batch.set(.name, sent: texts[name])
    batch.set(.translatedName, sent: texts[translatedName])
    batch.set(.typeName, sent: texts[typeName])
    batch.set(.key, sent: texts[key])
  }
}

struct RelationContent: RecordContent {
  var marketID = RawID.none
  var outcomeID = RawID.none

  mutating func set(_ field: RecordField, _ value: FieldValue, _ batch: FeedBatch, _ texts: inout TextTable) -> Bool {
    switch field {
    case .marketID: value.assign(id: &marketID)
    case .outcomeID: value.assign(id: &outcomeID)
    default: true
    }
  }

  func appendFields(to batch: inout FeedBatch, _ texts: TextTable) {
    batch.set(.marketID, sentID: marketID)
    batch.set(.outcomeID, sentID: outcomeID)
  }
}

struct OfferContent: RecordContent {
  var outcomeID = RawID.none
  /// The decimal odds, in ten-millionths.
  var odds = absentNumber
  /// The time of the last change, in milliseconds since 1970.
  var lastChanged = absentNumber
  // NB: a missing status means an ordinary offer. An unknown status is 0, which is not bettable.
  var status = OfferStatus.standard.rawValue
  var isAvailable = true

  @inline(__always)
  mutating func set(_ field: RecordField, _ value: FieldValue, _ batch: FeedBatch, _ texts: inout TextTable) -> Bool {
    switch field {
    case .outcomeID: value.assign(id: &outcomeID)
    case .odds: value.assign(&odds)
    case .status: value.assign(offerStatus: &status)
    case .lastChanged: value.assign(&lastChanged)
    case .isAvailable: value.assign(&isAvailable, absent: true, unreadable: false)
    default: true
    }
  }

  /// The odds at which the offer is or was made; absent if they are those of the last matched bet.
  var offeredOdds: Int64 { status == OfferStatus.lastTraded.rawValue ? absentNumber : odds }

  /// The highest valid odds. A copy in this module, because `isValid` is computed for each update.
  static let highestOdds = DecimalOdds.limit

  /// True if the odds are absent or from 1 to the limit. Odds below 1 would pay back less than the stake.
  var isValid: Bool { odds == absentNumber || DecimalOdds.unitsPerOne...Self.highestOdds.units ~= odds }

  mutating func applyTradingState(of rejected: OfferContent) {
    status = rejected.status
    isAvailable = rejected.isAvailable
    // NB: Odds of another outcome, or of an unreadable one, are not shown for this one.
    odds = rejected.isValid && rejected.outcomeID == outcomeID ? rejected.odds : absentNumber
  }

  /// The offer's part of the rule for `Outcome.isBettable` (Freshness.md).
  var isBettable: Bool { status == OfferStatus.standard.rawValue && isAvailable && odds != absentNumber }

  func appendFields(to batch: inout FeedBatch, _ texts: TextTable) {
    batch.set(.outcomeID, sentID: outcomeID)
    batch.set(.odds, sentUnits: odds)
    batch.set(.status, .integer(Int64(status)))
    batch.set(.isAvailable, .flag(isAvailable))
    batch.set(.lastChanged, sent: lastChanged)
  }
}
