import Localization
import OddsFeed
import TerminalCore

/// When rows take their places: at once where a user says so, else never while he moves through them, nor too often.
struct ReorderDelay: Hashable, Sendable {
  /// How long rows stay where they are after the cursor has moved.
  static let rest = Duration.seconds(2)
  /// Between two changes of the order, at least.
  static let interval = Duration.seconds(1)

  private var until = Duration.zero

  mutating func cursorMoved(at now: Duration) { until = max(until, now + Self.rest) }

  mutating func orderChanged(at now: Duration) { until = max(until, now + Self.interval) }

  /// Uptime at which rows that are out of place may take theirs.
  var end: Duration { until }
}

extension BoardState {
  /// How many of the first rows stay on the screen while the others scroll: the pinned ones, unless they would take more
  /// than half of it.
  var held: Int {
    let pinned = rows.pinnedCount
    // Asked for each line of each frame.
    if pinned == 0 { return 0 }
    return pinned <= visibleRows / 2 ? pinned : 0
  }

  /// The positions of the rows on the screen: those held there, and those scrolled to.
  var visible: (held: Range<Int>, scrolled: Range<Int>) {
    let held = min(held, rows.count)
    let first = min(top + held, rows.count)
    return (0..<held, first..<max(first, min(top + visibleRows, rows.count)))
  }

  /// The matches that are not to wait for others: those on the screen, and the pinned ones.
  var wanted: [MatchID] {
    let visible = visible
    let held = max(visible.held.count, min(rows.pinnedCount, Pins.mostMatches))
    return (0..<held).map { rows[$0].id } + visible.scrolled.map { rows[$0].id }
  }

  var isFrozen: Bool { frozenChanges != nil }

  /// The position of the row on a line of the body; nil where there is none.
  func position(atLine line: Int) -> Int? {
    let position = line < held ? line : top + line
    return line >= 0 && position < rows.count ? position : nil
  }

  /// Moves the cursor by so many rows, as far as there are rows.
  mutating func moveCursor(by step: Int, at now: FrameTime) { moveCursor(to: cursor + step, at: now) }

  /// Moves the cursor to a row, or the nearest there is.
  mutating func moveCursor(to position: Int, at now: FrameTime) {
    hold.cursorMoved(at: now.uptime)
    pages?.leadsToEnd = false
    cursor = position
    scroll()
    staysAtTop = cursor == 0
  }

  /// Keeps the cursor on a row and the row on the screen.
  mutating func scroll() {
    cursor = max(0, min(cursor, rows.count - 1))
    let height = max(1, visibleRows)
    top = max(0, min(top, max(0, rows.count - height)))
    let held = held
    if cursor < held { return }
    if cursor < top + held { top = cursor - held }
    if cursor >= top + height { top = cursor - height + 1 }
  }

  /// Changes the rows. The cursor stays on its match, not on its line; put at the top it stays at the top. What is
  /// scrolled to stays on its lines as far as there are rows.
  mutating func changeRows(_ change: (inout RowList) -> Void) {
    let chosen = !staysAtTop && cursor < rows.count ? rows[cursor].id : nil
    let line = cursor < held ? top + held : cursor
    let anchor = cursor + top > 0 && line < rows.count ? rows[line].id : nil
    change(&rows)
    if let anchor, let position = rows.position(of: anchor) { top += position - line }
    if let chosen, let position = rows.position(of: chosen) { cursor = position }
    scroll()
  }

  /// Uptime at which rows that are out of place take theirs; nil where none are, and on a frozen screen.
  var orderDue: Duration? { rows.isUnsettled && frozenChanges == nil ? hold.end : nil }

  mutating func settleOrder(at now: Duration) {
    guard let due = orderDue, due <= now else { return }
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

  /// Sorts the rows, and says so: not every order has a column that can show it.
  mutating func sort(by order: RowOrder, at now: FrameTime) {
    settings.order = order
    keepOrder(at: now)
    tell(
      StatusMessage(LocalizedMessage(order.isReversed ? .noteSortedReversed : .noteSorted, order.key.phrase)), at: now)
  }

  /// Sorts by the column whose title stands there, the other way round where that is the order already; does nothing
  /// beside the titles. The column counts cells from the left edge.
  mutating func sort(byTitleAt column: Int, at now: FrameTime) {
    guard let key = layout.list.key(ofTitleAt: column) else { return }
    sort(by: RowOrder(key, isReversed: key == settings.order.key && !settings.order.isReversed), at: now)
  }

  /// Brings the rows into the order that is set, where it is another.
  mutating func keepOrder(at now: FrameTime) {
    let order = settings.order
    if order == rows.order { return }
    changeRows { $0.sort(by: order) }
    hold.orderChanged(at: now.uptime)
  }

  /// Shows only rows that fit, or all.
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
  /// What a click on the titles sorts by; nil where that column sorts nothing.
  func key(ofTitleAt column: Int) -> RowOrder.Key? {
    // A mark stands behind its column, and belongs to it.
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
