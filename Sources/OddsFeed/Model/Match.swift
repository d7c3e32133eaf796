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

/// A discipline, as the feed names it.
public enum Sport {}

/// A match with everything that hangs on it: a value of its own, not a view of the store.
public struct Match: Hashable, Sendable, Identifiable {
  /// The feed's id.
  public let id: MatchID
  /// The names, which seldom change.
  public let labels: Names
  /// Which sport.
  public let sportID: SportID?
  /// Kick-off in milliseconds since 1970, or nil where the feed gave none.
  public let startTime: Int64?
  /// Where the match stands.
  public let status: MatchStatus
  /// The score, home then away.
  public internal(set) var score: Score?
  /// The match clock in whole minutes.
  public internal(set) var minute: Int?
  /// Who serves, where the sport has a serve.
  public internal(set) var serving: Side?
  /// The markets, ascending by id.
  public let markets: [Market]
  /// Where in `markets` the main one is.
  private let mainMarketPlace: Int?

  /// The market that heads the row: of those that the feed names as main the one that it names first, a main line
  /// before others, then the lowest id; where it names none, the same among all.
  public var mainMarket: Market? { mainMarketPlace.map { markets[$0] } }

  init(id: MatchID, labels: Names, sportID: SportID?, startTime: Int64?, status: MatchStatus, markets: [Market]) {
    (self.id, self.labels, self.sportID) = (id, labels, sportID)
    (self.startTime, self.status, self.markets) = (startTime, status, markets)
    var best: Int?
    for place in markets.indices where best.map({ markets[place].heads(markets[$0]) }) ?? true { best = place }
    mainMarketPlace = best
  }

  /// True where nothing but markets and prices differs.
  package func isSameBesidesMarkets(_ other: Match) -> Bool {
    labels == other.labels && sportID == other.sportID && startTime == other.startTime && status == other.status
      && score == other.score && minute == other.minute && serving == other.serving
  }
}

extension Match {
  /// A match's names. One object serves all states of a match until a name changes: a match is copied for every price
  /// that moves, and its names are not.
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
    /// The part being played, such as "2nd Half".
    public let part: String
    /// The sport's name; empty where the feed gives none.
    public let sport: String

    init(
      name: String, home: String, away: String, tournament: String, category: String, part: String, sport: String
    ) {
      (self.name, self.home, self.away, self.sport) = (name, home, away, sport)
      (self.tournament, self.category, self.part) = (tournament, category, part)
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
}

/// One of the two participants.
public enum Side: Hashable, Sendable {
  /// The first.
  case home
  /// The second.
  case away
}

/// A score, home then away, in the sport's own points.
public struct Score: Hashable, Sendable {
  /// Goals, sets or points of the first participant.
  public var home: Int
  /// Goals, sets or points of the second participant.
  public var away: Int

  /// A score, home then away.
  public init(home: Int, away: Int) {
    self.home = home
    self.away = away
  }
}

/// Where a match stands (Records.md, MATCH statusId).
public enum MatchStatus: Int, Hashable, Sendable {
  /// None given, or one that nobody has seen yet.
  case unknown = 0
  /// Not begun.
  case pending = 1
  /// Being played.
  case inProgress = 2
  /// Over.
  case ended = 3

  /// The word used in JSON.
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
  /// The goals, points or games that the market is about, in ten-millionths; nil where it has no such line.
  package let line: Int64?
  /// What kind of market it is: lines of one kind have the same.
  package let bettingTypeID: UInt64
  /// False while the bookmaker takes no bets on the market.
  public let isAvailable: Bool
  /// True once the market is settled or withdrawn.
  public let isClosed: Bool
  /// True where the feed names this line as the main one among those of its betting type.
  public let isMainLine: Bool
  /// The place of the market's betting type among those that head the list (MAIN_MARKET records); nil where it is none.
  public let mainMarketRank: Int?
  /// The outcomes, ascending by id.
  public let outcomes: [Outcome]

  /// True where the feed names it as one that heads the list.
  public var isMain: Bool { mainMarketRank != nil }

  /// True where it, and not the other, heads the row.
  fileprivate func heads(_ other: Market) -> Bool {
    if mainMarketRank != other.mainMarketRank { return mainMarketRank ?? .max < other.mainMarketRank ?? .max }
    return isMainLine && !other.isMainLine
  }

  /// The sum of implied probabilities less one, as a fraction: 0.05 is 5 %. Nil unless every outcome has a
  /// bettable price.
  public var overround: Double? {
    guard outcomes.count > 1 else { return nil }
    var sum = 0.0
    for outcome in outcomes {
      guard outcome.isBettable, let odds = outcome.offer?.odds else { return nil }
      sum += odds.impliedProbability
    }
    return sum - 1
  }
}

/// One result that can be bet on.
public struct Outcome: Hashable, Sendable, Identifiable {
  /// The feed's id.
  public let id: OutcomeID
  /// The feed's name.
  public var name: String
  /// What the outcome is in its market: `home`, `draw`, `away`, `over`, …; empty where the feed does not say.
  public var key: String
  /// The offer to show: the first bettable one, else the first; nil where there is none.
  public var offer: BettingOffer?
  /// The rule of Records.md: status 1, offer available, market available, market not closed.
  public var isBettable: Bool
  /// The offer's price, or the last one that the outcome had where it has none now; nil where none was ever seen.
  package var lastOdds: DecimalOdds?
}

/// A price on an outcome.
public struct BettingOffer: Hashable, Sendable, Identifiable {
  /// The feed's id.
  public let id: OfferID
  /// The price; nil where the feed gave none.
  public var odds: DecimalOdds?
  /// The feed's status.
  public var status: OfferStatus
  /// False while this price is withdrawn.
  public var isAvailable: Bool
  /// When the feed last changed the offer, in milliseconds since 1970; nil where it did not say.
  public var lastChanged: Int64?
}

/// The status of an offer (Records.md, BETTING_OFFER statusId).
public enum OfferStatus: Int, Hashable, Sendable {
  /// A price like any other; the only status in which an offer can be bet on.
  case standard = 1
  /// To be settled at the price at the start.
  case startingPrice = 2
  /// On somebody who does not take part.
  case nonParticipant = 3
  /// Withdrawn.
  case removed = 4
  /// Offered in error.
  case invalid = 5
  /// Settled.
  case resolved = 6
  /// Held for a moment.
  case suspended = 7
  /// One that nobody has seen yet.
  case unknown = 0

  /// The word used in JSON.
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
