/// A market of a match.
public struct Market: Hashable, Sendable, Identifiable {
  /// The feed's id.
  public let id: MarketID
  /// The feed's name.
  public let name: String
  private let rawHandicap: Int64
  /// The id of the betting type, which the markets of one kind share; `RawID.none` if the feed gave none.
  package let bettingTypeID: UInt64
  /// True if the feed marks the market as one on which bets are taken. `takesBets` has all conditions.
  public let isAvailable: Bool
  /// True if the market is settled or withdrawn.
  public let isClosed: Bool
  /// True if the match of the market is over, even if the feed does not close the market.
  public let isMatchOver: Bool
  /// True if the feed marks the market as the main one of its betting type, for example the one with the main handicap.
  public let isMainLine: Bool
  /// The number of outcomes that the feed states; 0 if it states none. It is a byte to keep markets small.
  private let rawStatedOutcomeCount: UInt8
  private let rawMainMarketRank: Int
  /// The outcomes, ascending by id.
  public let outcomes: [Outcome]
  /// The state of the market on an exchange; nil for a market with fixed odds.
  public let exchange: ExchangeMarket?

  /// The handicap or limit of the market, in ten-millionths of a goal, point or game: 2.5 is 25,000,000. Nil if the
  /// market has none.
  public var handicap: Int64? { rawHandicap == absent ? nil : rawHandicap }
  /// The rank of the market's betting type among the main ones, 0 for the first; nil if it is none of them.
  public var mainMarketRank: Int? { rawMainMarketRank < 0 ? nil : rawMainMarketRank }

  /// The number of outcomes that the feed states for the market; nil if it states none.
  public var statedOutcomeCount: Int? { rawStatedOutcomeCount == 0 ? nil : Int(rawStatedOutcomeCount) }

  /// True if the market has fewer outcomes than the feed states for it.
  public var lacksOutcomes: Bool { outcomes.count < Int(rawStatedOutcomeCount) }

  /// True if the feed ranks the market's betting type as a main one.
  public var isMain: Bool { mainMarketRank != nil }

  /// Creates a market.
  ///
  /// - Parameters:
  ///   - handicap: The handicap or limit of the market, in ten-millionths of a goal, point or game.
  ///   - bettingTypeID: The id of the betting type; nil if there is none.
  ///   - statedOutcomeCount: The number of outcomes that the feed states, from 1 to 255; nil if it states none. Other
  ///     values are clamped.
  ///   - mainMarketRank: The rank of the betting type among the main ones, from 0; nil if it is none of them.
  ///   - outcomes: The outcomes, ascending by id.
  ///   - exchange: The state on an exchange; nil for a market with fixed odds.
  public init(
    id: MarketID, name: String, handicap: Int64? = nil, bettingTypeID: UInt64? = nil, isAvailable: Bool = true,
    isClosed: Bool = false, isMatchOver: Bool = false, isMainLine: Bool = false, statedOutcomeCount: Int? = nil,
    mainMarketRank: Int? = nil, outcomes: [Outcome] = [], exchange: ExchangeMarket? = nil
  ) {
    self.id = id
    self.name = name
    rawHandicap = handicap ?? absent
    self.bettingTypeID = bettingTypeID ?? RawID.none
    self.isAvailable = isAvailable
    self.isClosed = isClosed
    self.isMatchOver = isMatchOver
    self.isMainLine = isMainLine
    rawStatedOutcomeCount = UInt8(clamping: statedOutcomeCount ?? 0)
    rawMainMarketRank = mainMarketRank ?? -1
    self.outcomes = outcomes
    self.exchange = exchange
  }

  /// Returns true if this market, and not the other, is the better main market.
  func heads(_ other: Market) -> Bool {
    if mainMarketRank != other.mainMarketRank { return mainMarketRank ?? .max < other.mainMarketRank ?? .max }
    if isClosed != other.isClosed { return other.isClosed }
    return isMainLine && !other.isMainLine
  }

  /// The margin as a fraction: 0.05 is 5 %. It is the sum of the implied probabilities of the outcomes that take part,
  /// divided by the number of winners, minus 1. On an exchange the prices to back count.
  ///
  /// Nil if there are fewer than two such outcomes, or not more of them than winners, or if one of them has no bettable
  /// price.
  public var margin: Double? {
    var sum = 0.0
    var count = 0
    for outcome in outcomes where hasParticipant(outcome) {
      guard outcome.isBettable, let odds = outcome.offer?.odds else { return nil }
      sum += odds.impliedProbability
      count += 1
    }
    return FairPrices.margin(sum: sum, outcomeCount: count, winnerCount: winnerCount)
  }
}

/// One possible result in a market.
public struct Outcome: Hashable, Sendable, Identifiable {
  /// The feed's id.
  public let id: OutcomeID
  /// The feed's name.
  public var name: String
  /// The role of the outcome in its market: `home`, `draw`, `away`, `over`, …; empty if the feed gives none.
  public var key: String
  /// The offer to show: the first bettable one, otherwise the first; nil if there is none. On an exchange, the best
  /// price to back.
  public var offer: BettingOffer?
  /// True if the offer has a price, is an ordinary one and is available, and its market takes bets
  /// (`Market.takesBets`).
  public var isBettable: Bool
  private var rawLastOdds: Int64
  /// The prices on an exchange; nil for an outcome with fixed odds.
  public var exchange: ExchangePrices?

