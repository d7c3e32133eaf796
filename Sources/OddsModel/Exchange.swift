/// The side of an exchange's offer.
public enum OfferSide: UInt8, Hashable, Sendable, CaseIterable {
  /// A price at which one can bet on an outcome.
  case back = 1
  /// A price at which one can bet against an outcome.
  case lay = 2

  /// The word used in JSON, which is the name of the case.
  public var word: String {
    switch self {
    case .back: "back"
    case .lay: "lay"
    }
  }
}

/// The stage of an exchange's market.
public enum MarketStatus: UInt8, Hashable, Sendable {
  /// The feed gave no status, or one that is not known. No bets are taken.
  case unknown = 0
  /// The market is not open yet.
  case inactive = 1
  /// Bets are taken.
  case open = 2
  /// No bets are taken at present.
  case suspended = 3
  /// The market is settled or withdrawn.
  case closed = 4

  /// The word used in JSON, which is the name of the case.
  public var word: String {
    switch self {
    case .unknown: "unknown"
    case .inactive: "inactive"
    case .open: "open"
    case .suspended: "suspended"
    case .closed: "closed"
    }
  }
}

/// The prices of an outcome on an exchange. Immutable and shared by all copies of the outcome.
///
/// The offers have the status of the outcome's `offer`, or `unknown` if there is none. They are available unless that
/// offer is withdrawn, the market takes no bets, or its image (the complete data of the market) has not arrived.
public final class ExchangePrices: Hashable, Sendable {
  /// The number of prices of each side that a store keeps.
  public static let levelCount = 3

  /// The offers to bet on the outcome, the best (highest) price first. At most `levelCount`.
  public let backs: [BettingOffer]
  /// The offers to bet against the outcome, the best (lowest) price first. At most `levelCount`.
  public let lays: [BettingOffer]
  /// The price of the last matched bet; nil if the feed gave none.
  public let lastTraded: DecimalOdds?
  /// The stakes matched on the outcome; nil if the feed gave none.
  public let matched: Amount?

  /// Creates prices. The best price of each side is the first.
  public init(
    backs: [BettingOffer] = [], lays: [BettingOffer] = [], lastTraded: DecimalOdds? = nil, matched: Amount? = nil
  ) {
    self.backs = backs
    self.lays = lays
    self.lastTraded = lastTraded
    self.matched = matched
  }

  public static func == (left: ExchangePrices, right: ExchangePrices) -> Bool {
    left === right
      || left.backs == right.backs && left.lays == right.lays && left.lastTraded == right.lastTraded
        && left.matched == right.matched
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(backs)
    hasher.combine(lays)
  }
}

/// The state of a market on an exchange. Immutable and shared by all copies of the market.
public final class ExchangeMarket: Hashable, Sendable {
  /// The stage of the market.
  public let status: MarketStatus
  /// True if bets are taken while the event is in progress.
  public let isInPlay: Bool
  /// The time between the placement and the acceptance of a bet, in seconds; nil if the feed gave none.
  public let betDelay: Int?
  /// The number of winning outcomes; nil if the feed gave none.
  public let winnerCount: Int?
  /// The stakes matched on the market; nil if the feed gave none.
  public let totalMatched: Amount?
  /// True if the prices are lines, such as a number of runs, in place of odds. The outcomes have no odds then.
  public let hasLines: Bool
  /// True if the market's first image (its complete data) has not arrived. Its prices are not known then.
  public let isAwaitingImage: Bool

  /// Creates the state of a market.
  public init(
    status: MarketStatus, isInPlay: Bool = false, betDelay: Int? = nil, winnerCount: Int? = nil,
    totalMatched: Amount? = nil, hasLines: Bool = false, isAwaitingImage: Bool = false
  ) {
    self.status = status
    self.isInPlay = isInPlay
    self.betDelay = betDelay
    self.winnerCount = winnerCount
    self.totalMatched = totalMatched
    self.hasLines = hasLines
    self.isAwaitingImage = isAwaitingImage
  }

  public static func == (left: ExchangeMarket, right: ExchangeMarket) -> Bool {
    left === right
      || left.status == right.status && left.isInPlay == right.isInPlay && left.betDelay == right.betDelay
        && left.winnerCount == right.winnerCount && left.totalMatched == right.totalMatched
        && left.hasLines == right.hasLines && left.isAwaitingImage == right.isAwaitingImage
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(status)
    hasher.combine(totalMatched)
  }
}
