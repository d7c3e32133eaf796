import Localization
import TerminalCore

extension RowFormatter {
  /// Returns the row of column titles. An arrow after the title of the sorted column shows the direction.
  func titles(_ order: RowOrder) -> Row {
    var row = Row(width: layout.size.columns)
    let style = Style(.muted)
    title(.columnTime, order, .time, into: &row, layout.time)
    clip(words(.columnSport), into: &row, layout.sport, style: style)
    clip(words(.columnScore), into: &row, layout.score.dropFirst(), style: style)
    let name = words(.columnMatch)
    clip(name, into: &row, layout.name, style: style)
    if order.key == .name { mark(order, into: &row, at: layout.name.lowerBound + name.cellWidth) }
    for price in layout.prices {
      let title: MessageKey = [.columnHome, .columnDraw, .columnAway][price.column]
      self.title(title, order, RowOrder.Key.columns[price.column], into: &row, price.cells, isPrice: true)
      if !price.lay.isEmpty { right(words(.columnLay), into: &row, price.lay.dropLast(), style: style) }
    }
    let figure: (MessageKey, RowOrder.Key) =
      order.key == .mover ? (.columnMove, .mover) : (.columnMargin, .margin)
    title(figure.0, order, figure.1, into: &row, layout.margin)
    title(.columnAge, order, .change, into: &row, layout.age)
    clip(words(.detailColumnTrend), into: &row, layout.trend, style: style)
    clip(words(.columnPart), into: &row, layout.part, style: style)
    clip(words(.columnTournament), into: &row, layout.tournament, style: style)
    clip(words(.columnCountry), into: &row, layout.category, style: style)
    return row
  }

  /// Writes a right-aligned title. The arrow is in the last cell of the column, which the title of a price leaves free
  /// anyway. A title that leaves no room for the arrow begins in the gap before the column.
  private func title(
    _ title: MessageKey, _ order: RowOrder, _ key: RowOrder.Key, into row: inout Row, _ columns: Range<Int>,
    isPrice: Bool = false
  ) {
    guard !columns.isEmpty else { return }
    let text = words(title)
    let isSorted = order.key == key
    var (start, end) = (columns.lowerBound, columns.upperBound - (isPrice ? 1 : 0))
    if isSorted {
      // The first column has no gap before it. Of the two blanks before the score's title, one may be the arrow's.
      let isFull = start == 0 && text.cellWidth == columns.count && !layout.score.isEmpty
      end = columns.upperBound - (isFull ? 0 : 1)
      start = max(0, start - 1)
    }
    right(text, into: &row, start..<end, style: Style(.muted))
    if isSorted { mark(order, into: &row, at: end) }
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