  /// The price of the offer, or the last price of the outcome if there is none now; nil if there was never a price. A
  /// price with the status `lastTraded` is not used.
  public var lastOdds: DecimalOdds? {
    get { rawLastOdds == absent ? nil : DecimalOdds(units: rawLastOdds) }
    set { rawLastOdds = newValue?.units ?? absent }
  }

  /// Creates an outcome.
  ///
  /// - Parameters:
  ///   - lastOdds: The last price; the offer's price if nil, unless its status is `lastTraded`.
  ///   - exchange: The prices on an exchange; nil for an outcome with fixed odds.
  public init(
    id: OutcomeID, name: String, key: String = "", offer: BettingOffer? = nil, isBettable: Bool = false,
    lastOdds: DecimalOdds? = nil, exchange: ExchangePrices? = nil
  ) {
    self.id = id
    self.name = name
    self.key = key
    self.offer = offer
    self.isBettable = isBettable
    rawLastOdds = (lastOdds ?? (offer?.status == .lastTraded ? nil : offer?.odds))?.units ?? absent
    self.exchange = exchange
  }
}

/// A price on an outcome.
public struct BettingOffer: Hashable, Sendable, Identifiable {
  // NB: An absent number is stored as one value that no number has: optionals would make each offer 16 bytes larger.
  /// The feed's id. All levels of an exchange's outcome have the same one.
  public let id: OfferID
  private var rawOdds: Int64
  private var rawLastChanged: Int64
  private var rawSize = absent
  private var rawCurrency: UInt32 = 0
  /// The side in the two highest bits, and the level; 0 for fixed odds.
  private var sideAndLevel: UInt8 = 0
  /// The status of the offer.
  public var status: OfferStatus
  /// True unless this price is withdrawn.
  public var isAvailable: Bool

  /// The price; nil if the feed gave none.
  public var odds: DecimalOdds? {
    get { rawOdds == absent ? nil : DecimalOdds(units: rawOdds) }
    set { rawOdds = newValue?.units ?? absent }
  }

  /// The time of the feed's last change of the offer, in milliseconds since 1970; nil if the feed gave none.
  public var lastChanged: Int64? {
    get { rawLastChanged == absent ? nil : rawLastChanged }
    set { rawLastChanged = newValue ?? absent }
  }

  /// The side; nil for fixed odds.
  public var side: OfferSide? { OfferSide(rawValue: sideAndLevel >> 6) }

  /// The rank of the price among the prices of its side, 0 for the best; nil for fixed odds.
  public var level: Int? { side == nil ? nil : Int(sideAndLevel & 0x3F) }

  /// The amount available at the price; nil for fixed odds, or if the feed gave none.
  public var size: Amount? {
    rawSize == absent ? nil : Amount(units: rawSize, currency: Currency(stored: rawCurrency))
  }

  /// Creates an offer.
  ///
  /// - Parameter lastChanged: The time of the last change, in milliseconds since 1970.
  public init(
    id: OfferID, odds: DecimalOdds?, status: OfferStatus = .standard, isAvailable: Bool = true,
    lastChanged: Int64? = nil
  ) {
    self.id = id
    rawOdds = odds?.units ?? absent
    self.status = status
    self.isAvailable = isAvailable
    rawLastChanged = lastChanged ?? absent
  }

  /// Returns the offer as one of an exchange.
  ///
  /// - Parameters:
  ///   - side: The side of the price.
  ///   - level: The rank among the prices of the side, from 0 to 63, 0 for the best. Other values are clamped.
  ///   - size: The amount available at the price; nil if the feed gave none.
  public func on(_ side: OfferSide, level: Int, size: Amount?) -> BettingOffer {
    var offer = self
    offer.sideAndLevel = side.rawValue << 6 | UInt8(min(max(0, level), 0x3F))
    offer.rawSize = size?.units ?? absent
    offer.rawCurrency = size?.currency?.packed ?? 0
    return offer
  }
}

/// The value of a number that the feed did not give.
private let absent = Int64.min

/// The status of an offer.
public enum OfferStatus: UInt8, Hashable, Sendable {
  /// An ordinary price. An offer can be bet on only in this status.
  case standard = 1
  /// The bet is settled at the starting price.
  case startingPrice = 2
  /// The participant does not take part.
  case nonParticipant = 3
  /// The offer is withdrawn.
  case removed = 4
  /// The offer was made in error.
  case invalid = 5
  /// The offer is settled.
  case resolved = 6
  /// The offer is suspended for a short time.
  case suspended = 7
  /// The price is that of the last matched bet, because the feed has no offers. It is no offer.
  case lastTraded = 100
  /// The status is not known or cannot be read.
  case unknown = 0

  /// The word used in JSON, which is the name of the case.
  public var word: String {
    switch self {
    case .standard: "standard"
    case .startingPrice: "startingPrice"
    case .nonParticipant: "nonParticipant"
    case .removed: "removed"
    case .invalid: "invalid"
    case .resolved: "resolved"
    case .suspended: "suspended"
    case .lastTraded: "lastTraded"
    case .unknown: "unknown"
    }
  }
}
