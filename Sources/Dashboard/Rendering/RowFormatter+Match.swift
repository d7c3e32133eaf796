import Localization
import OddsFeed
import OddsModel
import TerminalCore

extension RowFormatter {
  func match(_ content: MatchContent) -> Row {
    var row = Row(width: width)
    let isDateLong = time(of: content, into: &row)
    score(of: content, into: &row)
    row.write(content.labels.sport, at: layout.sport.lowerBound, style: Style(.muted), limit: layout.sport.upperBound)
    var columns = layout.name
    if content.isPinned { pin(into: &row, &columns, isDateLong: isDateLong) }
    if content.isAlerted { alertMark(into: &row, &columns) }
    let style = Style(content.isSelected ? .strong : .plain)
    let name = name(content.name, content.labels.name, into: &row, columns, style: style)
    for price in layout.prices {
      self.price(content.prices[price.column], isTrusted: content.isTrusted, into: &row, price.cells)
      if !content.exchange.isEmpty { sides(content.exchange[price.column], content.isTrusted, into: &row, price) }
    }
    switch content.figure {
    case .move(let move): self.move(move, isTrusted: content.isTrusted, into: &row)
    case .margin(let margin):
      right(tenths(margin), into: &row, layout.margin, style: Style(content.isTrusted ? .plain : .muted))
    case nil: break
    }
    if let age = content.age, !age.isUnderMinute || !setup.isLowBandwidth {
      right(age.text(words), into: &row, layout.age)
    }
    if !setup.isLowBandwidth { trend(content.trend, into: &row) }
    clip(content.labels.part, into: &row, layout.part, style: Style(.muted))
    clip(content.labels.tournament, into: &row, layout.tournament, style: Style(.muted))
    clip(content.labels.category, into: &row, layout.category, style: Style(.muted))
    highlight(content, name, into: &row)
    if content.isSelected { row.lay(.selected) }
    return row
  }

  /// Writes the best price to lay, and the amounts at the best prices.
  private func sides(_ cell: ExchangeCells.Cell, _ isTrusted: Bool, into row: inout Row, _ columns: Layout.Price) {
    if !columns.lay.isEmpty { price(cell.lay, isTrusted: isTrusted, into: &row, columns.lay) }
    for (size, columns) in [(cell.backSize, columns.backSize), (cell.laySize, columns.laySize)] {
      if let size { right(words.size(size), into: &row, columns, style: Style(.muted)) }
    }
  }

  /// Writes the mark of a pinned row into the gap after the time, or before the name if there is no time column. A date
  /// that fills that gap has the mark behind it.
  private func pin(into row: inout Row, _ name: inout Range<Int>, isDateLong: Bool) {
    let column =
      isDateLong ? layout.score.upperBound - 1 : layout.time.isEmpty ? name.lowerBound : layout.time.upperBound
    row.write(glyphs.pin.styled(Style(.strong)), at: column)
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
    right(text, into: &row, layout.margin, style: Style(isTrusted ? .plain : .muted))
  }

  /// Draws the trend of a match that has at least one change.
  private func trend(_ trend: PriceTrend, into row: inout Row) {
    guard trend.count > 1, !layout.trend.isEmpty else { return }
    let sparkline = Sparkline(trend, cells: layout.trend.count, levels: glyphs.levels.count)
    for (column, height) in zip(layout.trend, sparkline.heights) { row.write(glyphs.levels[height], at: column) }
  }

  private func highlight(_ content: MatchContent, _ name: NameColumns, into row: inout Row) {
    switch content.highlight {
    case .none: break
    case .name: mark(Set(0..<content.labels.name.unicodeScalars.count), of: content.labels.name, in: &row, name)
    case .words(let marks):
      let places = marks.places(in: content.labels)
      let columns: [(SearchIndex.Part, Range<Int>)] = [
        (.tournament, layout.tournament), (.country, layout.category), (.part, layout.part),
      ]
      mark(places[.name] ?? [], of: content.labels.name, in: &row, name)
      for (part, cells) in columns { mark(places[part] ?? [], of: content.labels[part], in: &row, cells) }
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
