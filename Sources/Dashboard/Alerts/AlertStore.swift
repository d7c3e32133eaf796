import Localization
import OddsModel
import TerminalCore

/// The alert rules, their evaluation against the channel, and the log of alerts.
struct AlertStore: Sendable {
  enum Action {
    case add(AlertRule)
    /// The user deletes a rule, or toggles its silence if it belongs to the configuration.
    case remove(id: Int)
    case settingsChanged
    case channelUpdated(ChannelUpdate)
    /// The open match changed on its own topic. Nil if no match is open or its prices cannot be trusted.
    case openMatchUpdated(Match?)
    /// The channel was closed. Alerts that have been raised for its matches are not repeated.
    case channelClosed
    /// The history has read the prices that were requested.
    case historyRead([AlertHistoryAnswer])
    case frameDue
    /// The user sees the log.
    case read
  }

  /// An entry of the alert pane.
  enum Entry {
    case rule(ActiveRule)
    case event(AlertEvent)
  }

  /// The maximum number of rules that can be added by hand.
  static let limit = 200

  private(set) var rules: AlertRules
  private(set) var log = AlertLog()
  var notifications = NotificationCoalescer()
  private(set) var engine = AlertEngine()

  init(_ configured: [AlertRule] = [], readsHistory: Bool = false) {
    rules = AlertRules(readsHistory: readsHistory)
    rules.configure(configured)
  }

  mutating func reduce(_ action: Action, _ context: BoardContext) -> [Effect] {
    let now = context.now
    switch action {
    case .add(let rule):
      if rules.active.count(where: { !$0.isConfigured }) >= Self.limit {
        return [.warning(.alertTooMany, Self.limit, context.settings.keys.name(of: .alerts, context.words))]
      }
      guard let events = add(rule, now: now) else { return [.note(.alertDuplicate, rule.text)] }
      return [.note(.alertAdded, rule.text)] + announce(events, context)
    case .remove(let id):
      guard let old = rules.active.first(where: { $0.id == id }) else { return [] }
      let toggled: MessageKey = old.isSilenced ? .alertUnmuted : .alertMuted
      let note = Effect.note(old.isConfigured ? toggled : .alertDeleted, old.rule.text)
      return [note] + announce(remove(id, now: now), context)
    case .settingsChanged: return announce(configure(context.settings.alerts, now: now), context)
    case .channelUpdated(let update): return announce(apply(update, now: now), context)
    case .openMatchUpdated(let match): return announce(apply(open: match, now: now), context)
    case .frameDue: return announce(tick(now: now), context)
    case .channelClosed: engine = AlertEngine()
    case .historyRead(let answers): return announce(apply(answers, now: now), context)
    case .read: log.markRead()
    }
    return []
  }

  /// Applies a channel update, including matches that the screen hides or a throttle delays.
  mutating func apply(_ update: ChannelUpdate, now: FrameTime) -> [AlertEvent] {
    record(engine.apply(update, &rules, now: now))
  }

  /// Applies a state of the open match. `match` is nil if no match is open or its prices cannot be trusted.
  mutating func apply(open match: Match?, now: FrameTime) -> [AlertEvent] {
    record(engine.apply(open: match, &rules, now: now))
  }

  /// Applies recorded prices and returns the alerts raised.
  mutating func apply(_ answers: [AlertHistoryAnswer], now: FrameTime) -> [AlertEvent] {
    record(engine.apply(answers, &rules, now: now))
  }

  /// Returns the requests for recorded prices since the last call.
  mutating func drainRequests() -> [AlertHistoryRequest] { engine.drainRequests() }

  /// Returns the alerts that are due.
  mutating func tick(now: FrameTime) -> [AlertEvent] { record(engine.tick(&rules, now: now)) }

  /// Adds a rule by hand. Returns nil if an equal rule is already in force.
  mutating func add(_ rule: AlertRule, now: FrameTime) -> [AlertEvent]? { rules.add(rule) ? review(now: now) : nil }

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

  /// Returns the effects that show the alerts and, when due, those of the bell and the desktop notification.
  private mutating func announce(_ events: [AlertEvent], _ context: BoardContext) -> [Effect] {
    var effects: [Effect] = []
    func sentence(_ event: AlertEvent) -> String {
      context.changeFormatter.sentence(of: event, now: context.now).cleaned
    }
    if let first = events.first {
      let text: LocalizedMessage =
        events.count == 1 ? .verbatim(sentence(first)) : LocalizedMessage(.alertMany, events.count, sentence(first))
      effects.append(.show(StatusMessage(text, isWarning: true)))
      effects.append(.deliver(reports(of: events, context.changeFormatter, now: context.now)))
    }
    let requests = drainRequests()
    if !requests.isEmpty { effects.append(.readAlertHistory(requests)) }
    guard let ring = notifications.drain(now: context.now.uptime) else { return effects }
    if context.settings.alertBell { effects.append(.terminal(.bell)) }
    if context.settings.alertNotify {
      let body = context.words.text(ring.events.map { .verbatim(sentence($0)) }, joinedBy: .joinedClauses)
      effects.append(.terminal(.notify(title: context.words(.alertTitle, ring.count), body: body)))
    }
    return effects
  }

  /// Returns new alerts as texts. The rules that raised them are still in force.
  func reports(of events: [AlertEvent], _ formatter: ChangeFormatter, now: FrameTime) -> [AlertReport] {
    events.map { event in
      let rule = rules.active.first { $0.id == event.rule }?.rule.text ?? ""
      return AlertReport(event, rule: rule, formatter, now: now)
    }
  }

  /// Returns the uptime at which the next alarm or notification is due; nil if there is none.
  func nextDeadline(after now: FrameTime) -> Duration? {
    [engine.nextDeadline(after: now), notifications.next].compactMap { $0 }.min()
  }

  /// Returns the entry at an index: the rules come first, then the log.
  func entry(_ index: Int) -> Entry? {
    let event = index - rules.active.count
    if event < 0 { return .rule(rules.active[index]) }
    return event < log.events.count ? .event(log.events[event]) : nil
  }

  /// Returns the index of the entry of an alert.
  func index(of event: AlertEvent) -> Int? {
    log.events.firstIndex { $0.isSame(as: event) }.map { rules.active.count + $0 }
  }
}

extension AlertStore.Entry {
  /// The match that the entry is about; nil for a rule on more than one match.
  var match: MatchID? {
    switch self {
    case .event(let event): event.match
    case .rule(let active): if case .match(let id, _) = active.rule.scope { id } else { nil }
    }
  }
}
