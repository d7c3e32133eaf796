import TerminalCore

extension RowFormatter {
  /// Writes the longest form that fits. A title is cut off; a result that does not fit is not shown in part.
  func calculator(_ content: BetCalculator.Row, into row: inout Row, _ columns: Range<Int>) {
    let style: Style =
      switch content.kind {
      case .title: Style(.strong)
      case .result: .plain
      case .noResult: Style(.warning)
      case .note: Style(.muted)
      }
    if let form = content.forms.first(where: { $0.cellWidth <= columns.count }) {
      clip(form, into: &row, columns, style: style)
    } else if content.kind == .title || content.kind == .noResult, let form = content.forms.last {
      clip(form, into: &row, columns, style: style)
    } else if let column = columns.first {
      row.write(glyphs.ellipsis.styled(style), at: column)
    }
  }
}
