import OddsModel

/// The delay before rows move to their new ranks: none for a user's command; otherwise rows wait while the cursor
/// moves, and between two changes of the order.
struct ReorderDelay: Hashable, Sendable {
  /// The time for which rows stay after the cursor has moved.
  static let rest = Duration.seconds(2)
  /// The least time between two changes of the order.
  static let interval = Duration.seconds(1)

  /// The uptime at which rows can move.
  private(set) var end = Duration.zero

  mutating func cursorMoved(now: Duration) { end = max(end, now + Self.rest) }
  mutating func orderChanged(now: Duration) { end = max(end, now + Self.interval) }
}

// The selected row, and the rows on the screen.
extension MatchList {
  /// The number of first rows that stay on the screen while the others scroll: the pinned rows, or zero if they would
  /// fill more than half of the screen.
  var stickyCount: Int {
    let pinned = rows.pinnedCount
    // A fast path: called for each row of each frame.
    if pinned == 0 { return 0 }
    return pinned <= height / 2 ? pinned : 0
  }

  /// The positions of the rows on the screen: the sticky rows, and the rows scrolled to.
  var visible: (sticky: Range<Int>, scrolled: Range<Int>) {
    let sticky = min(stickyCount, rows.count)
    let first = min(top + sticky, rows.count)
    return (0..<sticky, first..<max(first, min(top + height, rows.count)))
  }

  /// The matches to update first: those on the screen, and the pinned ones.
  var prioritized: [MatchID] {
    let visible = visible
    let pinned = max(visible.sticky.count, min(rows.pinnedCount, Pins.maxMatches))
    var ids: [MatchID] = []
    ids.reserveCapacity(pinned + visible.scrolled.count)
    for position in 0..<pinned { ids.append(rows.withRow(at: position) { $0.id }) }
    for position in visible.scrolled { ids.append(rows.withRow(at: position) { $0.id }) }
    return ids
  }

  /// Returns the position of the row at an index of the body; nil if there is none.
  func position(atRow index: Int) -> Int? {
    let position = index < stickyCount ? index : top + index
    return index >= 0 && position < rows.count ? position : nil
  }

  /// Moves the cursor to a position, or to the nearest valid one.
  mutating func moveCursor(to position: Int, now: FrameTime) {
    delay.cursorMoved(now: now.uptime)
    pages?.movesToEnd = false
    cursor = position
    scroll()
    staysAtTop = cursor == 0
  }

  /// Scrolls the rows. The cursor stays on its row while that is visible.
  mutating func scroll(by step: Int, now: FrameTime) {
    let height = max(1, height)
    top = max(0, min(top + step, rows.count - height))
    let sticky = stickyCount
    moveCursor(to: cursor < sticky ? cursor : min(max(cursor, top + sticky), top + height - 1), now: now)
  }

  /// Limits the cursor to the rows, and scrolls so that its row is visible.
  mutating func scroll() {
    cursor = max(0, min(cursor, rows.count - 1))
    let height = max(1, height)
    top = max(0, min(top, max(0, rows.count - height)))
    let sticky = stickyCount
    if cursor < sticky { return }
    if cursor < top + sticky { top = cursor - sticky }
    if cursor >= top + height { top = cursor - height + 1 }
  }
}
