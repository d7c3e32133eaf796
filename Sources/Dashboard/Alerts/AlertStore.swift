import OddsModel

/// The alert rules, their evaluation against the channel, and the log of alerts.
struct AlertStore: Sendable {
  /// The maximum number of rules that can be added by hand.
  static let limit = 200

  private(set) var rules = AlertRules()
  var log = AlertLog()
  var notifications = NotificationCoalescer()
  private(set) var engine = AlertEngine()

  /// Creates a store with the rules of the configuration.
  init(_ configured: [AlertRule] = []) { rules.configure(configured) }

  /// Applies a channel update, including matches that the screen hides or a throttle delays.
  mutating func apply(_ update: ChannelUpdate, now: FrameTime) -> [AlertEvent] {
    record(engine.apply(update, &rules, now: now))
  }

  /// Applies the state of the open match from its own topic. `match` is nil if no match is open or its prices cannot be
  /// trusted.
  mutating func apply(open match: Match?, now: FrameTime) -> [AlertEvent] {
    record(engine.apply(open: match, &rules, now: now))
  }

  /// Discards the matches after a change of channel. Alerts that have been raised for them are not repeated.
  mutating func leave() { engine = AlertEngine() }

  /// Returns the kick-off alerts that are due.
  mutating func tick(now: FrameTime) -> [AlertEvent] { record(engine.tick(&rules, now: now)) }

  /// The uptime at which the next alarm or notification is due.
  func nextDeadline(after now: FrameTime) -> Duration? {
    let alarm = engine.nextAlarm.map { now.uptime + .milliseconds(max(0, $0 - now.wall)) }
    return [alarm, notifications.next].compactMap { $0 }.min()
  }

  /// Adds a rule by hand. Returns nil if an equal rule is already in force.
  mutating func add(_ rule: AlertRule, now: FrameTime) -> [AlertEvent]? {
    rules.add(rule) ? review(now: now) : nil
  }

  var isFull: Bool { rules.active.count { !$0.isConfigured } >= Self.limit }

  mutating func remove(_ id: Int, now: FrameTime) -> [AlertEvent] {
    rules.remove(id)
    return review(now: now)
  }

  mutating func configure(_ configured: [AlertRule], now: FrameTime) -> [AlertEvent] {
    if configured == rules.active.filter(\.isConfigured).map(\.rule) { return [] }
    rules.configure(configured)
    return review(now: now)
  }

  private mutating func review(now: FrameTime) -> [AlertEvent] { record(engine.review(&rules, now: now)) }

  private mutating func record(_ events: [AlertEvent]) -> [AlertEvent] {
    for event in events { log.add(event) }
    notifications.add(events)
    return events
  }
}
