import TerminalCore
import Wording

extension LineFormatter {
  /// The line in place of the column titles: which lines of the alerts are in view, where not all are, and what can be
  /// done with them.
  func alertTitle(_ shown: Range<Int>, of count: Int) -> Row {
    let width = layout.size.columns
    var row = Row(width: width)
    var at = 2
    if shown.count < count {
      let lines = words(.inspectorLines, shown.lowerBound + 1, shown.upperBound, count)
      at = row.write(lines, at: at, style: Style(.muted)) + 2
    }
    if at < width { clip(words(.alertKeys), into: &row, at..<width, style: Style(.muted)) }
    return row
  }

  func alert(_ line: AlertRow) -> Row {
    var row = Row(width: layout.size.columns)
    for piece in line.pieces { clip(piece.text, into: &row, piece.columns, style: Style(piece.role)) }
    if line.isSelected { row.lay(.selected) }
    return row
  }

  /// Before the name of a match of which something was told that nobody has looked at; in the gap between two columns
  /// where there is one.
  func alertMark(into row: inout Row, _ name: inout Range<Int>) {
    let hasGap = layout.name.lowerBound > 0
    let mark = Cell(glyphs.alert.value, style: Style(.warning))
    row.write(mark, at: hasGap ? layout.name.lowerBound - 1 : name.lowerBound)
    if !hasGap { name = name.dropFirst(2) }
  }
}
