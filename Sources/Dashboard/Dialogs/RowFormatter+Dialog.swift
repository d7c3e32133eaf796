import TerminalCore

extension RowFormatter {
  /// Draws one row of a dialog over the row of the board.
  func cover(_ row: inout Row, with part: DialogBox.Part) {
    for column in part.columns { row.write(.blank, at: column) }
    let (first, last) = (part.columns.lowerBound, part.columns.upperBound - 1)
    guard part.isBordered else { return write(part.content, into: &row, part.inner) }
    switch part.edge {
    case nil:
      row.write(glyphs.box.vertical, at: first)
      row.write(glyphs.box.vertical, at: last)
      write(part.content, into: &row, part.inner)
    case .top(let title):
      rule(&row, part.columns, glyphs.box.topLeft, glyphs.box.topRight)
      clip(" \(title) ", into: &row, first + 1..<last, style: Style(.strong))
    case .bottom: rule(&row, part.columns, glyphs.box.bottomLeft, glyphs.box.bottomRight)
    }
  }

  private func rule(_ row: inout Row, _ columns: Range<Int>, _ left: Cell, _ right: Cell) {
    for column in columns { row.write(glyphs.box.horizontal, at: column) }
    row.write(left, at: columns.lowerBound)
    row.write(right, at: columns.upperBound - 1)
  }
}
