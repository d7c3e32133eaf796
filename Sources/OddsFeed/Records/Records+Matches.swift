import OddsModel

struct SportContent: RecordContent {
  var name: TextID = 0

  mutating func set(_ field: RecordField, _ value: FieldValue, _ batch: FeedBatch, _ texts: inout TextTable) -> Bool {
    field == .name ? value.assign(&name, batch, &texts) : true
  }

  func appendFields(to batch: inout FeedBatch, _ texts: TextTable) { batch.set(.name, sent: texts[name]) }
}

struct MatchContent: RecordContent {
  var sportID = RawID.none
  var homeID = RawID.none
  var awayID = RawID.none
  var startTime = absentNumber
  var name: TextID = 0
  var home: TextID = 0
  var away: TextID = 0
  var tournament: TextID = 0
  var category: TextID = 0
  var part: TextID = 0
  /// The status code; 0 is unknown.
  var status: UInt8 = 0

  mutating func set(_ field: RecordField, _ value: FieldValue, _ batch: FeedBatch, _ texts: inout TextTable) -> Bool {
    switch field {
    case .sportID: value.assign(id: &sportID)
    case .homeID: value.assign(id: &homeID)
    case .awayID: value.assign(id: &awayID)
    case .name: value.assign(&name, batch, &texts)
    case .homeName: value.assign(&home, batch, &texts)
    case .awayName: value.assign(&away, batch, &texts)
    case .tournamentName: value.assign(&tournament, batch, &texts)
    case .categoryName: value.assign(&category, batch, &texts)
    case .partName: value.assign(&part, batch, &texts)
    case .startTime: value.assign(&startTime)
    case .status: value.assign(code: &status, absent: 0)
    default: true
    }
  }

  var isOver: Bool { status == MatchStatus.ended.rawValue }

  mutating func applyTradingState(of rejected: MatchContent) {
    if rejected.status != 0 { status = rejected.status }
  }

  func appendFields(to batch: inout FeedBatch, _ texts: TextTable) {
    batch.set(.sportID, sentID: sportID)
    batch.set(.homeID, sentID: homeID)
    batch.set(.awayID, sentID: awayID)
    batch.set(.name, sent: texts[name])
    batch.set(.homeName, sent: texts[home])
    batch.set(.awayName, sent: texts[away])
    batch.set(.tournamentName, sent: texts[tournament])
    batch.set(.categoryName, sent: texts[category])
    batch.set(.partName, sent: texts[part])
    batch.set(.startTime, sent: startTime)
    batch.set(.status, .integer(Int64(status)))
  }
}

struct EventInfoContent: RecordContent {
  /// The types that the store uses, by its own numbers. Records with other numbers are kept but not shown.
  enum Kind: UInt8 {
    case score = 1
    case serve = 2
    /// The players sent off by a second yellow card.
    case secondYellowCards = 3
    case redCards = 4
    case matchTime = 5
  }

  var eventID = RawID.none
  var participant = RawID.none
  /// The first parameter, in ten-millionths.
  var first = absentNumber
  var second = absentNumber
  var type: UInt8 = 0

  mutating func set(_ field: RecordField, _ value: FieldValue, _ batch: FeedBatch, _ texts: inout TextTable) -> Bool {
    switch field {
    case .matchID: value.assign(id: &eventID)
    case .infoType: value.assign(code: &type, absent: 0)
    case .firstNumber: value.assign(&first)
    case .secondNumber: value.assign(&second)
    case .participantID: value.assign(id: &participant)
    default: true
    }
  }

  func appendFields(to batch: inout FeedBatch, _ texts: TextTable) {
    batch.set(.matchID, sentID: eventID)
    batch.set(.infoType, .integer(Int64(type)))
    batch.set(.firstNumber, sentUnits: first)
    batch.set(.secondNumber, sentUnits: second)
    batch.set(.participantID, sentID: participant)
  }
}

struct MainMarketContent: RecordContent {
  var bettingTypeID = RawID.none

  mutating func set(_ field: RecordField, _ value: FieldValue, _ batch: FeedBatch, _ texts: inout TextTable) -> Bool {
    field == .bettingTypeID ? value.assign(id: &bettingTypeID) : true
  }

  func appendFields(to batch: inout FeedBatch, _ texts: TextTable) { batch.set(.bettingTypeID, sentID: bettingTypeID) }
}
