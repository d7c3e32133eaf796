import OddsFeed

/// The alert rules, their evaluation against the channel, and the log of alerts.
struct AlertStore: Sendable {
  /// The maximum number of rules that can be added by hand.
  static let limit = 200

  private(set) var rules = AlertRules()
  private(set) var log = AlertLog()
  private var bell = NotificationCoalescer()
  private var lookout = AlertEngine()

  /// Creates a store with the rules of the configuration.
  init(_ configured: [AlertRule] = []) { rules.configure(configured) }

  /// Applies a channel update, including matches that the screen hides or a throttle delays.
  mutating func apply(_ update: ChannelUpdate, at now: FrameTime) -> [AlertEvent] {
    note(lookout.apply(update, &rules, at: now))
  }

  /// Applies the state of the open match from its own topic. `match` is nil if no match is open or its prices cannot be
  /// trusted.
  mutating func apply(open match: Match?, at now: FrameTime) -> [AlertEvent] {
    note(lookout.apply(open: match, &rules, at: now))
  }

  /// Returns the match, with all its markets if it is open.
  func match(_ id: MatchID) -> Match? { lookout.match(id) }

  /// Discards the matches after a change of channel. Alerts that have been raised for them are not repeated.
  mutating func leave() { lookout = AlertEngine() }

  /// Returns the kick-off alerts that are due.
  mutating func tick(at now: FrameTime) -> [AlertEvent] {
    note(lookout.tick(&rules, at: now))
  }

  /// Returns the bell or notification that is due, if any.
  mutating func ring(at now: Duration) -> NotificationCoalescer.Ring? { bell.drain(at: now) }

  /// The uptime at which the next alarm or notification is due.
  func nextDeadline(after now: FrameTime) -> Duration? {
    let alarm = nextAlarm.map { now.uptime + .milliseconds(max(0, $0 - now.wall)) }
    return [alarm, bell.next].compactMap { $0 }.min()
  }

  /// Adds a rule by hand. Returns nil if an equal rule is already in force.
  mutating func add(_ rule: AlertRule, at now: FrameTime) -> [AlertEvent]? {
    rules.add(rule) ? review(at: now) : nil
  }

  var isFull: Bool { rules.watches.count { !$0.isConfigured } >= Self.limit }

  mutating func remove(_ id: Int, at now: FrameTime) -> [AlertEvent] {
    rules.remove(id)
    return review(at: now)
  }

  mutating func configure(_ configured: [AlertRule], at now: FrameTime) -> [AlertEvent] {
    if configured == rules.watches.filter(\.isConfigured).map(\.rule) { return [] }
    rules.configure(configured)
    return review(at: now)
  }

  mutating func markRead() { log.markRead() }

  /// The number of evaluations of a match so far.
  var looks: Int { lookout.looks }

  /// The time of the next kick-off alarm, in milliseconds since 1970.
  var nextAlarm: Int64? { lookout.nextAlarm }

  private mutating func review(at now: FrameTime) -> [AlertEvent] {
    note(lookout.review(&rules, at: now))
  }

  private mutating func note(_ news: [AlertEvent]) -> [AlertEvent] {
    if news.isEmpty { return news }
    for news in news { log.add(news) }
    bell.add(news)
    return news
  }
}
