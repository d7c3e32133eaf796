package import OddsModel

/// The games that a topic selects (Topics.md).
package enum PolymarketTopic: Hashable, Sendable {
  /// Games in progress, at most `limit`.
  case live(limit: Int)
  /// The games of the day by UTC, at most `limit`.
  case today(limit: Int)
  /// The games of a league, such as `nba`, at most `limit`.
  case league(String, limit: Int)
  /// All markets of an event.
  case event(UInt64)
  /// No games. The topic has the state of the connection.
  case none

  /// Reads the path of a topic: `/live/50`, `/today/50`, `/league/nba/50`, `/event/16085`, `/none`. Returns nil for
  /// another path.
  package init?(_ topic: Topic) {
    let parts = topic.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 2, parts[0].isEmpty else { return nil }
    switch (parts[1], parts.count) {
    case ("live", 3):
      guard let limit = Self.limit(parts[2]) else { return nil }
      self = .live(limit: limit)
    case ("today", 3):
      guard let limit = Self.limit(parts[2]) else { return nil }
      self = .today(limit: limit)
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
    case .live(let limit): Topic(path: "/live/\(limit)")
    case .today(let limit): Topic(path: "/today/\(limit)")
    case .league(let league, let limit): Topic(path: "/league/\(league)/\(limit)")
    case .event(let id): Topic(path: "/event/\(id)")
    case .none: Topic(path: "/none")
    }
  }

  /// The largest number of games; nil if there is no limit.
  var limit: Int? {
    switch self {
    case .live(let limit), .today(let limit), .league(_, let limit): limit
    case .event, .none: nil
    }
  }
}
