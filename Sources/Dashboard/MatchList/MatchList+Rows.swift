import OddsModel

// The changes of the rows by the user: what is shown, pinned and folded.
extension MatchList {
  /// Shows only the rows that match a predicate, or all rows. The cursor stays on its match or, if that is hidden,
  /// moves to the next visible one.
  mutating func show(only predicate: (@Sendable (MatchRow) -> Bool)?, now: FrameTime) {
    let rest = (min(cursor, rows.lineCount)..<rows.lineCount).map { rows.identity(ofLine: $0) }
    let row = cursor - top
    change { $0.show(only: predicate) }
    delay.orderChanged(now: now.uptime)
    for identity in rest {
      guard let line = rows.line(of: identity) else { continue }
      cursor = line
      top = line - row
      break
    }
    scroll()
    if cursor > 0 { staysAtTop = false }
  }

  /// Pins or releases the selected row. If `movesCursor` is true, moves the cursor to the next line, or from the last
  /// line to the one before. Has no effect if there is no room for another pin.
  mutating func togglePin(movesCursor: Bool, now: FrameTime) {
    guard let row = selected else { return }
    let result = watch.toggle(row.id, row.offers, in: watch.current)
    if result == .full { return }
    if movesCursor { moveCursor(to: cursor + (cursor + 1 < rows.lineCount ? 1 : -1), now: now) }
    let isWatchList = isWatchList
    // A pending change would bring the row back.
    if isWatchList { throttle.forget(row.id) }
    change { rows in
      rows.pin(row.id, result == .pinned)
      if isWatchList { rows.remove(row.id) }
    }
  }

  /// Folds or unfolds the group at the cursor. The cursor goes to the heading of a group that is folded.
  mutating func toggleFold() {
    guard let key = rows.group(atLine: cursor) else { return }
    var folds = rows.folds
    folds.set(key, isFolded: !folds.contains(key))
    change { $0.fold(folds) }
  }

  mutating func toggleAllFolds() {
    guard let groups = rows.groups else { return }
    var folds = GroupFolds()
    folds.foldsAll = groups.shown.contains { !groups[$0.group].isFolded }
    change { $0.fold(folds) }
  }

  /// Replaces the watch lists. The matches of the current one are pinned.
  mutating func use(_ new: WatchLists) {
    let old = pins.matches
    watch = new
    let changed = old.symmetricDifference(pins.matches)
    if changed.isEmpty { return }
    let (pins, isWatchList) = (pins, isWatchList)
    if isWatchList { for id in changed { throttle.forget(id) } }
    change { rows in
      for id in changed {
        let isPinned = pins.contains(id)
        rows.pin(id, isPinned)
        if isWatchList, !isPinned { rows.remove(id) }
      }
    }
  }

  /// Changes the rows. The cursor stays on its match, or at the top if it was put there. The scrolled rows keep their
  /// place on the screen as far as possible.
  mutating func change(_ change: (inout RowList) -> Void) {
    let count = rows.lineCount
    let chosen = !staysAtTop && cursor < count ? rows.identity(ofLine: cursor) : nil
    let first = cursor < stickyCount ? top + stickyCount : cursor
    let anchor = cursor + top > 0 && first < count ? rows.identity(ofLine: first) : nil
    change(&rows)
    if let anchor, let line = rows.line(of: anchor) { top += line - first }
    if let chosen, let line = rows.line(of: chosen) { cursor = line }
    scroll()
  }
}
