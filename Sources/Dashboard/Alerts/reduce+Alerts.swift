import Localization
import OddsModel
import TerminalCore

extension BoardState {
  /// The formatter for sentences on changes.
  var changeWords: ChangeFormatter { ChangeFormatter(words: words, odds: settings.odds) }

  /// Adds a rule by hand and reports the result in the footer.
  mutating func addAlert(_ rule: AlertRule, now: FrameTime) -> [Effect] {
    if alerts.isFull {
      show(StatusMessage(LocalizedMessage(.alertTooMany, AlertStore.limit), isWarning: true), now: now)
      return []
    }
    guard let events = alerts.add(rule, now: now) else {
      show(StatusMessage(LocalizedMessage(.alertKnown, rule.text)), now: now)
      return []
    }
    show(StatusMessage(LocalizedMessage(.alertAdded, rule.text)), now: now)
    return announce(events, now: now)
  }

  /// Applies a channel update to the alerts, including changes that are not shown.
  mutating func watch(_ update: ChannelUpdate, now: FrameTime) -> [Effect] {
    changeAlerts(now: now) { $0.apply(update, now: now) }
  }

  /// Evaluates the rules that name an outcome against the open match, as its own topic carries it.
  mutating func watchOpenMatch(now: FrameTime) -> [Effect] {
    let open = detail.flatMap { $0.isOwn && !$0.isGone && $0.isTrusted ? $0.newest : nil }
    return changeAlerts(now: now) { $0.apply(open: open, now: now) }
  }

  /// Applies the alert rules of the configuration.
  mutating func configureAlerts(now: FrameTime) -> [Effect] {
    announce(alerts.configure(settings.alerts, now: now), now: now)
  }

  /// Raises the alerts that are due.
  mutating func tickAlerts(now: FrameTime) -> [Effect] { changeAlerts(now: now) { $0.tick(now: now) } }

  private mutating func changeAlerts(now: FrameTime, _ change: (inout AlertStore) -> [AlertEvent]) -> [Effect] {
    let chosen = chosenAlert
    let events = change(&alerts)
    restoreSelection(chosen, now: now)
    return announce(events, now: now)
  }

  /// Shows alerts in the footer at once, and requests the bell and the desktop notification when they are due.
  private mutating func announce(_ events: [AlertEvent], now: FrameTime) -> [Effect] {
    if let first = events.first {
      let sentence = changeWords.sentence(of: first, now: now).cleaned
      show(
        StatusMessage(
          events.count == 1 ? .verbatim(sentence) : LocalizedMessage(.alertMany, events.count, sentence),
          isWarning: true),
        now: now)
    }
    if isAlertsOpen { alerts.log.markRead() }
    guard let ring = alerts.notifications.drain(now: now.uptime) else { return [] }
    var effects: [Effect] = settings.alertBell ? [.terminal(.bell)] : []
    if settings.alertNotify {
      let sentences = ring.events.map { LocalizedMessage.verbatim(changeWords.sentence(of: $0, now: now).cleaned) }
      let body = words.text(sentences, joinedBy: .joinedClauses)
      effects.append(.terminal(.notify(title: words(.alertTitle, ring.count), body: body)))
    }
    return effects
  }

  // MARK: The pane

  private var isAlertsOpen: Bool { overlay?.content == .alerts }

  mutating func toggleAlerts() { if toggle(.alerts) { alerts.log.markRead() } }

  private enum ChosenAlert {
    case rule(Int)
    case event(AlertEvent)
  }

  /// The entry at the cursor of the pane.
  private var chosenAlert: ChosenAlert? {
    guard isAlertsOpen, let index = overlay?.selected else { return nil }
    let active = alerts.rules.active
    if index < active.count { return .rule(active[index].id) }
    let events = alerts.log.events
    return index - active.count < events.count ? .event(events[index - active.count]) : nil
  }

  /// Keeps the cursor on the same alert after new alerts are inserted above it.
  private mutating func restoreSelection(_ chosen: ChosenAlert?, now: FrameTime) {
    guard case .event(let event) = chosen, let index = alerts.log.events.firstIndex(where: { $0.isSame(as: event) }),
      let overlay
    else { return }
    let moved = alerts.rules.active.count + index - overlay.selected
    if moved != 0 { moveInOverlay(.by(moved), now: now) }
  }

  /// Handles a key that is specific to the pane. Returns nil for all other keys.
  mutating func pressInAlerts(_ key: Key, now: FrameTime) -> [Effect]? {
    guard isAlertsOpen, key == .character("d") || key == .delete else { return nil }
    return removeAlert(now: now)
  }

  /// Deletes the selected rule, or toggles its silence if it belongs to the configuration.
  private mutating func removeAlert(now: FrameTime) -> [Effect] {
    guard case .rule(let id) = chosenAlert, let watch = alerts.rules.active.first(where: { $0.id == id }) else {
      return []
    }
    let events = alerts.remove(id, now: now)
    let phrase: MessageKey = !watch.isConfigured ? .alertDeleted : watch.isSilenced ? .alertSpeaks : .alertIsSilent
    show(StatusMessage(LocalizedMessage(phrase, watch.rule.text)), now: now)
    moveInOverlay(.by(0), now: now)
    return announce(events, now: now)
  }

  /// Closes the pane and moves the cursor to the match of the selected entry.
  mutating func jumpToAlert(now: FrameTime) {
    let match: MatchID? =
      switch chosenAlert {
      case .event(let event): event.match
      case .rule(let id): alerts.rules.active.first { $0.id == id }?.rule.match
      case nil: nil
      }
    guard let match else { return }
    guard let position = list.rows.position(of: match) else {
      show(StatusMessage(LocalizedMessage(.alertMatchElsewhere), isWarning: true), now: now)
      return
    }
    overlay = nil
    list.moveCursor(to: position, now: now)
  }
}

extension AlertRule {
  fileprivate var match: MatchID? { if case .match(let id, _) = scope { id } else { nil } }
}
