import TerminalCore

/// What can be clicked on the board.
enum HitTarget: Hashable {
  case tab(Int)
  /// The title of a column that the rows can be sorted by.
  case title(RowOrder.Key)
  /// The row at that position.
  case row(Int)
  /// The outcome on that line of a match's pane.
  case outcome(Int)
  /// A key's hint.
  case hint(Command)
}

extension BoardState {
  /// What stands at a cell, by the lines that stand there now; nil where nothing does that could be clicked.
  func spot(at press: MousePress, at now: FrameTime) -> HitTarget? {
    guard 0..<size.rows ~= press.row, 0..<size.columns ~= press.column else { return nil }
    let layout = layout
    if layout.body.contains(press.row), isDetailShown, layout.pane.contains(press.column) { return .outcome(press.row) }
    let formatter = LineFormatter(state: self, now: now, layout: layout, glyphs: Glyphs(glyphs))
    switch line(press.row, layout, paneTable(at: now), at: now) {
    case .header(let line):
      return formatter.headerParts(line).tabs.first { $0.columns.contains(press.column) }.map { .tab($0.place) }
    case .titles: return layout.list.key(ofTitleAt: press.column).map { .title($0) }
    case .match: return position(atLine: press.row - layout.body.lowerBound).map { .row($0) }
    case .hints(let line):
      var at = 0
      for piece in formatter.hintPieces(line) {
        at += piece.text.cellWidth
        if press.column < at { return piece.command.map { .hint($0) } }
      }
      return nil
    default: return nil
    }
  }
}
