import TerminalCore

/// What can be clicked on the board.
enum Spot: Hashable {
  case tab(Int)
  case title(Layout.Column)
  /// The row at that position.
  case row(Int)
  /// A key's hint.
  case hint(Command)
}

extension BoardState {
  /// What stands at a cell, by the lines that stand there now; nil where nothing does that could be clicked.
  func spot(at press: MousePress, at now: Moment) -> Spot? {
    guard 0..<size.rows ~= press.row, 0..<size.columns ~= press.column else { return nil }
    let layout = Layout(size: size)
    let formatter = LineFormatter(state: self, now: now, layout: layout, glyphs: Glyphs(glyphs))
    switch line(press.row, layout, accountTable(at: now), at: now) {
    case .header(let line):
      return formatter.headerParts(line).tabs.first { $0.columns.contains(press.column) }.map { .tab($0.place) }
    case .titles: return layout.column(at: press.column).map { .title($0) }
    case .match: return .row(top + press.row - layout.body.lowerBound)
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

extension Layout {
  /// A column of the rows.
  enum Column: Hashable {
    case time, score, name
    /// 1, X, 2.
    case price(Int)
    case overround, age, part, tournament, category
  }

  /// The column that a cell belongs to, with the gap behind it.
  func column(at cell: Int) -> Column? {
    let places: [(Column, Range<Int>)] =
      [(.time, time), (.score, score), (.name, name)] + prices.map { (.price($0.column), $0.cells) }
      + [(.overround, overround), (.age, age), (.part, part), (.tournament, tournament), (.category, category)]
    return places.first { !$0.1.isEmpty && $0.1.lowerBound <= cell && cell <= $0.1.upperBound }?.0
  }
}
