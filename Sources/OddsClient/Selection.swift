import Betfair
import EveryMatrix
import OddsFeed
public import OddsModel
import Polymarket

/// The matches that a subscription selects.
///
/// A `limit` is a number of matches, 1 or more. Nil is the default: `defaultLimit`, or for Betfair no limit. Lists of
/// Betfair have at most 200 matches. A recording has only its own topics: each list selects its first topic.
/// `OddsConnection.subscribe(to:)` throws an error for a selection that the feed does not have.
public struct Selection: Hashable, Sendable {
  /// A sport of a selection.
  public struct Sport: Hashable, Sendable {
    /// The id in feeds of EveryMatrix.
    let everyMatrix: SportID
    /// The id at Betfair: that of an event type.
    let betfair: SportID

    public static let football = Sport(everyMatrix: 1, betfair: 1)
    public static let tennis = Sport(everyMatrix: 3, betfair: 2)
    public static let iceHockey = Sport(everyMatrix: 6, betfair: 7524)
    public static let basketball = Sport(everyMatrix: 8, betfair: 7522)
    public static let volleyball = Sport(everyMatrix: 20, betfair: 998917)

    /// The sport with an id of the feed: at EveryMatrix that of a sport, at Betfair that of an event type. Lists of
    /// Polymarket have only the sports with a name.
    public static func id(_ id: SportID) -> Sport { Sport(everyMatrix: id, betfair: id) }

    /// The sport in lists of Polymarket; nil if they do not have it.
    var polymarket: PolymarketSport? {
      switch self {
      case .football: .football
      case .tennis: .tennis
      case .iceHockey: .iceHockey
      case .basketball: .basketball
      case .volleyball: .volleyball
      default: nil
      }
    }
  }

  enum Kind: Hashable {
    case list(Topic.MatchList, Sport?, limit: Int?)
    case league(String, limit: Int)
    case match(MatchID)
    case topic(Topic)
  }

  let kind: Kind

  /// The limit that the lists have by default, except those of Betfair.
  public static let defaultLimit = 100

  /// The matches in progress, at most `limit`; for Betfair, those that are in-play now or will be in-play later, the
  /// first ones by start time. All sports if `sport` is nil.
  public static func live(sport: Sport? = nil, limit: Int? = nil) -> Selection {
    Selection(kind: .list(.live, sport, limit: limit))
  }

  /// The matches that have not started, by start time, at most `limit`; for Polymarket, the games of the day; for
  /// Betfair, all matches by start time. All sports if `sport` is nil.
  public static func next(sport: Sport? = nil, limit: Int? = nil) -> Selection {
    Selection(kind: .list(.next, sport, limit: limit))
  }

  /// The most viewed matches, at most `limit`; for Polymarket, the games of the day; for Betfair, all matches by start
  /// time. All sports if `sport` is nil.
  public static func popular(sport: Sport? = nil, limit: Int? = nil) -> Selection {
    Selection(kind: .list(.popular, sport, limit: limit))
  }

  /// The matches of a league, at most `limit`. Only Polymarket has leagues: `name` is the code there, such as `nba`.
  public static func league(_ name: String, limit: Int = defaultLimit) -> Selection {
    Selection(kind: .league(name, limit: limit))
  }

  /// One match with all its markets.
  public static func match(_ id: MatchID) -> Selection { Selection(kind: .match(id)) }

  /// A topic by its path in the feed, or one of `OddsConnection.recordedTopics`.
  public static func topic(_ topic: Topic) -> Selection { Selection(kind: .topic(topic)) }
}

extension Selection: CustomStringConvertible {
  /// The selection as it is written in code, such as `.live(sport: football, limit: 50)`.
  public var description: String {
    switch kind {
    case .list(let list, let sport, let limit):
      let arguments = [sport.map { "sport: \($0)" }, limit.map { "limit: \($0)" }].compactMap(\.self)
      return ".\(list)(\(arguments.joined(separator: ", ")))"
    case .league(let name, let limit): return ".league(\(name), limit: \(limit))"
    case .match(let id): return ".match(\(id))"
    case .topic(let topic): return ".topic(\(topic.path))"
    }
  }
}

