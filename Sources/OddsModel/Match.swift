/// The id of a match.
public typealias MatchID = FeedID<Match>
/// The id of a market.
public typealias MarketID = FeedID<Market>
/// The id of an outcome.
public typealias OutcomeID = FeedID<Outcome>
/// The id of a betting offer.
public typealias OfferID = FeedID<BettingOffer>
/// The id of a sport.
public typealias SportID = FeedID<Sport>

/// A sport, as the feed names it.
public enum Sport {}

/// A match with its markets, outcomes and prices. An independent value, not a view of the store.
public struct Match: Hashable, Sendable, Identifiable {
  /// The feed's id.
  public let id: MatchID
  /// The names of the match, which seldom change.
  public let labels: Names
  /// The id of the sport; nil if the feed gave none.
  public let sportID: SportID?
  /// The kick-off time, in milliseconds since 1970; nil if the feed gave none.
  public let startTime: Int64?
  /// The stage of the match.
  public let status: MatchStatus
  /// The score, home then away; nil if the feed gave none.
  public var score: Score?
  /// The match clock, in whole minutes; nil if the feed gave none.
  public var minute: Int?
  /// The side that serves; nil if the sport has no serve or the feed gave none.
  public var serving: Side?
  /// The players sent off, home then away; nil if the feed gave no count.
  public var redCards: Score?
  /// The markets, ascending by id.
  public let markets: [Market]
  private let mainMarketPlace: Int?

  /// The market that the match's row shows; nil if the match has no markets.
  ///
  /// The market with the lowest `mainMarketRank`, where markets without a rank come last. Ties go to a main line, then
  /// to the lowest id.
  public var mainMarket: Market? { mainMarketPlace.map { markets[$0] } }

  /// Creates a match.
  ///
  /// - Parameters:
  ///   - startTime: The kick-off time, in milliseconds since 1970.
  ///   - markets: The markets, ascending by id.
  public init(
    id: MatchID, labels: Names, sportID: SportID? = nil, startTime: Int64? = nil, status: MatchStatus = .unknown,
    score: Score? = nil, minute: Int? = nil, serving: Side? = nil, redCards: Score? = nil,
    markets: [Market] = []
  ) {
    self.id = id
    self.labels = labels
    self.sportID = sportID
    self.startTime = startTime
    self.status = status
    self.score = score
    self.minute = minute
    self.serving = serving
    self.redCards = redCards
    self.markets = markets
    var best: Int?
    for place in markets.indices where best.map({ markets[place].heads(markets[$0]) }) ?? true { best = place }
    mainMarketPlace = best
  }

  /// Returns true if nothing differs except markets, prices and red cards, which no format of changes has.
  package func isSameBesidesMarkets(_ other: Match) -> Bool {
    labels == other.labels && sportID == other.sportID && startTime == other.startTime && status == other.status
      && score == other.score && minute == other.minute && serving == other.serving
  }
}

extension Match {
  /// The names of a match. All states of a match share one object until a name changes, because each price change
  /// copies the match.
  public final class Names: Hashable, Sendable {
    /// The feed's name of the match, usually "home - away".
    public let name: String
    /// The first participant's name; empty where the feed gives none.
    public let home: String
    /// The second participant's name; empty where the feed gives none.
    public let away: String
    /// The tournament's name.
    public let tournament: String
    /// The country's or category's name.
    public let category: String
    /// The part of the match in progress, such as "2nd Half".
    public let part: String
    /// The sport's name; empty where the feed gives none.
    public let sport: String

    /// Creates names. Those that are not given are empty.
    public init(
      name: String, home: String = "", away: String = "", tournament: String = "", category: String = "",
      part: String = "", sport: String = ""
    ) {
      self.name = name
      self.home = home
      self.away = away
      self.tournament = tournament
      self.category = category
      self.part = part
      self.sport = sport
    }

    public static func == (left: Names, right: Names) -> Bool {
      left === right
        || left.name == right.name && left.home == right.home && left.away == right.away && left.part == right.part
          && left.tournament == right.tournament && left.category == right.category && left.sport == right.sport
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  /// The feed's name of the match, usually "home - away".
  public var name: String { labels.name }

  /// Returns true if `left` precedes `right` on the board: by ascending start time, matches without one last, then by
  /// id.
  public static func boardOrder(_ left: Match, _ right: Match) -> Bool {
    let starts = (left.startTime ?? .max, right.startTime ?? .max)
    return starts.0 != starts.1 ? starts.0 < starts.1 : left.id < right.id
  }
}

/// One of the two participants of a match.
public enum Side: Hashable, Sendable {
  /// The first participant.
  case home
  /// The second participant.
  case away
}

/// A score, home then away, in the sport's own points.
public struct Score: Hashable, Sendable {
  /// Goals, sets or points of the first participant.
  public var home: Int
  /// Goals, sets or points of the second participant.
  public var away: Int

