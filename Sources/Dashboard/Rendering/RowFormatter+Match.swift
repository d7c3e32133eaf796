import Localization
import OddsFeed
import OddsModel
import TerminalCore

extension RowFormatter {
  func match(_ content: MatchContent) -> Row {
    var row = Row(width: width)
    time(of: content, into: &row)
    score(of: content, into: &row)
    var name = layout.name
    if content.isPinned { pin(into: &row, &name) }
    if content.isAlerted { alertMark(into: &row, &name) }
    clip(content.labels.name, into: &row, name, style: Style(content.isSelected ? .strong : .plain))
    for price in layout.prices {
      self.price(content.prices[price.column], isTrusted: content.isTrusted, into: &row, price.cells)
    }
    switch content.figure {
    case .move(let move): self.move(move, isTrusted: content.isTrusted, into: &row)
    case .overround(let overround):
      right(tenths(overround), into: &row, layout.overround, style: Style(content.isTrusted ? .plain : .muted))
    case nil: break
    }
    if let age = content.age, !age.isUnderMinute || !setup.isLowBandwidth {
      right(age.text(words), into: &row, layout.age)
    }
    if !setup.isLowBandwidth { trend(content.trend, into: &row) }
    clip(content.labels.part, into: &row, layout.part, style: Style(.muted))
    clip(content.labels.tournament, into: &row, layout.tournament, style: Style(.muted))
    clip(content.labels.category, into: &row, layout.category, style: Style(.muted))
    highlight(content, into: &row)
    if content.isSelected { row.lay(.selected) }
    return row
  }

  /// Writes the mark of a pinned row into the gap after the time, or before the name if there is no time column.
  private func pin(into row: inout Row, _ name: inout Range<Int>) {
    row.write(glyphs.pin.styled(Style(.strong)), at: layout.time.isEmpty ? name.lowerBound : layout.time.upperBound)
    if layout.time.isEmpty { name = name.dropFirst() }
  }

  /// Writes the mark of an unread alert before the name, in the gap between two columns if there is one.
  private func alertMark(into row: inout Row, _ name: inout Range<Int>) {
    let hasGap = layout.name.lowerBound > 0
    let mark = Cell(glyphs.alert.value, style: Style(.warning))
    row.write(mark, at: hasGap ? layout.name.lowerBound - 1 : name.lowerBound)
    if !hasGap { name = name.dropFirst(2) }
  }

  /// Writes a price movement, given in hundredths of a per cent, in tenths of a per cent.
  private func move(_ move: Int, isTrusted: Bool, into row: inout Row) {
    let tenths = min(9999, Int((Double(move.magnitude) / 10).rounded()))
    if tenths == 0 { return }
    var text = self.tenths(tenths)
    text.push(UInt8(ascii: move < 0 ? "-" : "+"))
    right(text, into: &row, layout.overround, style: Style(isTrusted ? .plain : .muted))
  }

  /// Draws the trend of a match that has at least one change.
  private func trend(_ trend: PriceTrend, into row: inout Row) {
    guard trend.count > 1, !layout.trend.isEmpty else { return }
    let sparkline = Sparkline(trend, cells: layout.trend.count, levels: glyphs.levels.count)
    for (column, height) in zip(layout.trend, sparkline.heights) { row.write(glyphs.levels[height], at: column) }
  }

  private func highlight(_ content: MatchContent, into row: inout Row) {
    switch content.highlight {
    case .none: break
    case .name: mark(Set(0..<content.labels.name.unicodeScalars.count), of: content.labels.name, in: &row, layout.name)
    case .words(let marks):
      let places = marks.places(in: content.labels)
      let columns: [(SearchIndex.Part, Range<Int>)] = [
        (.name, layout.name), (.tournament, layout.tournament), (.country, layout.category), (.part, layout.part),
      ]
      for (part, cells) in columns { mark(places[part] ?? [], of: content.labels[part], in: &row, cells) }
    }
  }

