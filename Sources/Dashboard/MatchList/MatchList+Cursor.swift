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

// The selected line, and the lines on the screen. Without groups the lines are the rows.
extension MatchList {
  /// The number of first rows that stay on the screen while the others scroll: the pinned rows, or zero if they would
  /// fill more than half of the screen.
  var stickyCount: Int {
    let pinned = rows.pinnedCount
    // A fast path: called for each row of each frame.
    if pinned == 0 { return 0 }
    return pinned <= height / 2 ? pinned : 0
  }

  /// The lines on the screen: the sticky rows, and the lines scrolled to.
  var visible: (sticky: Range<Int>, scrolled: Range<Int>) {
    let count = rows.lineCount
    let sticky = min(stickyCount, count)
    let first = min(top + sticky, count)
    return (0..<sticky, first..<max(first, min(top + height, count)))
  }

  /// The matches to update first: those on the screen, and the pinned ones.
  var prioritized: [MatchID] {
    let visible = visible
    let pinned = max(visible.sticky.count, min(rows.pinnedCount, Pins.maxMatches))
    var ids: [MatchID] = []
    ids.reserveCapacity(pinned + visible.scrolled.count)
    for position in 0..<pinned { ids.append(rows.withRow(at: position) { $0.id }) }
    for line in visible.scrolled {
      if let position = rows.position(atLine: line) { ids.append(rows.withRow(at: position) { $0.id }) }
    }
    return ids
  }

  /// Returns the line at an index of the body; nil if there is none.
  func line(atRow index: Int) -> Int? {
    let line = index < stickyCount ? index : top + index
    return index >= 0 && line < rows.lineCount ? line : nil
  }

  /// Returns the position of the row at an index of the body; nil if there is none, or the heading of a group.
  func position(atRow index: Int) -> Int? { line(atRow: index).flatMap { rows.position(atLine: $0) } }

  /// The position of the selected row; nil on a heading and if there are no rows.
  var selectedPosition: Int? { cursor < rows.lineCount ? rows.position(atLine: cursor) : nil }

  /// The selected row; nil on a heading and if there are no rows.
  var selected: MatchRow? { selectedPosition.map { rows[$0] } }

  /// The number of the group whose heading is selected.
  var selectedHeading: Int? {
    if rows.groups != nil, cursor < rows.lineCount, case .heading(let number) = rows.line(cursor) { return number }
    return nil
  }

  /// Moves the cursor to the next line with a row in a direction, if there is one.
  mutating func moveToRow(_ step: Int, now: FrameTime) {
    var line = cursor + step
    while 0..<rows.lineCount ~= line {
      if rows.position(atLine: line) != nil { return moveCursor(to: line, now: now) }
      line += step
    }
  }

  /// Moves the cursor to a row, and unfolds its group.
  mutating func moveCursor(toPosition position: Int, now: FrameTime) {
    if rows.line(ofPosition: position) == nil, let groups = rows.groups, let shown = groups.group(atPosition: position)
    {
      var folds = rows.folds
      folds.set(groups[shown.group].key, isFolded: false)
      rows.fold(folds)
    }
    moveCursor(to: rows.line(ofPosition: position) ?? position, now: now)
  }

  /// Moves the cursor to a line, or to the nearest valid one.
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
    top = max(0, min(top + step, rows.lineCount - height))
    let sticky = stickyCount
    moveCursor(to: cursor < sticky ? cursor : min(max(cursor, top + sticky), top + height - 1), now: now)
  }

  /// Limits the cursor to the rows, and scrolls so that its row is visible.
  mutating func scroll() {
    let count = rows.lineCount
    cursor = max(0, min(cursor, count - 1))
    let height = max(1, height)
    top = max(0, min(top, max(0, count - height)))
    let sticky = stickyCount
    if cursor < sticky { return }
    if cursor < top + sticky { top = cursor - sticky }
    if cursor >= top + height { top = cursor - height + 1 }
  }
}
