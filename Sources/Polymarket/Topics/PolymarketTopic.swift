package import OddsModel

/// The games that a topic selects (Topics.md).
package enum PolymarketTopic: Hashable, Sendable {
  /// Games in progress, of one sport or of all, at most `limit`.
  case live(sport: PolymarketSport? = nil, limit: Int)
  /// The games of the day by UTC, of one sport or of all, at most `limit`.
  case today(sport: PolymarketSport? = nil, limit: Int)
  /// The games of a league, such as `nba`, at most `limit`.
  case league(String, limit: Int)
  /// All markets of an event.
  case event(UInt64)
  /// No games. The topic has the state of the connection.
  case none

  /// Reads the path of a topic: `/live/50`, `/live/tennis/50`, `/today/50`, `/today/tennis/50`, `/league/nba/50`,
  /// `/event/16085`, `/none`. Returns nil for another path.
  package init?(_ topic: Topic) {
    let parts = topic.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 2, parts[0].isEmpty else { return nil }
    switch (parts[1], parts.count) {
    case ("live", 3), ("today", 3), ("live", 4), ("today", 4):
      let sport = parts.count == 4 ? PolymarketSport(rawValue: parts[2]) : nil
      guard let limit = Self.limit(parts[parts.count - 1]), parts.count == 3 || sport != nil else { return nil }
      self = parts[1] == "live" ? .live(sport: sport, limit: limit) : .today(sport: sport, limit: limit)
    case ("league", 4):
      guard let limit = Self.limit(parts[3]), Self.isLeague(parts[2]) else { return nil }
      self = .league(parts[2], limit: limit)
    case ("event", 3):
      guard let id = UInt64(parts[2]), id > 0 else { return nil }
      self = .event(id)
    case ("none", 2): self = .none
    default: return nil
    }
  }

  private static func limit(_ text: String) -> Int? { Int(text).flatMap { $0 > 0 ? $0 : nil } }

  private static func isLeague(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 }
  }

  /// The topic's path.
  package var topic: Topic {
    switch self {
    case .live(let sport, let limit): Topic(path: "/live/\(Self.part(sport))\(limit)")
    case .today(let sport, let limit): Topic(path: "/today/\(Self.part(sport))\(limit)")
    case .league(let league, let limit): Topic(path: "/league/\(league)/\(limit)")
    case .event(let id): Topic(path: "/event/\(id)")
    case .none: Topic(path: "/none")
    }
  }

  private static func part(_ sport: PolymarketSport?) -> String { sport.map { "\($0.rawValue)/" } ?? "" }

  /// The largest number of games; nil if there is no limit.
  var limit: Int? {
    switch self {
    case .live(_, let limit), .today(_, let limit), .league(_, let limit): limit
    case .event, .none: nil
    }
  }
}
