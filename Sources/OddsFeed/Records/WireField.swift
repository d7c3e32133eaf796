/// The fields of feed records that the store uses (Records.md). The decoder skips all others.
package enum WireField: UInt8, CaseIterable, Sendable {
  case sportId, eventId, marketId, outcomeId
  case homeParticipantId, awayParticipantId, paramParticipantId1
  case statusId, bettingTypeId, typeId
  case name, homeParticipantName, awayParticipantName, parentName, categoryName, currentPartName
  case typeName, translatedName, headerNameKey
  case startTime, lastChangedTime
  case isAvailable, isClosed, mainLine
  case odds, paramFloat1, paramFloat2

  /// The type of a field's value.
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

/// The record types that the store uses (Records.md). It accepts and ignores all others.
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

/// A value of a known field, small and without heap storage.
package enum WireValue: Sendable, Equatable {
  /// Null: clears the field.
  case null
  case id(UInt64)
  /// A number or a time in milliseconds since 1970.
  case integer(Int64)
  /// A number in ten-millionths.
  case fixed(Int64)
  case flag(Bool)
  /// A range in `FeedBatch.text`, as UTF-8 without escapes.
  case text(TextRange)
  /// A time before 1970 or after the year 9999.
  case outOfRange
  /// A value of a type that the field cannot have.
  case wrongType
}

extension WireValue {
  /// True if the value can be read. A field replaces an unreadable value by a safe one or rejects the record.
  @inline(__always)
  var isReadable: Bool {
    switch self {
    case .wrongType, .outOfRange: false
    case .null, .id, .integer, .fixed, .flag, .text: true
    }
  }
}

/// A range of bytes in `FeedBatch.text`.
package struct TextRange: Sendable, Equatable {
  let start: UInt32
  let count: UInt32
}
