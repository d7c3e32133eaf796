import Localization
import OddsFeed
import TerminalCore

/// The delay before rows move to their new ranks: none for a user's command; otherwise rows wait while the cursor
/// moves, and between two changes of the order.
struct ReorderDelay: Hashable, Sendable {
  /// The time for which rows stay after the cursor has moved.
  static let rest = Duration.seconds(2)
  /// The least time between two changes of the order.
  static let interval = Duration.seconds(1)

  private var until = Duration.zero

  mutating func cursorMoved(at now: Duration) { until = max(until, now + Self.rest) }

  mutating func orderChanged(at now: Duration) { until = max(until, now + Self.interval) }

  /// The uptime at which rows can move.
  var end: Duration { until }
}

extension BoardState {
  /// The number of first rows that stay on the screen while the others scroll: the pinned rows, or zero if they would
  /// fill more than half of the screen.
  var held: Int {
    let pinned = rows.pinnedCount
    // A fast path: called for each row of each frame.
    if pinned == 0 { return 0 }
    return pinned <= visibleRows / 2 ? pinned : 0
  }

  /// The positions of the rows on the screen: the fixed rows, and the rows scrolled to.
  var visible: (held: Range<Int>, scrolled: Range<Int>) {
    let held = min(held, rows.count)
    let first = min(top + held, rows.count)
    return (0..<held, first..<max(first, min(top + visibleRows, rows.count)))
  }

  /// The matches to update first: those on the screen, and the pinned ones.
  var wanted: [MatchID] {
    let visible = visible
    let held = max(visible.held.count, min(rows.pinnedCount, Pins.mostMatches))
    return (0..<held).map { rows[$0].id } + visible.scrolled.map { rows[$0].id }
  }

  var isFrozen: Bool { frozenChanges != nil }

  /// Returns the position of the row at an index of the body; nil if there is none.
  func position(atLine line: Int) -> Int? {
    let position = line < held ? line : top + line
    return line >= 0 && position < rows.count ? position : nil
  }

  /// Moves the cursor by a number of rows, within bounds.
  mutating func moveCursor(by step: Int, at now: FrameTime) { moveCursor(to: cursor + step, at: now) }

  /// Moves the cursor to a position, or to the nearest valid one.
  mutating func moveCursor(to position: Int, at now: FrameTime) {
    hold.cursorMoved(at: now.uptime)
    pages?.leadsToEnd = false
    cursor = position
    scroll()
    staysAtTop = cursor == 0
  }

  /// Limits the cursor to the rows, and scrolls so that its row is visible.
  mutating func scroll() {
    cursor = max(0, min(cursor, rows.count - 1))
    let height = max(1, visibleRows)
    top = max(0, min(top, max(0, rows.count - height)))
    let held = held
    if cursor < held { return }
    if cursor < top + held { top = cursor - held }
    if cursor >= top + height { top = cursor - height + 1 }
  }

  /// Changes the rows. The cursor stays on its match, or at the top if it was put there. The scrolled rows keep their
  /// place on the screen as far as possible.
  mutating func changeRows(_ change: (inout RowList) -> Void) {
    let chosen = !staysAtTop && cursor < rows.count ? rows[cursor].id : nil
    let line = cursor < held ? top + held : cursor
    let anchor = cursor + top > 0 && line < rows.count ? rows[line].id : nil
    change(&rows)
    if let anchor, let position = rows.position(of: anchor) { top += position - line }
    if let chosen, let position = rows.position(of: chosen) { cursor = position }
    scroll()
  }

  /// The uptime at which changed rows move; nil if none have changed, or if the screen is frozen.
  var nextOrderDeadline: Duration? { rows.isUnsettled && frozenChanges == nil ? hold.end : nil }

  mutating func settleOrder(at now: Duration) {
    guard let due = nextOrderDeadline, due <= now else { return }
    changeRows { $0.applyMoves() }
    hold.orderChanged(at: now)
  }

  /// Sorts by the next key.
  mutating func cycleOrder(at now: FrameTime) {
    let keys = RowOrder.Key.allCases
    sort(by: RowOrder(keys[(keys.firstIndex(of: settings.order.key)! + 1) % keys.count]), at: now)
  }

  mutating func reverseOrder(at now: FrameTime) {
    sort(by: RowOrder(settings.order.key, isReversed: !settings.order.isReversed), at: now)
  }

  /// Sorts the rows and shows a message, because not every order has a column to mark.
  mutating func sort(by order: RowOrder, at now: FrameTime) {
    settings.order = order
    keepOrder(at: now)
    show(
      StatusMessage(LocalizedMessage(order.isReversed ? .noteSortedReversed : .noteSorted, order.key.phrase)), at: now)
  }

  /// Sorts by the column whose title is at a column of cells, counted from the left edge. Reverses the order if it is
  /// that column's already. Does nothing beside the titles.
  mutating func sort(byTitleAt column: Int, at now: FrameTime) {
    guard let key = layout.list.key(ofTitleAt: column) else { return }
    sort(by: RowOrder(key, isReversed: key == settings.order.key && !settings.order.isReversed), at: now)
  }

  /// Sorts the rows if their order differs from the settings.
  mutating func keepOrder(at now: FrameTime) {
    let order = settings.order
    if order == rows.order { return }
    changeRows { $0.sort(by: order) }
    hold.orderChanged(at: now.uptime)
  }

  /// Shows only the rows that match a predicate, or all rows.
  mutating func show(only fits: (@Sendable (MatchRow) -> Bool)?, at now: FrameTime) {
    changeRows { $0.show(only: fits) }
    hold.orderChanged(at: now.uptime)
  }
}

extension RowOrder.Key {
  var phrase: MessageKey {
    switch self {
    case .time: .orderTime
    case .name: .orderName
    case .change: .orderChange
    case .mover: .orderMover
    case .overround: .orderOverround
    case .favourite: .orderFavourite
    case .home: .orderHome
    case .draw: .orderDraw
    case .away: .orderAway
    }
  }
}

extension Layout {
  /// Returns the sort key of the title at a column of cells; nil if that column has none.
  func key(ofTitleAt column: Int) -> RowOrder.Key? {
    // The mark of the order is in the gap after its column, so the column's end is included.
    func holds(_ columns: Range<Int>) -> Bool {
      !columns.isEmpty && columns.lowerBound <= column && column <= columns.upperBound
    }
    if holds(time) { return .time }
    if holds(name) { return .name }
    if let price = prices.first(where: { $0.cells.contains(column) }) { return RowOrder.Key.columns[price.column] }
    if holds(overround) { return .overround }
    return holds(age) ? .change : nil
  }
}
