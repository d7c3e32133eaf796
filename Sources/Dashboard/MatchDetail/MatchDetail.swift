import Localization
import OddsFeed
import OddsHistory
import OddsModel
import TerminalCore

/// The open match, and the price histories of the matches that are or were open.
struct MatchDetail: Sendable {
  enum Action {
    case open(MatchID, of: Topic)
    /// Opens a match of the history, which has no markets yet.
    case openPast(Match)
    /// The history has read the open match as it was last known; nil if it does not have the match any more.
    case pastMatchRead(MatchID, Result<LastKnownMatch?, HistoryError>)
    case close
    /// The match is open. `known` is the match as its channel has it. `row` is its row in the list, if the prices there
    /// are known without a gap since the second `trustedSince`.
    case opened(MatchID, known: Match?, hasTopic: Bool, row: MatchRow?, trustedSince: Int)
    case channelUpdated(ChannelUpdate)
    /// The match changed on its own topic.
    case matchUpdated(ChannelUpdate)
    case move(Movement)
    case choose(OutcomeKey)
    /// Marks the selected outcome for a dutch bet, or removes its mark.
    case toggleMark
    /// Opens the bet calculator; nil closes it.
    case calculate(BetTicket?)
    /// The time cursor of the chart moves by a column, or is removed.
    case moveCursor(by: Int)
    case removeCursor
    case setFrame(ChartFrame)
    /// The history has read the prices of an outcome.
    case pricesRead(RecordedPrices)
    case settingsChanged
    case unfrozen
    case resized
    /// A recording has jumped from that second to another.
    case jumped(from: Int)
    case frameDue
  }

  private(set) var pane: DetailPane?
  private(set) var histories = PriceHistories()
  /// The time frame of the chart, kept from one match to the next.
  private(set) var frame = ChartFrame.all
  private(set) var recording = DetailRecording()
  /// The input of the bet calculator, kept from one match to the next. Nil if the calculator is closed.
  private(set) var ticket: BetTicket?
  /// The last input of the bet calculator.
  private(set) var lastTicket: BetTicket?

  mutating func reduce(_ action: Action, _ context: BoardContext) -> [Effect] {
    let effects = apply(action, context)
    if !context.readsHistory { return effects }
    defer { recording.update(pane, histories) }
    let second = pane.flatMap { $0.isFromHistory ? $0.second : nil } ?? context.second
    return effects + (recording.request(for: pane, frame, second: second).map { [$0] } ?? [])
  }

