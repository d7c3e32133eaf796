import OddsHistory
import OddsModel

/// The rows of the current tab: their order, the selected row, and the rows on the screen.
struct MatchList: Sendable {
  enum Action {
    /// Another tab is open, whose matches are not known yet: a watch list, or a channel.
    case opened(watchList: Int?, pages: Pagination?)
    /// The user has changed the watch lists, or another one is current.
    case watchListsChanged(WatchLists)
    case channelUpdated(ChannelUpdate)
    /// The history has read opening prices.
    case openingsRead(OpeningBatch)
    /// Prices can be shown as live again.
    case trusted
    /// It is known again how old the prices are: there was a gap in them.
    case pricesKnown
    case settingsChanged
    case freeze, unfreeze
    /// A recording has jumped from that second to another.
    case jumped(from: Int)
    /// A frame is due. `isVisible` is false if an overlay covers the rows.
    case frameDue(isVisible: Bool)
    /// Only the rows that match a predicate are to be shown, or all rows.
    case show(only: (@Sendable (MatchRow) -> Bool)?)
    /// Pins or unpins the selected match, and moves the cursor to another row if `movesCursor` is true. Has no effect
    /// if there is no room for another pin.
    case togglePin(movesCursor: Bool)
    case resized(height: Int)
    case move(Movement)
    /// Moves the cursor to a line, or to the nearest valid one.
    case moveCursor(to: Int)
    /// Moves the cursor to the row at a position, and unfolds its group.
    case moveCursorToRow(Int)
    /// Moves the cursor to the next or previous row, past headings.
    case moveToRow(Int)
    /// Folds or unfolds the group at the cursor.
    case toggleFold
    /// Folds all groups or, if all are folded, unfolds them.
    case toggleAllFolds
    /// Scrolls the rows. The cursor stays on its row while that is visible.
    case scroll(by: Int)
    /// Requests the next page, or all matches.
    case requestPage(isLast: Bool)
    /// The cursor moves to the last row when the requested page is loaded.
    case moveToEndOfRequestedPage
    case pageLoaded, pageRefused
  }

  var rows: RowList
  /// The number of rows that fit on the screen.
  var height: Int
  /// The selected line.
  var cursor = 0
  /// The number of lines scrolled away, counted after the sticky rows.
  var top = 0
  /// True if the cursor stays on the first row, whichever match that is.
  var staysAtTop = true
  var watch: WatchLists
  /// True on the tab of a watch list, which shows the matches of that list only.
  private(set) var isWatchList = false
  /// The loaded part of the channel; nil if the channel has no pages.
  var pages: Pagination?
  var throttle: Throttle
  /// The changes that the frozen screen does not show; nil while it is not frozen.
  private(set) var frozenChanges: FrozenChanges?
  /// The second of feed time since which the rows have matched the feed without a gap.
  var trustedSince = 0
  var delay = ReorderDelay()
  /// The uptime at which a visible row changes by itself.
  private var rowDeadline: Duration?

  /// Creates the list of the first channel before it is open.
  init(_ settings: BoardSettings, watch: WatchLists, folds: GroupFolds = GroupFolds(), height: Int) {
    self.watch = watch
    rows = RowList(
      order: settings.order, settings.marginMethod, odds: settings.odds, pinned: watch.pins.matches)
    rows.trackMoves(settings.showsRecentMoves, knownSince: 0, second: 0)
    rows.fold(folds)
    rows.group(by: settings.grouping)
    throttle = Throttle(interval: settings.throttle)
    self.height = height
  }

  /// The pins of the current watch list.
  var pins: Pins { watch.pins }

  /// The uptime at which the rows change by themselves; nil if they do not.
  var nextDeadline: Duration? {
    if isFrozen { return rowDeadline }
    return [rowDeadline, rows.isUnsettled ? delay.end : nil, throttle.nextDeadline].compactMap(\.self).min()
  }

