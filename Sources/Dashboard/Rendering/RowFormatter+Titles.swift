import Localization
import TerminalCore

extension RowFormatter {
  /// Returns the row of column titles. An arrow after the title of the sorted column shows the direction.
  func titles(_ order: RowOrder) -> Row {
    var row = Row(width: layout.size.columns)
    let placed = layout.columns.placed
    for (index, column) in placed.enumerated() {
      let isSorted = order.key == column.column
      let next = index + 1 < placed.count ? placed[index + 1].column : nil
      guard let title = title(of: column.column, after: index > 0 ? placed[index - 1].column : nil, before: next) else {
        if isSorted { mark(order, into: &row, at: column.cells.upperBound - 1) }
        continue
      }
      switch column.column.entry.alignment {
      case .left(let indent): left(title, isSorted ? order : nil, into: &row, column.cells.dropFirst(indent))
      case .right:
        // The first column has no gap before it. Of the two blanks before the score's title, one may be the arrow's.
        let isFull = column.cells.lowerBound == 0 && title.cellWidth == column.cells.count && next == .score
        right(
          title, isSorted ? order : nil, into: &row, column.cells, arrow: column.cells.upperBound - (isFull ? 0 : 1))
      case .price:
        if isSorted {
          right(title, order, into: &row, column.cells, arrow: column.cells.upperBound - 1)
        } else {
          right(title, into: &row, column.cells.dropLast(), style: Style(.muted))
        }
      }
    }
    return row
  }

  /// Returns the title of a column between two others. A price to lay beside its price to back has a short title, and
  /// an amount beside its price has none.
  private func title(of column: BoardColumn, after previous: BoardColumn?, before next: BoardColumn?) -> String? {
    for index in PriceTriple.indices {
      let price = BoardColumn.prices[index]
      switch column {
      case BoardColumn.lays[index] where previous == price: return words(.columnLay)
      case BoardColumn.backSizes[index] where next == price: return nil
      case BoardColumn.laySizes[index] where previous == BoardColumn.lays[index]: return nil
      default: break
      }
    }
    return words.text(column.entry.title)
  }

  /// Writes a title from the left. The arrow follows it, or takes the last cell of its column.
  private func left(_ title: String, _ order: RowOrder?, into row: inout Row, _ columns: Range<Int>) {
    guard let order, !columns.isEmpty else { return clip(title, into: &row, columns, style: Style(.muted)) }
    row.write(title, at: columns.lowerBound, style: Style(.muted), limit: columns.upperBound - 1)
    mark(order, into: &row, at: columns.lowerBound + min(title.cellWidth, columns.count - 1))
  }

  /// Writes a right-aligned title, which begins in the gap before the column if the arrow needs its last cell.
  private func right(_ title: String, _ order: RowOrder?, into row: inout Row, _ columns: Range<Int>, arrow: Int) {
    guard let order else { return right(title, into: &row, columns, style: Style(.muted)) }
    right(title, into: &row, max(0, columns.lowerBound - 1)..<arrow, style: Style(.muted))
    mark(order, into: &row, at: arrow)
  }

  private func mark(_ order: RowOrder, into row: inout Row, at column: Int) {
    guard column < layout.size.columns else { return }
    row.write((order.isAscending ? glyphs.up : glyphs.down).styled(Style(.strong)), at: column)
  }
}

extension RowOrder {
  /// True if the values in the sorted column increase from row to row.
  fileprivate var isAscending: Bool { !key.entry.isDescending != isReversed }
}
