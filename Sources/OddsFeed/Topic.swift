/// The name of what a client subscribes to, as it stands on the wire (FEED.md §1).
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
  public enum Aggregator: String, Sendable, CaseIterable {
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
    _ kind: Aggregator, sport: String = allSports, matches: Int, markets: Int = 3, operatorID: String = "1",
    language: String = "en"
  ) -> Topic {
    Topic(
      path: "/sports/\(operatorID)/\(language)/\(kind.rawValue)/\(sport)/all-locations/default-event-info/"
        + "\(matches)/\(markets)")
  }

  /// The parts of an aggregator topic, or nil where the path is another kind of topic.
  public var aggregatorParts: (kind: Aggregator, sport: String, matches: Int, markets: Int)? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 10, parts[0].isEmpty, parts[1] == "sports", let kind = Aggregator(rawValue: String(parts[4])),
      let matches = Int(parts[8]), let markets = Int(parts[9])
    else { return nil }
    return (kind, String(parts[5]), matches, markets)
  }
}
