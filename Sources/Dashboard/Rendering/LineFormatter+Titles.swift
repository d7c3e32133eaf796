import Localization
import TerminalCore

extension LineFormatter {
  /// Returns the row of column titles. An arrow after the title of the sorted column shows the direction.
  func titles(_ order: RowOrder) -> Row {
    var row = Row(width: layout.size.columns)
    let style = Style(.muted)
    title(.columnTime, order, .time, into: &row, layout.time)
    clip(words(.columnScore), into: &row, layout.score.dropFirst(), style: style)
    let name = words(.columnMatch)
    clip(name, into: &row, layout.name, style: style)
    if order.key == .name { mark(order, into: &row, at: layout.name.lowerBound + name.cellWidth) }
    for price in layout.prices {
      let title: MessageKey = [.columnHome, .columnDraw, .columnAway][price.column]
      self.title(title, order, RowOrder.Key.columns[price.column], into: &row, price.cells.dropLast())
    }
    let figure: (MessageKey, RowOrder.Key) =
      order.key == .mover ? (.columnMove, .mover) : (.columnOverround, .overround)
    title(figure.0, order, figure.1, into: &row, layout.overround)
    title(.columnAge, order, .change, into: &row, layout.age)
    clip(words(.detailColumnTrend), into: &row, layout.trend, style: style)
    clip(words(.columnPart), into: &row, layout.part, style: style)
    clip(words(.columnTournament), into: &row, layout.tournament, style: style)
    clip(words(.columnCountry), into: &row, layout.category, style: style)
    return row
  }

  /// Writes a right-aligned title. The arrow is in the gap after the column, or in the last cell at the screen's edge.
  private func title(
    _ title: MessageKey, _ order: RowOrder, _ key: RowOrder.Key, into row: inout Row, _ columns: Range<Int>
  ) {
    guard !columns.isEmpty else { return }
    let end = order.key == key ? min(columns.upperBound, layout.size.columns - 1) : columns.upperBound
    right(words(title), into: &row, columns.lowerBound..<end, style: Style(.muted))
    if order.key == key { mark(order, into: &row, at: end) }
  }

  private func mark(_ order: RowOrder, into row: inout Row, at column: Int) {
    guard column < layout.size.columns else { return }
    row.write((order.isAscending ? glyphs.up : glyphs.down).styled(Style(.strong)), at: column)
  }
}

extension RowOrder {
  /// True if the values in the sorted column increase from row to row.
  fileprivate var isAscending: Bool { (key != .mover) != isReversed }
}