extension Selection.Sport: CustomStringConvertible {
  /// The name of the sport, or its id.
  public var description: String {
    switch self {
    case .football: "football"
    case .tennis: "tennis"
    case .iceHockey: "iceHockey"
    case .basketball: "basketball"
    case .volleyball: "volleyball"
    default: "\(everyMatrix)"
    }
  }
}

/// The names of a feed's topics.
enum TopicNames: Sendable {
  /// `name` is that of the feed in errors.
  case everyMatrix(operatorID: String = "1", language: String = "en", name: String = "EveryMatrix")
  case polymarket
  case betfair

  func topic(of selection: Selection) throws(OddsClientError) -> Topic {
    switch (self, selection.kind) {
    case (_, .topic(let topic)): return topic
    case (.everyMatrix(let operatorID, let language, _), .list(let list, let sport, let limit)):
      return .aggregator(
        list, sport: sport.map { "\($0.everyMatrix)" } ?? Topic.allSports, matches: try Self.checked(limit),
        operatorID: operatorID, language: language)
    case (.everyMatrix(let operatorID, let language, _), .match(let id)):
      return .match(id, operatorID: operatorID, language: language)
    case (.everyMatrix(_, _, let name), .league):
      throw Self.unavailable(selection, "\(name) has no lists by league", "select a sport")
    case (.polymarket, .list(let list, let sport, let limit)):
      if let sport, sport.polymarket == nil {
        throw Self.unavailable(
          selection, "Polymarket has no lists of the sport '\(sport)'",
          "select football, tennis, ice hockey, basketball or volleyball, or a league, such as .league(\"nba\")")
      }
      let matches = try Self.checked(limit)
      let known = sport?.polymarket
      return list == .live
        ? PolymarketTopic.live(sport: known, limit: matches).topic
        : PolymarketTopic.today(sport: known, limit: matches).topic
    case (.polymarket, .league(let name, let limit)):
      let topic = PolymarketTopic.league(name, limit: try Self.checked(limit)).topic
      if PolymarketTopic(topic) != nil { return topic }
      throw OddsClientError(
        .valueInvalid, "the league '\(name)' is not valid", remedy: "use small letters and digits, such as nba")
    case (.polymarket, .match(let id)): return try Self.match(id, PolymarketCatalog(), PolymarketTopic.none.topic)
    case (.betfair, .list(let list, let sport, let limit)):
      return try BetfairCatalog.list(
        sport: sport.map { "\($0.betfair)" }, isInPlay: list == .live,
        limit: limit == nil ? nil : Self.checked(limit))
    case (.betfair, .league):
      throw Self.unavailable(selection, "Betfair has no lists by league", "select a sport")
    case (.betfair, .match(let id)): return try Self.match(id, BetfairCatalog(), BetfairTopic(selection: .none).topic)
    }
  }

  private static func match(
    _ id: MatchID, _ catalog: some FeedCatalog, _ list: Topic
  ) throws(OddsClientError) -> Topic {
    guard let topic = catalog.topic(ofMatch: id, listedIn: list) else {
      throw OddsClientError(.valueInvalid, "the match '\(id)' is not an event", remedy: "use the id of a match")
    }
    return topic
  }

  /// Returns the limit of a list, or the default. Throws an error if it is not valid.
  private static func checked(_ limit: Int?) throws(OddsClientError) -> Int {
    let limit = limit ?? Selection.defaultLimit
    if limit > 0 { return limit }
    throw OddsClientError(.valueInvalid, "the limit '\(limit)' is not valid", remedy: "use 1 or more")
  }

  private static func unavailable(_ selection: Selection, _ why: String, _ remedy: String) -> OddsClientError {
    OddsClientError(.selectionUnavailable, "the selection '\(selection)' is not available: \(why)", remedy: remedy)
  }
}
