/// The keys of feed records that we use (Records.md). Any other key is stepped over.
package enum WireField: UInt8, CaseIterable, Sendable {
  case sportId, eventId, marketId, outcomeId
  case homeParticipantId, awayParticipantId, paramParticipantId1
  case statusId, bettingTypeId, typeId
  case name, homeParticipantName, awayParticipantName, parentName, categoryName, currentPartName
  case typeName, translatedName, headerNameKey
  case startTime, lastChangedTime
  case isAvailable, isClosed, mainLine
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
    case .isAvailable, .isClosed, .mainLine: .flag
    case .odds, .paramFloat1, .paramFloat2: .fixed
    }
  }
}

/// The record types that we use (Records.md); all others are accepted and passed over.
package enum EntityKind: UInt8, Sendable, CaseIterable {
  case sport, match, market, outcome, marketOutcomeRelation, bettingOffer, mainMarket, eventInfo, other

  static let names: [(String, EntityKind)] = [
    ("SPORT", .sport), ("MATCH", .match), ("EVENT", .match), ("MARKET", .market), ("OUTCOME", .outcome),
    ("MARKET_OUTCOME_RELATION", .marketOutcomeRelation), ("BETTING_OFFER", .bettingOffer),
    ("MAIN_MARKET", .mainMarket), ("EVENT_INFO", .eventInfo),
  ]

  /// The type's name on the wire.
  package var wireName: String { Self.names.first { $0.1 == self }?.0 ?? "OTHER" }
}

/// A value of a known key, small and without storage of its own.
package enum WireValue: Sendable, Equatable {
  /// The key was sent as null: the field is cleared.
  case null
  case id(UInt64)
  /// A number or a time in milliseconds since 1970.
  case integer(Int64)
  /// A number in ten-millionths.
  case fixed(Int64)
  case flag(Bool)
  /// Where the text lies in `FeedBatch.text`, as UTF-8 without escapes.
  case text(TextRange)
  /// A time before 1970 or after the year 9999.
  case outOfRange
  /// A value of a kind that the key cannot have.
  case wrongType
}

extension WireValue {
  /// False for a value that a field takes only by falling back to what is safe.
  @inline(__always)
  var isReadable: Bool {
    switch self {
    case .wrongType, .outOfRange: false
    case .null, .id, .integer, .fixed, .flag, .text: true
    }
  }
}

/// A piece of `FeedBatch.text`.
package struct TextRange: Sendable, Equatable {
  let start: UInt32
  let count: UInt32
}
