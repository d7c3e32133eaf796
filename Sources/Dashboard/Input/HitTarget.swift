import TerminalCore

/// An element of the board that can be clicked.
enum HitTarget: Hashable {
  case tab(Tab)
  /// The title of a sortable column.
  case title(RowOrder.Key)
  /// The row at that position.
  case row(Int)
  /// The outcome in that row of the screen, in the detail pane.
  case outcome(Int)
  /// The hint of a command in the footer.
  case hint(Command)
}

extension BoardState {
  /// Returns the target at a cell of the current layout, or nil if nothing there can be clicked.
  func spot(at press: MousePress, at now: FrameTime) -> HitTarget? {
    guard 0..<size.rows ~= press.row, 0..<size.columns ~= press.column else { return nil }
    let layout = layout
    if layout.body.contains(press.row), isDetailShown, layout.pane.contains(press.column) { return .outcome(press.row) }
    let formatter = LineFormatter(of: self, layout, Glyphs(glyphs), at: now)
    switch line(press.row, layout, openPane(at: now), at: now) {
    case .header(let line):
      return formatter.headerParts(line).tabs.first { $0.columns.contains(press.column) }.map { .tab($0.tab) }
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
