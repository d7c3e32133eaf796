import Localization
import OddsFeed
import OddsModel
import TerminalCore

extension RowFormatter {
  func match(_ content: MatchContent) -> Row {
    var row = Row(width: width)
    for placed in layout.columns.placed { placed.column.entry.cell(self, content, &row, placed.cells) }
    marks(content, into: &row)
    if content.highlight != .none { highlight(content, into: &row) }
    if content.isSelected { row.lay(.selected) }
    return row
  }

  /// Writes the name, after the marks that have no room in the gap before it. Returns its columns.
  @discardableResult
  func matchName(of content: MatchContent, into row: inout Row, _ cells: Range<Int>) -> NameColumns {
    var cells = cells
    if content.isPinned, pinGap == nil { cells = cells.dropFirst() }
    if content.isAlerted, alertGap(content) == nil { cells = cells.dropFirst(2) }
    let style = Style(content.isSelected ? .strong : .plain)
    return name(content.name, content.labels.name, into: &row, cells, style: style)
  }

  /// The cell for the mark of a pinned row: the gap after the time. Nil if there is none before the end of the row.
  private var pinGap: Int? {
    let end = layout.time.upperBound
    return layout.time.isEmpty || end >= width ? nil : end
  }

  /// Returns the cell for the mark of an alert: the gap before the name. Nil without one, or if the pin's mark is
  /// there.
  private func alertGap(_ content: MatchContent) -> Int? {
    let gap = layout.name.lowerBound - 1
    return gap < 0 || content.isPinned && gap == pinGap ? nil : gap
  }

  /// Writes the marks of a pinned row and of an unread alert. A date that fills the gap after the time has the pin's
  /// mark behind it.
  private func marks(_ content: MatchContent, into row: inout Row) {
    guard content.isPinned || content.isAlerted, !layout.name.isEmpty else { return }
    let name = layout.name.lowerBound
    if content.isPinned {
      let column = fillsScore(content) ? layout.score.upperBound - 1 : pinGap ?? name
      row.write(glyphs.pin.styled(Style(.strong)), at: column)
    }
    if content.isAlerted {
      let start = content.isPinned && pinGap == nil ? name + 1 : name
      row.write(Cell(glyphs.alert.value, style: Style(.warning)), at: alertGap(content) ?? start)
    }
  }

  func age(of content: MatchContent, into row: inout Row, _ cells: Range<Int>) {
    guard let age = content.age, !age.isUnderMinute || !setup.isLowBandwidth else { return }
    right(age.text(words), into: &row, cells)
  }

  /// Writes a price movement, given in hundredths of a per cent, in tenths of a per cent.
  func move(_ move: Int, isTrusted: Bool, into row: inout Row, _ cells: Range<Int>) {
    let tenths = min(9999, Int((Double(move.magnitude) / 10).rounded()))
    if tenths == 0 { return }
    var text = words.tenths(tenths)
    text.push(UInt8(ascii: move < 0 ? "-" : "+"))
    right(text, into: &row, cells, style: Style(isTrusted ? .plain : .muted))
  }

  /// Draws the trend of a match that has at least one change.
  func trend(_ trend: PriceTrend, into row: inout Row, _ cells: Range<Int>) {
    guard trend.count > 1, !setup.isLowBandwidth else { return }
    let sparkline = Sparkline(trend, cells: cells.count, levels: glyphs.levels.count)
    for (column, height) in zip(cells, sparkline.heights) { row.write(glyphs.levels[height], at: column) }
  }

  private func highlight(_ content: MatchContent, into row: inout Row) {
    let name = matchName(of: content, into: &row, layout.name)
    switch content.highlight {
    case .none: break
    case .name: mark(Set(0..<content.labels.name.unicodeScalars.count), of: content.labels.name, in: &row, name)
    case .words(let marks):
      let indices = marks.matchedIndices(in: content.labels)
      mark(indices[.name] ?? [], of: content.labels.name, in: &row, name)
      for part in SearchIndex.Part.searched where part != .name {
        mark(indices[part] ?? [], of: content.labels[part], in: &row, layout.columns[part.column])
      }
    }
  }

  /// Writes a price, right-aligned before the cell of its arrow. A price that may be out of date has a doubt mark in
  /// place of the arrow, and that of the last matched bet is in parentheses. In place of other prices that cannot be
  /// bet on is a word or a dash.
  func price(_ cell: PriceCell, isTrusted: Bool, into row: inout Row, _ columns: Range<Int>) {
    let end = columns.upperBound - 1
    switch cell.state {
    case .none: break
    case .suspended:
      right(words(.rowSuspended), into: &row, columns.lowerBound..<end, style: Style(.warning))
    case .closed: right("-", into: &row, columns.lowerBound..<end, style: Style(.muted))
    case .lastTraded:
      if let odds = cell.odds { lastTraded(odds, into: &row, columns) }
    case .live, .doubtful:
      guard let odds = cell.odds else { return }
      let text = words.price(odds, setup.odds)
      if !isTrusted || cell.state == .doubtful {
        row.write(text, at: end - text.count, style: Style(.muted))
        row.write(Cell(glyphs.doubt.value, style: Style(.muted)), at: end)
        return
      }
      row.write(text, at: end - text.count)
      guard let flash = cell.flash, !setup.isLowBandwidth else { return }
      let role = flash.isUp ? Style.Role.rising : .falling
      row.color(role, columns: end - flash.changedCharacters..<end)
      row.write((flash.isUp ? glyphs.up : glyphs.down).styled(Style(role)), at: end)
    }
  }

  /// Writes the price of the last matched bet in parentheses, which show without colour that it is no offer. If there
  /// is no room for both of them, the price has fewer decimals, or there is an ellipsis in its place.
  private func lastTraded(_ odds: DecimalOdds, into row: inout Row, _ columns: Range<Int>) {
    let (room, end) = (columns.count - 2, columns.upperBound - 1)
    if room < 1 { return }
    let style = Style(.muted)
    let text = words.price(odds, setup.odds).shortened(to: room, point: words.decimalPoint)
    let start = end - (text?.count ?? 1)
    if let text {
      row.write(text, at: start, style: style)
    } else {
      row.write(glyphs.ellipsis.styled(style), at: start)
    }
    row.write("(", at: start - 1, style: style)
    row.write(")", at: end, style: style)
  }
}