  private mutating func apply(_ action: Action, _ context: BoardContext) -> [Effect] {
    switch action {
    case .open(let id, let topic):
      markUnknown(context)
      pane = DetailPane(id, throttle: context.settings.throttle, second: context.second, now: context.now)
      histories.begin(id)
      return [.openMatch(id, of: topic)]
    case .openPast(let match):
      markUnknown(context)
      pane = DetailPane(
        match.id, isFromHistory: true, throttle: context.settings.throttle, second: context.second, now: context.now)
      _ = pane?.show(match, context.settings.odds, now: context.now.uptime)
      ticket = nil
      histories.begin(match.id)
      return [.closeMatch, .readPastMatch(match.id)]
    case .pastMatchRead(let id, let result): return show(result, of: id, context)
    case .close:
      if pane == nil { return [] }
      markUnknown(context)
      pane = nil
      return [.closeMatch]
    case .opened(let id, let known, let hasTopic, let row, let trustedSince):
      guard pane?.id == id, pane?.isFromHistory == false else { return [] }
      pane?.hasTopic = hasTopic
      guard let known else { return [] }
      if let row { histories.seed(known, from: row, since: trustedSince) }
      apply(known, isOwn: false, context)
      // The row's prices end here if the match has been closed.
      if pane?.isRecorded == false { markUnknown(context) }
    case .channelUpdated(let update): apply(channel: update, context)
    case .matchUpdated(let update): apply(own: update, context)
    case .move(let movement):
      let height = height(context.size)
      pane?.move(movement, lines: height)
    case .choose(let key): pane?.chosen = key
    case .toggleMark: return pane?.toggleMark() == true ? [.note(.calculatorMarksMoved)] : []
    case .calculate(let ticket):
      self.ticket = ticket
      if let ticket { lastTicket = ticket }
      scroll(context)
      if ticket != nil, layout(context.size)?.calculator.isEmpty == true { return [.warning(.calculatorNoRoom)] }
    case .moveCursor(let step):
      guard let window = chartWindow(context.size) else { return [.note(.chartNone)] }
      pane?.moveCursor(by: step, in: window)
    case .removeCursor: pane?.removeCursor()
    case .setFrame(let frame):
      if chartWindow(context.size) == nil { return [.note(.chartNone)] }
      self.frame = frame
    case .pricesRead(let prices): recording.received(prices, for: pane)
    case .settingsChanged:
      guard let interval = pane?.throttle.interval, interval != context.settings.throttle else { return [] }
      for match in pane?.throttle.change(to: context.settings.throttle) ?? [] where !context.isFrozen {
        show(match, context)
      }
    case .unfrozen:
      pane?.isOutdated = false
      showNewest(context)
    case .resized:
      scroll(context)
      // Esc would remove a cursor that is not on the screen.
      if chartWindow(context.size) == nil { pane?.removeCursor() }
    case .jumped(let old):
      // The prices of seconds that were skipped are unknown.
      if context.second < old { histories.rewind(to: context.second) } else { histories.markAllUnknown(at: old) }
      pane?.isTrusted = false
      pane?.isRecorded = false
      pane?.removeCursor()
      recording.clear()
    case .frameDue:
      if context.isFrozen { return [] }
      for match in pane?.throttle.release(now: context.now.uptime) ?? [] { show(match, context) }
      if pane?.isFromHistory == false { pane?.second = context.second }
    }
    return []
  }

  /// Marks the prices of the open match as unknown, because they are not observed after it is closed.
  private mutating func markUnknown(_ context: BoardContext) {
    if let pane { histories.markUnknown(pane.id, at: context.second) }
  }

  /// Applies a channel update. The match as the channel carries it is shown until its own topic delivers it.
  private mutating func apply(channel update: ChannelUpdate, _ context: BoardContext) {
    guard let id = pane?.id, pane?.isOwn == false, pane?.isFromHistory == false else { return }
    let match = update.changed.first { $0.id == id }
    // NB: The channel can also remove the match before it is known whether that has a topic.
    if match != nil { pane?.hasLeftChannel = false } else if update.removed.contains(id) { pane?.hasLeftChannel = true }
    guard let hasTopic = pane?.hasTopic else { return }
    // A match that its own topic does not have is gone, even if the channel still carries it.
    if hasTopic, pane?.isGone == true { return }
    if let match {
      apply(match, isOwn: false, context)
    } else if updateTrust(context) {
      showNewest(context)
    }
    if !hasTopic, update.removed.contains(id) { markGone(context) }
  }

  private mutating func apply(own update: ChannelUpdate, _ context: BoardContext) {
    guard let id = pane?.id, pane?.isFromHistory == false else { return }
    var freshness = update.freshness
    // NB: the REST interface, which replaces the stream when that is down, only has one market of the match. The
    // channel carries that market, too. So the prices on the screen are those of the stream from before.
    if update.source != .stream { freshness = freshness.worse(Freshness(.locked, since: freshness.since)) }
    pane?.subscription = DetailPane.Subscription(topic: update.topic, freshness: freshness)
    if let match = update.changed.first(where: { $0.id == id }) {
      pane?.interimChange = .changed(match)
    } else if update.removed.contains(id) {
      pane?.interimChange = .removed
    }
    guard update.source == .stream else {
      if updateTrust(context) { showNewest(context) }
      return
    }
    switch pane?.interimChange.take() {
    case .changed(let match): apply(match, isOwn: true, context)
    case .removed: markGone(context)
    case nil where update.isLoaded && pane?.isOwn == false: markGone(context)
    case nil: if updateTrust(context) { showNewest(context) }
    }
    // A notice takes a row of the list.
    scroll(context)
  }

