import Localization
import OddsModel
import TerminalCore

/// The description of a column. Layout, titles, cells, orders, help, the chooser and the configuration use these
/// entries.
struct ColumnEntry: Sendable {
  /// The position of the title; the cell's text has the same one.
  enum Alignment: Sendable {
    case left(indent: Int = 0)
    case right
    /// At the right, before a cell for the arrow of a moved price.
    case price
  }

  /// The value by which a column sorts rows. Rows without a value come last.
  enum SortValue: Sendable {
    /// The lowest number first.
    case figure(@Sendable (borrowing MatchRow) -> Int64?)
    /// A price without the margin, by the method that removes it. The lowest first.
    case fairPrice(@Sendable (borrowing MatchRow, MarginMethod) -> Int64?)
    /// A text in the order of its code points in lower case. An empty text is no value.
    case text(@Sendable (Match.Names) -> String)
  }

  typealias Cell = @Sendable (RowFormatter, MatchContent, inout Row, Range<Int>) -> Void

  let column: BoardColumn
  /// The name in the configuration and on the command line.
  let name: String
  let title: LocalizedMessage
  let help: LocalizedMessage
  /// The usual width in cells.
  let width: Int
  /// The width on a screen of at least `from` columns; nil if that is the usual one.
  let wide: (width: Int, from: Int)?
  /// The least width that a user can choose. For a number it is `width`, so that no number is cut off.
  let minWidth: Int
  let alignment: Alignment
  let sortValue: SortValue
  /// True if the values in the column decrease from row to row when sorted by it.
  let isDescending: Bool
  /// The name of the order in a message.
  let order: LocalizedMessage
  /// Writes the content of a match into the cells of the column.
  let cell: Cell

  init(
    _ column: BoardColumn, _ name: String, _ title: LocalizedMessage, _ help: LocalizedMessage, width: Int,
    wide: (width: Int, from: Int)? = nil, minWidth: Int? = nil, _ alignment: Alignment, _ sortValue: SortValue,
    isDescending: Bool = false, order: MessageKey? = nil, cell: @escaping Cell
  ) {
    self.column = column
    self.name = name
    self.title = title
    self.help = help
    self.width = width
    self.wide = wide
    self.minWidth = minWidth ?? width
    self.alignment = alignment
    self.sortValue = sortValue
    self.isDescending = isDescending
    self.order = order.map { LocalizedMessage($0) } ?? LocalizedMessage(.orderColumn, title)
    self.cell = cell
  }

  init(
    _ column: BoardColumn, _ name: String, _ title: MessageKey, _ help: MessageKey, width: Int,
    wide: (width: Int, from: Int)? = nil, minWidth: Int? = nil, _ alignment: Alignment, _ sortValue: SortValue,
    isDescending: Bool = false, order: MessageKey? = nil, cell: @escaping Cell
  ) {
    self.init(
      column, name, LocalizedMessage(title), LocalizedMessage(help), width: width, wide: wide, minWidth: minWidth,
      alignment, sortValue, isDescending: isDescending, order: order, cell: cell)
  }

  /// Returns the usual width on a screen of a number of columns.
  func width(onScreenOf columns: Int) -> Int {
    if let wide, columns >= wide.from { return wide.width }
    return width
  }

  /// The entries by the raw values of their columns.
  static let byColumn: [ColumnEntry] = BoardColumn.allCases.map { column in
    guard let entry = table.first(where: { $0.column == column }) else {
      preconditionFailure("'\(column)' has no entry: add it to ColumnEntry.table")
    }
    return entry
  }
}
