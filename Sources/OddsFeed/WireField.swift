/// The keys of feed records that we use (FEED.md §3). Any other key is stepped over.
package enum WireField: UInt8, CaseIterable, Sendable {
  case sportId, eventId, marketId, outcomeId
  case homeParticipantId, awayParticipantId, paramParticipantId1
  case statusId, bettingTypeId, typeId
  case name, homeParticipantName, awayParticipantName, parentName, categoryName, currentPartName
  case typeName, translatedName, headerNameKey
  case startTime, lastChangedTime
  case isAvailable, isClosed
  case odds, paramFloat1, paramFloat2

  /// What kind of value a field holds.
  enum Kind { case id, code, text, time, flag, fixed }

  var kind: Kind {
    switch self {
    case .sportId, .eventId, .marketId, .outcomeId, .homeParticipantId, .awayParticipantId, .paramParticipantId1,
      .bettingTypeId:
      .id
    case .statusId, .typeId: .code
    case .name, .homeParticipantName, .awayParticipantName, .parentName, .categoryName, .currentPartName, .typeName,
      .translatedName, .headerNameKey:
      .text
    case .startTime, .lastChangedTime: .time
    case .isAvailable, .isClosed: .flag
    case .odds, .paramFloat1, .paramFloat2: .fixed
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
    let key: Key
    let name: [UInt8]
    let value: Value
  }

  /// A name's length and its first and last eight bytes: all of it up to sixteen.
  private struct Key: Equatable {
    let head: UInt64
    let tail: UInt64
    let count: Int

    init(_ name: UnsafeBufferPointer<UInt8>) {
      count = name.count
      let bytes = UnsafeRawBufferPointer(name)
      if count >= 8 {
        head = bytes.loadUnaligned(as: UInt64.self)
        tail = bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
      } else {
        head = name.reduce(0) { $0 << 8 | UInt64($1) }
        tail = 0
      }
    }

    var slot: Int {
      let mixed = (head ^ (tail &* 0x9E37_79B9_7F4A_7C15) &+ UInt64(count)) &* 0xD6E8_FEB8_6659_FD93
      return Int(truncatingIfNeeded: mixed >> 56)
    }
  }

  private var slots: [Entry?] = Array(repeating: nil, count: 256)

  init(_ pairs: [(String, Value)]) {
    for (name, value) in pairs {
      let bytes = Array(name.utf8)
      let key = bytes.withUnsafeBufferPointer(Key.init)
      var at = key.slot
      while slots[at] != nil { at = (at + 1) & 255 }
      slots[at] = Entry(key: key, name: bytes, value: value)
    }
  }

  subscript(_ name: UnsafeBufferPointer<UInt8>) -> Value? {
    let key = Key(name)
    var at = key.slot
    while let entry = slots[at] {
      if entry.key == key, key.count <= 16 || entry.name.elementsEqual(name) { return entry.value }
      at = (at + 1) & 255
    }
    return nil
  }
}
