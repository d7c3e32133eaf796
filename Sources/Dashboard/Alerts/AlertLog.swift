import OddsModel

/// The alerts that have been raised, newest first.
struct AlertLog: Sendable {
  /// The maximum number of entries. The oldest entries beyond it are removed.
  static let limit = 500

  private(set) var events: [AlertEvent] = []
  /// The number of unread alerts, and the matches that they refer to.
  private(set) var unread = 0
  private(set) var unreadMatches: Set<MatchID> = []

  /// Adds an alert. An identical earlier entry is merged into it, with the newest time.
  mutating func add(_ new: AlertEvent) {
    var new = new
    if let index = events.firstIndex(where: { $0.isSame(as: new) }) { new.count += events.remove(at: index).count }
    events.insert(new, at: 0)
    if events.count > Self.limit { events.removeLast() }
    unread += 1
    unreadMatches.insert(new.match)
  }

  mutating func markRead() {
    unread = 0
    unreadMatches = []
  }
}

/// Limits the rate of bells and desktop notifications. Alerts that arrive within the interval are reported together.
struct NotificationCoalescer: Sendable {
  static let interval = Duration.seconds(5)
  /// The maximum number of alerts that one notification spells out.
  static let named = 3

  /// The alerts that one notification reports.
  struct Ring: Hashable, Sendable {
    /// The first alerts, at most `named`.
    var events: [AlertEvent]
    /// The total number of alerts.
    var count: Int
  }

  private var waiting = Ring(events: [], count: 0)
  private var last: Duration?

  mutating func add(_ events: [AlertEvent]) {
    waiting.events += events.prefix(Self.named - waiting.events.count)
    waiting.count += events.count
  }

  /// Returns the pending notification and clears it, or returns nil if none is pending or the interval has not passed.
  mutating func drain(now: Duration) -> Ring? {
    guard let next, next <= now else { return nil }
    defer { waiting = Ring(events: [], count: 0) }
    last = now
    return waiting
  }

  /// The uptime at which the next notification is due, zero if that is at once; nil if none is pending.
  var next: Duration? { waiting.count == 0 ? nil : last.map { $0 + Self.interval } ?? .zero }
}