  /// Creates a score, home then away.
  public init(home: Int, away: Int) {
    self.home = home
    self.away = away
  }
}

/// The stage of a match.
public enum MatchStatus: UInt8, Hashable, Sendable {
  /// The feed gave no status, or one that is not known.
  case unknown = 0
  /// The match has not begun.
  case pending = 1
  /// The match is in progress.
  case inProgress = 2
  /// The match is over.
  case ended = 3

  /// The word used in JSON, which is the name of the case.
  public var word: String {
    switch self {
    case .unknown: "unknown"
    case .pending: "pending"
    case .inProgress: "inProgress"
    case .ended: "ended"
    }
  }
}

/// A market of a match.
public struct Market: Hashable, Sendable, Identifiable {
  /// The feed's id.
  public let id: MarketID
  /// The feed's name.
  public let name: String
  /// The goals, points or games that the market is about, in ten-millionths; nil if the market has none.
  public let handicap: Int64?
  /// The id of the betting type, which the markets of one kind share; `RawID.none` if the feed gave none.
  package let bettingTypeID: UInt64
  /// True if the bookmaker takes bets on the market.
  public let isAvailable: Bool
  /// True if the market is settled or withdrawn.
  public let isClosed: Bool
  /// True if the feed marks the market as the main line of its betting type.
  public let isMainLine: Bool
  /// The rank of the market's betting type among the main ones, 0 for the first; nil if it is none of them.
  public let mainMarketRank: Int?
  /// The outcomes, ascending by id.
  public let outcomes: [Outcome]

  /// True if the feed ranks the market's betting type as a main one.
  public var isMain: Bool { mainMarketRank != nil }

  /// Creates a market.
  ///
  /// - Parameters:
  ///   - handicap: The goals, points or games that the market is about, in ten-millionths.
  ///   - bettingTypeID: The id of the betting type; nil if there is none.
  ///   - outcomes: The outcomes, ascending by id.
  public init(
    id: MarketID, name: String, handicap: Int64? = nil, bettingTypeID: UInt64? = nil, isAvailable: Bool = true,
    isClosed: Bool = false, isMainLine: Bool = false, mainMarketRank: Int? = nil, outcomes: [Outcome] = []
  ) {
    self.id = id
    self.name = name
    self.handicap = handicap
    self.bettingTypeID = bettingTypeID ?? RawID.none
    self.isAvailable = isAvailable
    self.isClosed = isClosed
    self.isMainLine = isMainLine
    self.mainMarketRank = mainMarketRank
    self.outcomes = outcomes
  }

  /// Returns true if this market, and not the other, is the better main market.
  fileprivate func heads(_ other: Market) -> Bool {
    if mainMarketRank != other.mainMarketRank { return mainMarketRank ?? .max < other.mainMarketRank ?? .max }
    return isMainLine && !other.isMainLine
  }

  /// The sum of implied probabilities minus one, as a fraction: 0.05 is 5 %.
  ///
  /// Nil if the market has fewer than two outcomes or if any outcome has no bettable price.
  public var margin: Double? {
    guard outcomes.count > 1 else { return nil }
    var sum = 0.0
    for outcome in outcomes {
      guard outcome.isBettable, let odds = outcome.offer?.odds else { return nil }
      sum += odds.impliedProbability
    }
    return sum - 1
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
  /// The offer to show: the first bettable one, otherwise the first; nil if there is none.
  public var offer: BettingOffer?
  /// True if the offer has a price and is an ordinary one, the offer and the market are available and the market is
  /// not closed.
  public var isBettable: Bool
  /// The offer's price, or the last price of the outcome if the offer has none now; nil if there was never a price.
  public var lastOdds: DecimalOdds?

  /// Creates an outcome.
  ///
  /// - Parameter lastOdds: The last price; the offer's price if nil.
  public init(
    id: OutcomeID, name: String, key: String = "", offer: BettingOffer? = nil, isBettable: Bool = false,
    lastOdds: DecimalOdds? = nil
  ) {
    self.id = id
    self.name = name
    self.key = key
    self.offer = offer
    self.isBettable = isBettable
    self.lastOdds = lastOdds ?? offer?.odds
  }
}

/// A price on an outcome.
public struct BettingOffer: Hashable, Sendable, Identifiable {
  /// The feed's id.
  public let id: OfferID
  /// The price; nil if the feed gave none.
  public var odds: DecimalOdds?
  /// The status of the offer.
  public var status: OfferStatus
  /// True unless this price is withdrawn.
  public var isAvailable: Bool
  /// The time of the feed's last change of the offer, in milliseconds since 1970; nil if the feed gave none.
  public var lastChanged: Int64?

  /// Creates an offer.
  ///
  /// - Parameter lastChanged: The time of the last change, in milliseconds since 1970.
  public init(
    id: OfferID, odds: DecimalOdds?, status: OfferStatus = .standard, isAvailable: Bool = true,
    lastChanged: Int64? = nil
  ) {
    self.id = id
    self.odds = odds
    self.status = status
    self.isAvailable = isAvailable
    self.lastChanged = lastChanged
  }
}

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
    case .unknown: "unknown"
    }
  }
}
