/// The fields of records that the store uses. A decoder maps the fields of its feed to these and skips all others.
public enum RecordField: UInt8, CaseIterable, Sendable {
  case sportID, matchID, marketID, outcomeID
  case homeID, awayID, participantID
  case status, bettingTypeID, infoType
  case name, homeName, awayName, tournamentName, categoryName, partName
  case typeName, translatedName, key
  case startTime, lastChanged
  case isAvailable, isClosed, isMainLine
  case odds, firstNumber, secondNumber
  case outcomeCount
  // Exchanges: `isOfExchange` requires these to be last. Prices and amounts are in ten-millionths; a level without a
  // price is empty.
  case backPrice1, backSize1, backPrice2, backSize2, backPrice3, backSize3
  case layPrice1, laySize1, layPrice2, laySize2, layPrice3, laySize3
  case lastTraded, matched, totalMatched
  case isInPlay, hasLines, isAwaitingImage
  case betDelay, winnerCount, currency

  /// True if only exchanges have the field.
  package var isOfExchange: Bool { rawValue >= Self.backPrice1.rawValue }

  /// The type of a field's value.
  public enum Kind { case id, code, text, time, flag, fixed }

  /// The type of the field's value.
  @inlinable
  public var kind: Kind {
    switch self {
    case .sportID, .matchID, .marketID, .outcomeID, .homeID, .awayID, .participantID, .bettingTypeID: .id
    case .status, .infoType, .outcomeCount, .betDelay, .winnerCount, .currency: .code
    case .name, .homeName, .awayName, .tournamentName, .categoryName, .partName, .typeName, .translatedName, .key: .text
    case .startTime, .lastChanged: .time
    case .isAvailable, .isClosed, .isMainLine, .isInPlay, .hasLines, .isAwaitingImage: .flag
    case .odds, .firstNumber, .secondNumber, .lastTraded, .matched, .totalMatched, .backPrice1, .backSize1, .backPrice2,
      .backSize2, .backPrice3, .backSize3, .layPrice1, .laySize1, .layPrice2, .laySize2, .layPrice3, .laySize3:
      .fixed
    }
  }
}

/// The types of records that the store uses. It counts and ignores all others.
public enum RecordKind: UInt8, Sendable, CaseIterable {
  case sport, match, market, outcome, marketOutcomeRelation, bettingOffer, mainMarket, eventInfo
  /// The state of a market on an exchange, with the market's id.
  case exchangeMarket
  /// The prices of an outcome on an exchange, with the outcome's id.
  case exchangePrices
  case other

  /// The name of the type in reports and in dumps of the EveryMatrix feed, such as `BETTING_OFFER`.
  public var name: StaticString {
    switch self {
    case .sport: "SPORT"
    case .match: "MATCH"
    case .market: "MARKET"
    case .outcome: "OUTCOME"
    case .marketOutcomeRelation: "MARKET_OUTCOME_RELATION"
    case .bettingOffer: "BETTING_OFFER"
    case .mainMarket: "MAIN_MARKET"
    case .eventInfo: "EVENT_INFO"
    case .exchangeMarket: "EXCHANGE_MARKET"
    case .exchangePrices: "EXCHANGE_PRICES"
    case .other: "OTHER"
    }
  }
}

/// A value of a known field, small and without heap storage.
public enum FieldValue: Sendable, Hashable {
  /// Clears the field.
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

extension FieldValue {
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
public struct TextRange: Sendable, Hashable {
  public let start: UInt32
  public let count: UInt32

  @inlinable
  public init(start: UInt32, count: UInt32) {
    self.start = start
    self.count = count
  }
}
