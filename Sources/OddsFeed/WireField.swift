/// The keys of feed records that we use (FEED.md §3). Any other key is stepped over.
package enum WireField: UInt8, CaseIterable, Sendable {
  case id, sportId, parentId, eventId, marketId, outcomeId, providerId
  case homeParticipantId, awayParticipantId, paramParticipantId1, paramParticipantId2
  case statusId, bettingTypeId, typeId
  case name, shortName, homeParticipantName, awayParticipantName, parentName, categoryName, currentPartName
  case typeName, translatedName, headerNameKey, bettingTypeName, eventPartName
  case startTime, lastChangedTime
  case isAvailable, isClosed, isLive, mainLine
  case odds, paramFloat1, paramFloat2, paramFloat3

  /// What kind of value a field holds.
  enum Kind { case id, code, text, time, flag, fixed }

  var kind: Kind {
    switch self {
    case .id, .sportId, .parentId, .eventId, .marketId, .outcomeId, .providerId, .homeParticipantId,
      .awayParticipantId, .paramParticipantId1, .paramParticipantId2, .bettingTypeId:
      .id
    case .statusId, .typeId: .code
    case .name, .shortName, .homeParticipantName, .awayParticipantName, .parentName, .categoryName,
      .currentPartName, .typeName, .translatedName, .headerNameKey, .bettingTypeName, .eventPartName:
      .text
    case .startTime, .lastChangedTime: .time
    case .isAvailable, .isClosed, .isLive, .mainLine: .flag
    case .odds, .paramFloat1, .paramFloat2, .paramFloat3: .fixed
    }
  }
}

/// The record types that we use (FEED.md §3); all others are accepted and passed over.
package enum EntityKind: UInt8, Sendable, CaseIterable {
  case sport, match, market, outcome, marketOutcomeRelation, bettingOffer, mainMarket, eventInfo, other

  static let names: [(String, EntityKind)] = [
    ("SPORT", .sport), ("MATCH", .match), ("EVENT", .match), ("MARKET", .market), ("OUTCOME", .outcome),
    ("MARKET_OUTCOME_RELATION", .marketOutcomeRelation), ("BETTING_OFFER", .bettingOffer),
    ("MAIN_MARKET", .mainMarket), ("EVENT_INFO", .eventInfo),
  ]
}

/// Finds a value by a short ASCII name lying in a buffer, without making a string.
struct NameTable<Value: Sendable>: Sendable {
  private struct Entry {
    let name: [UInt8]
    let value: Value
  }

  private var slots: [Entry?]

  init(_ pairs: [(String, Value)]) {
    slots = Array(repeating: nil, count: 256)
    for (name, value) in pairs {
      let bytes = Array(name.utf8)
      var at = bytes.withUnsafeBufferPointer(Self.hash)
      while slots[at] != nil { at = (at + 1) & 255 }
      slots[at] = Entry(name: bytes, value: value)
    }
  }

  subscript(_ name: UnsafeBufferPointer<UInt8>) -> Value? {
    if name.isEmpty { return nil }
    var at = Self.hash(name)
    while let entry = slots[at] {
      if entry.name.count == name.count, entry.name.elementsEqual(name) { return entry.value }
      at = (at + 1) & 255
    }
    return nil
  }

  private static func hash(_ name: UnsafeBufferPointer<UInt8>) -> Int {
    let first = Int(name[0])
    let middle = Int(name[name.count / 2])
    let last = Int(name[name.count - 1])
    return (first &* 7 &+ middle &* 31 &+ last &* 3 &+ name.count &* 59) & 255
  }
}
