public import OddsModel

/// The topics of the EveryMatrix feed, by their paths (Transport.md).
extension Topic {
  /// The selection of matches in an aggregator topic.
  public enum MatchList: String, Sendable, CaseIterable {
    /// Matches in progress.
    case live = "live-matches-aggregator-main"
    /// Matches that have not started, by start time.
    case next = "next-matches-aggregator-main"
    /// The most viewed matches, in progress or not.
    case popular = "popular-matches-aggregator-main"
  }

  /// The path component that selects all sports.
  public static let allSports = "all-sports"

  /// Returns an aggregator topic with at most `matches` matches of a sport and at most `markets` markets per match.
  public static func aggregator(
    _ kind: MatchList, sport: String = allSports, matches: Int, markets: Int = 3, operatorID: String = "1",
    language: String = "en"
  ) -> Topic {
    Topic(
      path: "/sports/\(operatorID)/\(language)/\(kind.rawValue)/\(sport)/all-locations/default-event-info/"
        + "\(matches)/\(markets)")
  }

  /// Returns the topic of all markets of one match.
  public static func match(_ id: MatchID, operatorID: String = "1", language: String = "en") -> Topic {
    Topic(path: "/sports/\(operatorID)/\(language)/\(id)/match-odds")
  }

  /// Returns the topic of single offers: a watch list.
  public static func offers(_ ids: [OfferID], operatorID: String = "1", language: String = "en") -> Topic {
    let list = ids.map(\.description).joined(separator: ",")
    return Topic(path: "/sports/\(operatorID)/\(language)/bettingOffers/\(list)")
  }

  /// Returns the topic of the list of sports: all, or those with matches in progress.
  public static func sports(liveOnly: Bool, operatorID: String = "1", language: String = "en") -> Topic {
    Topic(path: "/sports/\(operatorID)/\(language)/disciplines/\(liveOnly ? "LIVE" : "BOTH")/BOTH")
  }

  /// The operator and the language in the topic's path. Nil if the path has another form.
  package var operatorAndLanguage: (operatorID: String, language: String)? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 6, parts[0].isEmpty, parts[1] == "sports" else { return nil }
    return (String(parts[2]), String(parts[3]))
  }

  /// Returns true if a text can be one component of a topic's path: an operator, a language.
  package static func isPathPart(_ text: String) -> Bool {
    !text.isEmpty && text.allSatisfy { "-_".contains($0) || $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  /// The data that a topic selects.
  public enum Content: Hashable, Sendable {
    /// At most `matches` matches of a sport, or of `allSports`, with at most `markets` markets each.
    case aggregator(MatchList, sport: String, matches: Int, markets: Int)
    /// All markets of the match with this id.
    case match(String)
    /// The offers with these ids.
    case offers([String])
    /// The list of sports.
    case sports(liveOnly: Bool)
  }

  /// The data that the topic selects. Nil if the path has no known form (Transport.md).
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
