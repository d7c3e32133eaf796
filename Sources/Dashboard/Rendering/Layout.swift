import TerminalCore

/// The values from which the layout of a screen is made.
struct LayoutSource: Equatable {
  let size: Size
  let hasPane: Bool
  let columns: ColumnSource
}

/// The parts of a screen of a given size: whole rows from top and bottom, and columns by importance.
struct Layout: Hashable {
  private(set) var size: Size
  /// The row of column titles; nil if it does not fit.
  let titles: Int?
  /// The rows of matches.
  let body: Range<Int>
  /// The row of counters; nil if it does not fit.
  let counters: Int?
  /// The row of key hints; nil if it does not fit.
  let hints: Int?

  /// The columns of a match's row, beside the pane if it is beside the rows.
  let columns: ColumnLayout

  /// The columns of the open match's pane; empty if none is open.
  private(set) var pane: Range<Int>

  /// The least screen width at which a match's pane is beside the rows.
  static let splitFrom = 120

  /// True if the pane is beside the rows; false if it covers them.
  var isSplit: Bool { pane.lowerBound > 0 }

  /// The layout of the rows beside a pane. A blank column and a vertical line separate them.
  var list: Layout {
    guard isSplit else { return self }
    var list = self
    list.size.columns = pane.lowerBound - 2
    list.pane = 0..<0
    return list
  }

  /// The cells of columns whose texts and marks can extend into the gap or the column beside them. Empty if not shown.
  var time: Range<Int> { columns.time }
  var score: Range<Int> { columns.score }
  var name: Range<Int> { columns.name }

  init(_ source: LayoutSource) { self.init(size: source.size, hasPane: source.hasPane, columns: source.columns) }

  init(size: Size, hasPane: Bool = false, columns source: ColumnSource = ColumnSource()) {
    self.size = size
    let width = max(0, size.columns)
    pane = !hasPane ? 0..<0 : width >= Self.splitFrom ? (width + 1) / 2..<width : 0..<width
    let height = max(0, size.rows)
    hints = height >= 8 ? height - 1 : nil
    counters = Self.counters(height)
    titles = height >= 6 ? 1 : nil
    body = Self.body(of: size)
    columns = ColumnLayout(source, width: pane.lowerBound > 0 ? pane.lowerBound - 2 : width)
  }

  private static func counters(_ height: Int) -> Int? { height >= 4 ? height - (height >= 8 ? 2 : 1) : nil }

  /// Returns the rows of matches on a screen of a size; they do not depend on the columns.
  static func body(of size: Size) -> Range<Int> {
    let height = max(0, size.rows)
    let first = min(height, height >= 6 ? 2 : 1)
    return first..<max(first, counters(height) ?? height)
  }
}
