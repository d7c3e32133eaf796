import OddsFeed

/// What has been told, the newest first.
struct AlertLog: Sendable {
  /// The oldest beyond that are forgotten.
  static let limit = 500

  private(set) var news: [AlertEvent] = []
  /// How many nobody has looked at, and of which matches.
  private(set) var unread = 0
  private(set) var unreadMatches: Set<MatchID> = []

  /// What is told again stands once, with the newest time.
  mutating func add(_ new: AlertEvent) {
    var new = new
    if let place = news.firstIndex(where: { $0.isSame(as: new) }) { new.count += news.remove(at: place).count }
    news.insert(new, at: 0)
    if news.count > Self.limit { news.removeLast() }
    unread += 1
    unreadMatches.insert(new.match)
  }

  mutating func markRead() {
    unread = 0
    unreadMatches = []
  }
}

/// Rings, and tells the desktop, at most once in a while: what comes meanwhile is told together.
struct NotificationCoalescer: Sendable {
  /// From one ring to the next, at least.
  static let interval = Duration.seconds(5)
  /// Of how many something is said, where many come together.
  static let named = 3

  struct Ring: Hashable, Sendable {
    /// The first of them.
    var news: [AlertEvent]
    /// How many there are.
    var count: Int
  }

  private var waiting = Ring(news: [], count: 0)
  private var last: Duration?

  mutating func add(_ news: [AlertEvent]) {
    waiting.news += news.prefix(Self.named - waiting.news.count)
    waiting.count += news.count
  }

  /// What is to be told now; nil where nothing waits, or it is too early.
  mutating func take(at now: Duration) -> Ring? {
    guard let next, next <= now else { return nil }
    defer { waiting = Ring(news: [], count: 0) }
    last = now
    return waiting
  }

  /// Uptime at which there is something to tell.
  var next: Duration? { waiting.count == 0 ? nil : last.map { $0 + Self.interval } ?? .zero }
}
