import EveryMatrix
public import OddsModel

/// The matches that a subscription selects.
public struct Selection: Hashable, Sendable {
  /// A sport of a selection.
  public struct Sport: Hashable, Sendable {
    let id: SportID

    public static let football = Sport(id: 1)
    public static let tennis = Sport(id: 3)
    public static let iceHockey = Sport(id: 6)
    public static let basketball = Sport(id: 8)
    public static let volleyball = Sport(id: 20)

    /// The sport with an id of the feed.
    public static func id(_ id: SportID) -> Sport { Sport(id: id) }
  }

  enum Kind: Hashable {
    case list(Topic.MatchList, Sport?, limit: Int)
    case match(MatchID)
    case topic(Topic)
  }

  let kind: Kind

  /// The matches in progress, at most `limit`. All sports if `sport` is nil.
  public static func live(sport: Sport? = nil, limit: Int = 100) -> Selection {
    Selection(kind: .list(.live, sport, limit: limit))
  }

  /// The matches that have not started, by start time, at most `limit`. All sports if `sport` is nil.
  public static func next(sport: Sport? = nil, limit: Int = 100) -> Selection {
    Selection(kind: .list(.next, sport, limit: limit))
  }

  /// The most viewed matches, at most `limit`. All sports if `sport` is nil.
  public static func popular(sport: Sport? = nil, limit: Int = 100) -> Selection {
    Selection(kind: .list(.popular, sport, limit: limit))
  }

  /// One match with all its markets.
  public static func match(_ id: MatchID) -> Selection { Selection(kind: .match(id)) }

  /// A topic by its path in the feed, or one of `OddsConnection.recordedTopics`.
  public static func topic(_ topic: Topic) -> Selection { Selection(kind: .topic(topic)) }
}

/// The topics of an EveryMatrix feed for selections.
struct EveryMatrixTopics: Sendable {
  var operatorID = "1"
  var language = "en"

  func topic(of selection: Selection) throws(OddsClientError) -> Topic {
    switch selection.kind {
    case .list(let list, let sport, let limit):
      guard limit > 0 else {
        throw OddsClientError(.valueInvalid, "the limit '\(limit)' is not valid", remedy: "use 1 or more")
      }
      return .aggregator(
        list, sport: sport.map { "\($0.id)" } ?? Topic.allSports, matches: limit, operatorID: operatorID,
        language: language)
    case .match(let id): return .match(id, operatorID: operatorID, language: language)
    case .topic(let topic): return topic
    }
  }
}
