struct SportContent: RecordContent {
  var name: TextID = 0

  mutating func set(_ field: WireField, _ value: WireValue, _ batch: FeedBatch, _ texts: inout TextTable) -> Bool {
    field == .name ? value.assign(&name, batch, &texts) : true
  }
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

  mutating func set(_ field: WireField, _ value: WireValue, _ batch: FeedBatch, _ texts: inout TextTable) -> Bool {
    switch field {
    case .sportId: value.assign(id: &sportID)
    case .homeParticipantId: value.assign(id: &homeID)
    case .awayParticipantId: value.assign(id: &awayID)
    case .name: value.assign(&name, batch, &texts)
    case .homeParticipantName: value.assign(&home, batch, &texts)
    case .awayParticipantName: value.assign(&away, batch, &texts)
    case .parentName: value.assign(&tournament, batch, &texts)
    case .categoryName: value.assign(&category, batch, &texts)
    case .currentPartName: value.assign(&part, batch, &texts)
    case .startTime: value.assign(&startTime)
    case .statusId: value.assign(code: &status, absent: 0)
    default: true
    }
  }
}

struct EventInfoContent: RecordContent {
  /// The EVENT_INFO types that a row shows (Records.md, EVENT_INFO typeId).
  enum Kind: UInt8 {
    case score = 1
    case serve = 37
    case matchTime = 95
  }

  var eventID = RawID.none
  var participant = RawID.none
  /// The first parameter, in ten-millionths.
  var first = absentNumber
  var second = absentNumber
  var type: UInt8 = 0

  mutating func set(_ field: WireField, _ value: WireValue, _ batch: FeedBatch, _ texts: inout TextTable) -> Bool {
    switch field {
    case .eventId: value.assign(id: &eventID)
    case .typeId: value.assign(code: &type, absent: 0)
    case .paramFloat1: value.assign(&first)
    case .paramFloat2: value.assign(&second)
    case .paramParticipantId1: value.assign(id: &participant)
    default: true
    }
  }
}

struct MainMarketContent: RecordContent {
  var bettingTypeID = RawID.none

  mutating func set(_ field: WireField, _ value: WireValue, _ batch: FeedBatch, _ texts: inout TextTable) -> Bool {
    field == .bettingTypeId ? value.assign(id: &bettingTypeID) : true
  }
}
