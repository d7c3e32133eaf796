import OddsModel

/// The rows of the current tab: their order, the selected row, and the rows on the screen.
struct MatchList: Sendable {
  private(set) var rows: RowList
  /// The number of rows that fit on the screen.
  var height: Int
  /// The position of the selected row.
  var cursor = 0
  /// The number of rows scrolled away, counted after the sticky rows.
  var top = 0
  /// True if the cursor stays on the first row, whichever match that is.
  var staysAtTop = true
  var pins = Pins()
  /// True on the watch list, which shows pinned matches only.
  private(set) var isWatchList = false
  /// The loaded part of the channel; nil if the channel has no pages.
  var pages: Pagination?
  private(set) var throttle: Throttle
  /// The changes since the screen was frozen: the newest state of each match, nil for a removed one. Nil while the
  /// screen is not frozen.
  private(set) var frozenChanges: [MatchID: Match?]?
  /// The number of changes not shown while the screen is frozen.
  private(set) var missedCount = 0
  /// The second of feed time since which the rows have matched the feed without a gap.
  var trustedSince = 0
  var delay = ReorderDelay()
  /// The uptime at which a visible row changes by itself.
  private var rowDeadline: Duration?

  init(_ settings: BoardSettings, height: Int) {
    rows = RowList(order: settings.order, odds: settings.odds)
    throttle = Throttle(interval: settings.throttle)
    self.height = height
  }

  var isFrozen: Bool { frozenChanges != nil }

  /// The selected row; nil if there are no rows.
  var selected: MatchRow? { cursor < rows.count ? rows[cursor] : nil }

  /// The uptime at which the rows change by themselves; nil if they do not.
  var nextDeadline: Duration? {
    if isFrozen { return rowDeadline }
    return [rowDeadline, rows.isUnsettled ? delay.end : nil, throttle.nextDeadline].compactMap(\.self).min()
  }

  // MARK: Content

  /// Applies that another tab is open, whose matches are not known yet. It starts unfrozen: it has not shown a screen to
  /// freeze.
  mutating func reset(isWatchList: Bool, pages: Pagination?) {
    self.isWatchList = isWatchList
    self.pages = pages
    rows = rows.emptied
    throttle = Throttle(interval: throttle.interval)
    frozenChanges = nil
    missedCount = 0
    (cursor, top, staysAtTop) = (0, 0, true)
  }

  mutating func restore(_ pins: Pins, _ settings: BoardSettings) {
    self.pins = pins
    rows = RowList(order: settings.order, odds: settings.odds, pinned: pins.matches)
  }

  /// Applies changed matches, or stores them while the screen is frozen.
  mutating func apply(_ update: ChannelUpdate, now: FrameTime, second: Int) {
    guard isFrozen else { return show(update.changed, removed: update.removed, now: now, second: second) }
    missedCount += update.changed.count + update.removed.count
    for match in update.changed { frozenChanges!.updateValue(match, forKey: match.id) }
    for id in update.removed { frozenChanges!.updateValue(nil, forKey: id) }
  }

  private mutating func show(_ changed: [Match], removed: [MatchID], now: FrameTime, second: Int) {
    for id in removed { throttle.forget(id) }
    let changed = admitted(changed).compactMap { throttle.offer($0, now: now.uptime) }
    change { rows in
      for id in removed { rows.remove(id) }
      rows.update(changed, now: now.uptime, second: second)
    }
  }

  /// Returns the matches that belong to the tab: the watch list's topic may still send released matches. Also updates
  /// the offers of pinned matches.
  private mutating func admitted(_ changed: [Match]) -> [Match] {
    if isWatchList { return changed.filter { pins.contains($0.id) } }
    if pins.isEmpty { return changed }
    for match in changed where pins.contains(match.id) {
      guard let market = match.mainMarket else { continue }
      let offers = PriceTriple(market).offers
      if !offers.isEmpty { pins.pin(match.id, offers) }
    }
    return changed
  }

  /// Applies that the prices can be trusted again. A match left pending in the throttle would show a price from before
  /// the lock as a live one.
  mutating func unlocked(now: FrameTime, second: Int) {
    if !isFrozen { throttle(to: throttle.interval, now: now, second: second) }
    trustedSince = second
  }

