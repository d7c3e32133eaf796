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
  public let labels: Labels
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
  /// The markets in feed order.
  public package(set) var markets: [Market]

  /// The market that heads the row: the first main one, else the first.
  public var mainMarket: Market? { markets.first(where: \.isMain) ?? markets.first }
}

extension Match {
  /// A match's names. One object serves all states of a match until a name changes: a match is copied for every price
  /// that moves, and its names are not.
  public final class Labels: Hashable, Sendable {
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

    init(_ record: MatchRecord) {
      (home, away, tournament) = (record.home, record.away, record.tournament)
      (category, part) = (record.category, record.part)
      name = record.name.isEmpty && !record.home.isEmpty ? "\(record.home) - \(record.away)" : record.name
    }

    public static func == (left: Labels, right: Labels) -> Bool {
      left === right
        || left.name == right.name && left.home == right.home && left.away == right.away && left.part == right.part
          && left.tournament == right.tournament && left.category == right.category
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  /// The feed's name of the match, usually "home - away".
  public var name: String { labels.name }
}

/// One of the two participants.
public enum Side: Hashable, Sendable { case home, away }

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

/// Where a match stands (FEED.md §3, MATCH statusId).
public enum MatchStatus: Int, Hashable, Sendable {
  case unknown = 0
  case pending = 1
  case inProgress = 2
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
  public var name: String
  /// False while the bookmaker takes no bets on the market.
  public var isAvailable: Bool
  /// True once the market is settled or withdrawn.
  public var isClosed: Bool
  /// True where the feed names it as one that heads the list.
  public var isMain: Bool
  /// The outcomes in feed order.
  public var outcomes: [Outcome]

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
  /// The rule of FEED.md §3: status 1, offer available, market available, market not closed.
  public var isBettable: Bool
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

/// The status of an offer (FEED.md §3, BETTING_OFFER statusId).
public enum OfferStatus: Int, Hashable, Sendable {
  case standard = 1
  case startingPrice = 2
  case nonParticipant = 3
  case removed = 4
  case invalid = 5
  case resolved = 6
  case suspended = 7
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
