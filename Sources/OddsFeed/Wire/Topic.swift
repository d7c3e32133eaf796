/// The name of what a client subscribes to, as it stands on the wire (Transport.md).
public struct Topic: Hashable, Sendable, CustomStringConvertible {
  /// The topic as the server knows it, such as `/sports/1/en/live-matches-aggregator-main/1/…`.
  public let path: String

  /// A topic by its path.
  public init(path: String) {
    self.path = path
  }

  public var description: String { path }
}

extension Topic {
  /// Which matches an aggregator topic holds.
  public enum MatchList: String, Sendable, CaseIterable {
    /// Matches in progress.
    case live = "live-matches-aggregator-main"
    /// Matches yet to start, by start time.
    case next = "next-matches-aggregator-main"
    /// Matches that most people look at, in progress or not.
    case popular = "popular-matches-aggregator-main"
  }

  /// The path component that stands for every sport.
  public static let allSports = "all-sports"

  /// An aggregator topic: at most `matches` matches of a sport with at most `markets` markets each.
  public static func aggregator(
    _ kind: MatchList, sport: String = allSports, matches: Int, markets: Int = 3, operatorID: String = "1",
    language: String = "en"
  ) -> Topic {
    Topic(
      path: "/sports/\(operatorID)/\(language)/\(kind.rawValue)/\(sport)/all-locations/default-event-info/"
        + "\(matches)/\(markets)")
  }

  /// All markets of one match.
  public static func match(_ id: MatchID, operatorID: String = "1", language: String = "en") -> Topic {
    Topic(path: "/sports/\(operatorID)/\(language)/\(id)/match-odds")
  }

  /// Single offers: a watch list.
  public static func offers(_ ids: [OfferID], operatorID: String = "1", language: String = "en") -> Topic {
    let list = ids.map(\.description).joined(separator: ",")
    return Topic(path: "/sports/\(operatorID)/\(language)/bettingOffers/\(list)")
  }

  /// The list of sports: all, or those with matches in progress.
  public static func sports(liveOnly: Bool, operatorID: String = "1", language: String = "en") -> Topic {
    Topic(path: "/sports/\(operatorID)/\(language)/disciplines/\(liveOnly ? "LIVE" : "BOTH")/BOTH")
  }

  /// The operator and the language that a topic's path names; nil where it is of no such form.
  package var operatorAndLanguage: (operatorID: String, language: String)? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 6, parts[0].isEmpty, parts[1] == "sports" else { return nil }
    return (String(parts[2]), String(parts[3]))
  }

  /// An aggregator topic with at most that many matches; any other as it is.
  package func limited(to matches: Int) -> Topic {
    guard case .aggregator = content else { return self }
    var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    parts[parts.count - 2] = "\(matches)"
    return Topic(path: parts.joined(separator: "/"))
  }

  /// What a topic asks for.
  public enum Content: Hashable, Sendable {
    /// At most so many matches of a sport, or of `allSports`, with at most so many markets each.
    case aggregator(MatchList, sport: String, matches: Int, markets: Int)
    /// All markets of the match with that id.
    case match(String)
    /// The offers with those ids.
    case offers([String])
    /// The list of sports.
    case sports(liveOnly: Bool)
  }

  /// What the topic asks for; nil where the path is of no known kind (Transport.md).
  public var content: Content? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 6, parts[0].isEmpty, parts[1] == "sports" else { return nil }
    switch (parts.count, parts[4], parts[5]) {
    case (10, _, let sport):
      guard let kind = MatchList(rawValue: parts[4]), let matches = Int(parts[8]), let markets = Int(parts[9]) else {
        return nil
      }
      return .aggregator(kind, sport: sport, matches: matches, markets: markets)
    case (6, let id, "match-odds"): return .match(id)
    case (6, "bettingOffers", let ids): return .offers(ids.split(separator: ",").map(String.init))
    case (7, "disciplines", "LIVE"): return .sports(liveOnly: true)
    case (7, "disciplines", "BOTH"): return .sports(liveOnly: false)
    default: return nil
    }
  }
}
