import OddsFeed

/// The alerts: rules, the channel that they look at, and what they have told.
struct AlertStore: Sendable {
  /// How many rules can be added by hand.
  static let limit = 200

  private(set) var rules = AlertRules()
  private(set) var log = AlertLog()
  private var bell = NotificationCoalescer()
  private var lookout = AlertEngine()

  /// Takes in what the channel has become, all of it: hidden or held back from the screen or not.
  mutating func take(_ update: ChannelUpdate, at now: FrameTime) -> [AlertEvent] {
    note(lookout.take(update, &rules, at: now))
  }

  /// Takes in the match that is open, as its own topic has it; nil where none is, or its prices cannot be trusted.
  mutating func take(open match: Match?, at now: FrameTime) -> [AlertEvent] {
    note(lookout.take(open: match, &rules, at: now))
  }

  /// What is known of a match: all of it where it is open.
  func match(_ id: MatchID) -> Match? { lookout.match(id) }

  /// The channel is another one. What was told of its matches is not told again.
  mutating func leave() { lookout = AlertEngine() }

  /// What is due by now.
  mutating func tick(at now: FrameTime) -> [AlertEvent] {
    note(lookout.tick(&rules, at: now))
  }

  /// What is to be rung for now, if anything.
  mutating func ring(at now: Duration) -> NotificationCoalescer.Ring? { bell.take(at: now) }

  /// Uptime at which something is due.
  func nextStep(after now: FrameTime) -> Duration? {
    let alarm = nextAlarm.map { now.uptime + .milliseconds(max(0, $0 - now.wall)) }
    return [alarm, bell.next].compactMap { $0 }.min()
  }

  /// Adds a rule by hand; nil where there is such a one.
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

  /// How many matches rules have looked at so far.
  var looks: Int { lookout.looks }

  /// When a kick-off is due, in milliseconds since 1970.
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
