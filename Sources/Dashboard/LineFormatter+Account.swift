import TerminalCore
import Wording

extension LineFormatter {
  /// The line in place of the column titles: which lines of the account are in view, where not all are.
  func accountTitle(_ shown: Range<Int>, of count: Int) -> Row {
    var row = Row(width: layout.size.columns)
    if shown.count < count {
      let lines = words(.inspectorLines, shown.lowerBound + 1, shown.upperBound, count)
      row.write(lines, at: 2, style: Style(.muted))
    }
    return row
  }

  func account(_ line: AccountRow) -> Row {
    var row = Row(width: layout.size.columns)
    for piece in line.pieces where piece.at < layout.size.columns {
      clip(piece.text, into: &row, piece.at..<layout.size.columns, style: Style(piece.role))
    }
    return row
  }
}