  /// Shows the open match of the history. If it cannot be read, closes it and reports the reason.
  private mutating func show(
    _ result: Result<LastKnownMatch?, HistoryError>, of id: MatchID, _ context: BoardContext
  ) -> [Effect] {
    guard pane?.id == id, pane?.isFromHistory == true else { return [] }
    switch result {
    case .success(let known?):
      pane?.show(known, context.settings.odds, now: context.now.uptime)
      scroll(context)
      return []
    case .success(nil):
      let name = pane?.match?.name ?? ""
      pane = nil
      return [.warning(.historyNoneFound, name)]
    case .failure(let error):
      pane = nil
      return [.warning(.historyUnread, error.sentence)]
    }
  }

  private mutating func apply(_ match: Match, isOwn: Bool, _ context: BoardContext) {
    let isFirst = isOwn && pane?.isOwn == false
    guard let changes = pane?.apply(match, isOwn: isOwn) else { return }
    // All markets of a match that has just been opened, and a match that is live again, do not wait.
    if updateTrust(context) || isFirst { pane?.throttle.forget(match.id) }
    if pane?.isRecorded == true { histories.record(changes, of: match.id, at: context.second) }
    // A match that has just been opened is shown on a frozen screen, too.
    guard !context.isFrozen || pane?.match == nil else { return }
    if let shown = pane?.throttle.offer(match, now: context.now.uptime) { show(shown, context) }
  }

  private mutating func markGone(_ context: BoardContext) {
    if let id = pane?.id, pane?.isGone == false {
      showNewest(context)
      pane?.throttle.forget(id)
    }
    pane?.isGone = true
    updateTrust(context)
  }

  /// Updates whether prices can be trusted and recorded. If they can no longer be recorded, ends the histories; if they
  /// can again, resumes them with current prices.
  ///
  /// - Returns: True if the prices can be shown as live again.
  @discardableResult
  private mutating func updateTrust(_ context: BoardContext) -> Bool {
    guard let pane else { return false }
    let isLive = pane.isLive(context.connection)
    let isLiveAgain = isLive && !pane.wasLive
    self.pane?.wasLive = isLive
    if isLiveAgain, context.isFrozen, pane.match != nil { self.pane?.isOutdated = true }
    updateRecording(isTrusted: pane.isCharted(context.connection), context)
    return isLiveAgain
  }

  private mutating func updateRecording(isTrusted: Bool, _ context: BoardContext) {
    guard let id = pane?.id else { return }
    pane?.isTrusted = isTrusted
    let isRecorded = isTrusted && pane?.newest?.tradingStatus.isTrusted ?? true
    if isRecorded == pane?.isRecorded { return }
    pane?.isRecorded = isRecorded
    if !isRecorded {
      histories.markUnknown(id, at: context.second)
    } else if let match = pane?.newest {
      histories.record(OutcomeChange.all(from: nil, to: match), of: id, at: context.second)
    }
  }

  /// Shows the newest state, which the throttle or a frozen screen may have held back.
  private mutating func showNewest(_ context: BoardContext) {
    guard !context.isFrozen, let newest = pane?.newest else { return }
    pane?.throttle.forget(newest.id)
    if let shown = pane?.throttle.offer(newest, now: context.now.uptime) { show(shown, context) }
  }

  private mutating func show(_ match: Match, _ context: BoardContext) {
    pane?.second = context.second
    let isOther = pane?.show(match, context.settings.odds, now: context.now.uptime) ?? false
    // NB: the channel may carry only a part of the match.
    if isOther, let pane, pane.isOwn { histories.retain(only: pane.list.keySet, of: match.id) }
    scroll(context)
  }

  private mutating func scroll(_ context: BoardContext) {
    let height = height(context.size)
    pane?.scroll(lines: height)
  }
}