  mutating func reduce(_ action: Action, _ context: BoardContext) {
    let now = context.now
    switch action {
    case .opened(let watchList, let pages):
      isWatchList = watchList != nil
      if let watchList { watch.select(watchList) }
      self.pages = pages
      rows = rows.emptied
      rows.pinned = pins.matches
      throttle = Throttle(interval: throttle.interval)
      // The tab has not shown a screen to freeze.
      for batch in frozenChanges?.openings ?? [] { rows.apply(batch) }
      frozenChanges = nil
      cursor = 0
      top = 0
      staysAtTop = true
    case .watchListsChanged(let watch): use(watch)
    case .channelUpdated(let update): apply(update, context)
    case .openingsRead(let batch):
      if isFrozen { frozenChanges?.openings.append(batch) } else { change { $0.apply(batch) } }
    case .trusted:
      // A match left pending in the throttle, or not shown on a frozen screen, would show a price from before as live.
      if isFrozen { frozenChanges?.isOutdated = true } else { throttle(to: throttle.interval, context) }
    case .pricesKnown: markUnknown(until: context.second)
    case .settingsChanged:
      let settings = context.settings
      rows.trackMoves(settings.showsRecentMoves, knownSince: trustedSince, second: context.second)
      if settings.odds != rows.format { rows.write(settings.odds, now: now.uptime) }
      if settings.throttle != throttle.interval { throttle(to: settings.throttle, context) }
      if settings.grouping != rows.groups?.grouping ?? .off {
        change { $0.group(by: settings.grouping) }
        delay.orderChanged(now: now.uptime)
      }
      let hasOtherPrices = settings.order.isByFairPrice && settings.marginMethod != rows.marginMethod
      rows.marginMethod = settings.marginMethod
      if settings.order != rows.order || hasOtherPrices {
        change { $0.sort(by: settings.order) }
        delay.orderChanged(now: now.uptime)
      }
    case .freeze:
      var changes = FrozenChanges()
      // A match that waits in the throttle is not shown in its newest state either.
      changes.add(throttle.change(to: throttle.interval), removed: [])
      frozenChanges = changes
    case .unfreeze: unfreeze(context)
    case .jumped(let old):
      if context.second < old {
        rows.rewind(to: context.second, isKnown: context.second >= trustedSince)
        trustedSince = min(trustedSince, context.second)
      } else {
        markUnknown(until: context.second)
      }
    case .frameDue(let isVisible): frameDue(isVisible: isVisible, context)
    case .show(let predicate): show(only: predicate, now: now)
    case .togglePin(let movesCursor): togglePin(movesCursor: movesCursor, now: now)
    case .resized(let height):
      self.height = height
      scroll()
    case .move(let movement):
      if movement == .toFirst { top = 0 }
      moveCursor(to: movement.target(from: cursor, count: rows.lineCount), now: now)
    case .moveCursor(let line): moveCursor(to: line, now: now)
    case .moveCursorToRow(let position): moveCursor(toPosition: position, now: now)
    case .moveToRow(let step): moveToRow(step, now: now)
    case .toggleFold: toggleFold()
    case .toggleAllFolds: toggleAllFolds()
    case .scroll(let step): scroll(by: step, now: now)
    case .requestPage(let isLast): pages?.request(forAll: isLast)
    case .moveToEndOfRequestedPage: if pages?.requested != nil { pages?.movesToEnd = true }
    case .pageLoaded: pages?.loaded()
    case .pageRefused: pages?.refused()
    }
  }

  /// Applies changed matches, or stores them while the screen is frozen.
  private mutating func apply(_ update: ChannelUpdate, _ context: BoardContext) {
    guard isFrozen else { return show(update.changed, removed: update.removed, context) }
    frozenChanges?.add(update.changed, removed: update.removed)
  }

  private mutating func show(_ changed: [Match], removed: [MatchID], _ context: BoardContext) {
    let now = context.now.uptime
    for id in removed { throttle.forget(id) }
    let changed = throttle.offer(admitted(changed), now: now)
    change { rows in
      for id in removed { rows.remove(id) }
      rows.update(changed, now: now, second: context.second)
    }
    if context.connection.isLoaded { pages?.count(rows.total) }
  }

  /// Returns the matches that belong to the tab: a watch list's topic may still send released matches. On the tab of a
  /// channel, also updates the offers of pinned matches.
  private mutating func admitted(_ changed: [Match]) -> [Match] {
    if isWatchList { return changed.filter { pins.contains($0.id) } }
    if watch.isEmpty { return changed }
    for match in changed where watch.contains(match.id) {
      guard let market = match.mainMarket else { continue }
      let offers = PriceTriple(market).offers(among: market.outcomes)
      if !offers.isEmpty { watch.update(match.id, offers) }
    }
    return changed
  }

  /// Changes the throttle's interval. Pending matches are shown at once.
  private mutating func throttle(to interval: Duration, _ context: BoardContext) {
    let released = throttle.change(to: interval)
    change { $0.update(released, now: context.now.uptime, second: context.second) }
  }

  private mutating func unfreeze(_ context: BoardContext) {
    let changes = frozenChanges ?? FrozenChanges()
    frozenChanges = nil
    markUnknown(until: context.second)
    for batch in changes.openings { change { $0.apply(batch) } }
    // Nothing waits any longer, so that no price from before a loss of the connection is left.
    throttle(to: throttle.interval, context)
    let removed: [MatchID] = changes.matches.compactMap { $1 == nil ? $0 : nil }
    show(changes.matches.values.compactMap { $0 }, removed: removed, context)
  }

  /// Records that there was a gap in the prices until a second.
  private mutating func markUnknown(until second: Int) {
    trustedSince = second
    rows.favouriteMoves?.markUnknown(until: second)
  }

  /// Shows what is due.
  private mutating func frameDue(isVisible: Bool, _ context: BoardContext) {
    let now = context.now.uptime
    if !isFrozen {
      let released = throttle.release(now: now)
      if !released.isEmpty { change { $0.update(released, now: now, second: context.second) } }
      rows.refreshMoves(second: context.second)
      if rows.isUnsettled, delay.end <= now {
        change { $0.applyMoves() }
        delay.orderChanged(now: now)
      }
    }
    let visible = visible
    rowDeadline = nil
    for lines in isVisible ? [visible.sticky, visible.scrolled] : [] {
      for next in [rows.expire(lines, now: now), rows.expireHeadings(lines, now: now)].compactMap(\.self) {
        rowDeadline = min(rowDeadline ?? next, next)
      }
    }
  }
}