  /// Changes the throttle's interval. Pending matches are shown at once.
  mutating func throttle(to interval: Duration, now: FrameTime, second: Int) {
    let released = throttle.change(to: interval)
    change { $0.update(released, now: now.uptime, second: second) }
  }

  mutating func freeze() { frozenChanges = [:] }

  mutating func unfreeze(now: FrameTime, second: Int) {
    let changes = frozenChanges ?? [:]
    frozenChanges = nil
    missedCount = 0
    trustedSince = second
    show(
      changes.values.compactMap { $0 }, removed: changes.compactMap { $1 == nil ? $0 : nil }, now: now, second: second)
  }

  /// Removes the prices recorded for later seconds, after a jump back in a recording.
  mutating func rewind(to second: Int) {
    rows.rewind(to: second)
    trustedSince = min(trustedSince, second)
  }

  /// Shows what is due. `isVisible` is false if an overlay covers the rows.
  mutating func frameDue(isVisible: Bool, now: FrameTime, second: Int) {
    if !isFrozen {
      let released = throttle.release(now: now.uptime)
      if !released.isEmpty { change { $0.update(released, now: now.uptime, second: second) } }
      if rows.isUnsettled, delay.end <= now.uptime {
        change { $0.applyMoves() }
        delay.orderChanged(now: now.uptime)
      }
    }
    let visible = visible
    rowDeadline = nil
    for positions in isVisible ? [visible.sticky, visible.scrolled] : [] {
      if let next = rows.expire(positions, now: now.uptime) { rowDeadline = min(rowDeadline ?? next, next) }
    }
  }

  // MARK: Order

  /// Sorts the rows if their order is another one.
  mutating func sort(by order: RowOrder, now: FrameTime) {
    if order == rows.order { return }
    change { $0.sort(by: order) }
    delay.orderChanged(now: now.uptime)
  }

  mutating func write(_ format: OddsFormat, now: FrameTime) { rows.write(format, now: now.uptime) }

  /// Shows only the rows that match a predicate, or all rows. The cursor stays on its match or, if that is hidden, moves
  /// to the next visible one.
  mutating func show(only predicate: (@Sendable (MatchRow) -> Bool)?, now: FrameTime) {
    let rest = (min(cursor, rows.count)..<rows.count).map { rows[$0].id }
    let row = cursor - top
    change { $0.show(only: predicate) }
    delay.orderChanged(now: now.uptime)
    for id in rest {
      guard let position = rows.position(of: id) else { continue }
      (cursor, top) = (position, position - row)
      break
    }
    scroll()
  }

  /// Pins or releases the selected row, and moves the cursor to the next row, or from the last row to the one before.
  ///
  /// - Returns: False if there is no room for another pin.
  mutating func togglePin(now: FrameTime) -> Bool {
    guard let row = selected else { return true }
    let isPinned = pins.contains(row.id)
    if isPinned {
      pins.release(row.id)
    } else if !pins.pin(row.id, row.prices.offers) {
      return false
    }
    moveCursor(to: cursor + (cursor + 1 < rows.count ? 1 : -1), now: now)
    let isWatchList = isWatchList
    change { rows in
      rows.pin(row.id, !isPinned)
      if isWatchList { rows.remove(row.id) }
    }
    return true
  }

  /// Changes the rows. The cursor stays on its match, or at the top if it was put there. The scrolled rows keep their
  /// place on the screen as far as possible.
  private mutating func change(_ change: (inout RowList) -> Void) {
    let chosen = !staysAtTop && cursor < rows.count ? rows[cursor].id : nil
    let first = cursor < stickyCount ? top + stickyCount : cursor
    let anchor = cursor + top > 0 && first < rows.count ? rows[first].id : nil
    change(&rows)
    if let anchor, let position = rows.position(of: anchor) { top += position - first }
    if let chosen, let position = rows.position(of: chosen) { cursor = position }
    scroll()
  }
}

extension PriceTriple {
  fileprivate var offers: [OfferID] { [first, middle, last].compactMap(\.offer) }
}
