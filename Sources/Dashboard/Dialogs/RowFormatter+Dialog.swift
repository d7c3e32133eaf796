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

  private func write(_ content: DialogBox.Content, into row: inout Row, _ columns: Range<Int>) {
    switch content {
    case .blank: break
    case .text(let text, let role): clip(text, into: &row, columns, style: Style(role))
    case .buttons(let buttons):
      for button in buttons {
        let (open, close) = button.isChosen ? ("[\(glyphs.chosen.0)", "\(glyphs.chosen.1)]") : ("[ ", " ]")
        let at = columns.lowerBound + button.at
        clip(
          open + button.label + close, into: &row, at..<min(at + button.width, columns.upperBound),
          style: Style(button.isChosen ? .bar : .plain))
      }
    case .field(let label, let text, let at, let isChosen):
      field(label, text, into: &row, columns, at: at, isChosen: isChosen)
    case .hidden(let label, let bullets, let at, let isChosen):
      let text = String(repeating: glyphs.bullet, count: bullets)
      field(label, text, into: &row, columns, at: at, isChosen: isChosen)
    }
  }

  /// Draws a text field. A text that is too long is cut at its start.
  private func field(
    _ label: String, _ text: String, into row: inout Row, _ columns: Range<Int>, at: Int, isChosen: Bool
  ) {
    if isChosen { row.write(glyphs.chosen.0, at: columns.lowerBound) }
    let start = min(columns.lowerBound + at, columns.upperBound)
    clip(
      label, into: &row, columns.lowerBound + 2..<max(columns.lowerBound + 2, start),
      style: Style(isChosen ? .strong : .muted))
    var shown = text[...]
    // One cell is reserved for the cursor.
    while !shown.isEmpty, String(shown).cellWidth > columns.upperBound - start - 1 { shown = shown.dropFirst() }
    let end = row.write(String(shown), at: start, limit: columns.upperBound)
    for column in end..<max(end, columns.upperBound) {
      row.write(Cell(0x5F, style: Style(isChosen && column == end ? .bar : .muted)), at: column)
    }
  }
}
