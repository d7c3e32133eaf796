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
  private var mainMarketIndex: Int?

  /// The market that the match's row shows; nil if the match has no markets.
  ///
  /// It is the market with the lowest `mainMarketRank`; markets without a rank come last. Of several, it is one that is
  /// not closed, then one with `isMainLine`, then the one with the lowest id.
  public var mainMarket: Market? { mainMarketIndex.map { markets[$0] } }

  /// Creates a match.
  ///
  /// - Parameters:
  ///   - startTime: The kick-off time, in milliseconds since 1970; nil if it is not known.
  ///   - minute: The match clock, in whole minutes; nil if it is not known.
  ///   - redCards: The players sent off, home then away; nil if the number is not known.
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
    chooseMainMarket { _ in true }
  }

  /// Chooses the main market among the markets with some indices.
  package mutating func chooseMainMarket(among isCandidate: (Int) -> Bool) {
    var best: Int?
    for index in markets.indices where isCandidate(index) {
      if best.map({ markets[index].heads(markets[$0]) }) ?? true { best = index }
    }
    mainMarketIndex = best
  }

  /// Returns true if nothing differs except markets and prices. Red cards are not compared, because no format of
  /// changes has them.
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
    /// The first participant's name; empty if the feed gives none.
    public let home: String
    /// The second participant's name; empty if the feed gives none.
    public let away: String
    /// The tournament's name; empty if the feed gives none.
    public let tournament: String
    /// The name of the country or category; empty if the feed gives none.
    public let category: String
    /// The part of the match in progress, such as "2nd Half"; empty if the feed gives none.
    public let part: String
    /// The sport's name; empty if the feed gives none.
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