  /// Writes "ended" for an ended match, the minute of a running one, and otherwise the local time of the start.
  private func time(of match: MatchContent, into row: inout Row) {
    if match.status == .ended {
      right(words(.rowEnded), into: &row, layout.time, style: Style(.muted))
    } else if match.status == .inProgress, let minute = match.minute {
      right("\(min(minute, 999))'", into: &row, layout.time, style: Style(.strong))
    } else if let start = match.startTime {
      right(ShortText(minuteOfDay: setup.time.minuteOfDay(start)), into: &row, layout.time)
    }
  }

  private func score(of match: MatchContent, into row: inout Row) {
    guard let score = match.score, !layout.score.isEmpty else { return }
    let columns = layout.score
    let text = "\(score.home)-\(score.away)"
    clip(text, into: &row, columns.lowerBound + 1..<columns.upperBound, style: Style(.strong))
    switch match.serving {
    case .home: row.write(glyphs.serving, at: columns.lowerBound)
    case .away: row.write(glyphs.serving, at: min(columns.lowerBound + 1 + text.utf8.count, columns.upperBound - 1))
    case nil: break
    }
  }

  /// Writes a price, right-aligned before the cell of its arrow. A price that cannot be bet on is not written, and one
  /// that may be out of date has a doubt mark in place of the arrow.
  func price(_ cell: PriceCell, isTrusted: Bool, into row: inout Row, _ columns: Range<Int>) {
    let end = columns.upperBound - 1
    switch cell.state {
    case .none: break
    case .suspended:
      right(words(.rowSuspended), into: &row, columns.lowerBound..<end, style: Style(.warning))
    case .closed: right("-", into: &row, columns.lowerBound..<end, style: Style(.muted))
    case .live:
      guard let odds = cell.odds else { return }
      let text = ShortText(odds, setup.odds, point: words.decimalPoint)
      if !isTrusted {
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
}

extension RowFormatter {
  /// Returns the row of column titles. An arrow after the title of the sorted column shows the direction.
  func titles(_ order: RowOrder) -> Row {
    var row = Row(width: layout.size.columns)
    let style = Style(.muted)
    title(.columnTime, order, .time, into: &row, layout.time)
    clip(words(.columnScore), into: &row, layout.score.dropFirst(), style: style)
    let name = words(.columnMatch)
    clip(name, into: &row, layout.name, style: style)
    if order.key == .name { mark(order, into: &row, at: layout.name.lowerBound + name.cellWidth) }
    for price in layout.prices {
      let title: MessageKey = [.columnHome, .columnDraw, .columnAway][price.column]
      self.title(title, order, RowOrder.Key.columns[price.column], into: &row, price.cells.dropLast())
    }
    let figure: (MessageKey, RowOrder.Key) =
      order.key == .mover ? (.columnMove, .mover) : (.columnOverround, .overround)
    title(figure.0, order, figure.1, into: &row, layout.overround)
    title(.columnAge, order, .change, into: &row, layout.age)
    clip(words(.detailColumnTrend), into: &row, layout.trend, style: style)
    clip(words(.columnPart), into: &row, layout.part, style: style)
    clip(words(.columnTournament), into: &row, layout.tournament, style: style)
    clip(words(.columnCountry), into: &row, layout.category, style: style)
    return row
  }

  /// Writes a right-aligned title. The arrow is in the gap after the column, or in the last cell at the screen's edge.
  private func title(
    _ title: MessageKey, _ order: RowOrder, _ key: RowOrder.Key, into row: inout Row, _ columns: Range<Int>
  ) {
    guard !columns.isEmpty else { return }
    let end = order.key == key ? min(columns.upperBound, layout.size.columns - 1) : columns.upperBound
    right(words(title), into: &row, columns.lowerBound..<end, style: Style(.muted))
    if order.key == key { mark(order, into: &row, at: end) }
  }

  private func mark(_ order: RowOrder, into row: inout Row, at column: Int) {
    guard column < layout.size.columns else { return }
    row.write((order.isAscending ? glyphs.up : glyphs.down).styled(Style(.strong)), at: column)
  }
}

extension RowOrder {
  /// True if the values in the sorted column increase from row to row.
  fileprivate var isAscending: Bool { (key != .mover) != isReversed }
}
