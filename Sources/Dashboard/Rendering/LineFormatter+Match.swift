import Localization
import OddsFeed
import TerminalCore

extension LineFormatter {
  func match(_ line: MatchLine) -> Row {
    var row = Row(width: width)
    time(of: line, into: &row)
    score(of: line, into: &row)
    var name = layout.name
    if line.isPinned { pin(into: &row, &name) }
    if line.isAlerted { alertMark(into: &row, &name) }
    clip(line.labels.name, into: &row, name, style: Style(line.isSelected ? .strong : .plain))
    for price in layout.prices {
      self.price(line.prices[price.column], isTrusted: line.isTrusted, into: &row, price.cells)
    }
    switch line.figure {
    case .move(let move): self.move(move, isTrusted: line.isTrusted, into: &row)
    case .overround(let overround):
      right(tenths(overround), into: &row, layout.overround, style: Style(line.isTrusted ? .plain : .muted))
    case nil: break
    }
    if let age = line.age, !age.isUnderMinute || !setup.isLowBandwidth {
      right(age.text(words), into: &row, layout.age)
    }
    if !setup.isLowBandwidth { trend(line.trend, into: &row) }
    clip(line.labels.part, into: &row, layout.part, style: Style(.muted))
    clip(line.labels.tournament, into: &row, layout.tournament, style: Style(.muted))
    clip(line.labels.category, into: &row, layout.category, style: Style(.muted))
    highlight(line, into: &row)
    if line.isSelected { row.lay(.selected) }
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
    let line = Sparkline(trend, cells: layout.trend.count, levels: glyphs.levels.count)
    for (column, height) in zip(layout.trend, line.heights) { row.write(glyphs.levels[height], at: column) }
  }

  private func highlight(_ line: MatchLine, into row: inout Row) {
    switch line.highlight {
    case .none: break
    case .name: mark(Set(0..<line.labels.name.unicodeScalars.count), of: line.labels.name, in: &row, layout.name)
    case .words(let marks):
      let places = marks.places(in: line.labels)
      let columns: [(SearchIndex.Part, Range<Int>)] = [
        (.name, layout.name), (.tournament, layout.tournament), (.country, layout.category), (.part, layout.part),
      ]
      for (part, cells) in columns { mark(places[part] ?? [], of: line.labels[part], in: &row, cells) }
    }
  }

  /// Writes "ended" for an ended match, the minute of a running one, and otherwise the local time of the start.
  private func time(of match: MatchLine, into row: inout Row) {
    if match.status == .ended {
      right(words(.rowEnded), into: &row, layout.time, style: Style(.muted))
    } else if match.status == .inProgress, let minute = match.minute {
      right("\(min(minute, 999))'", into: &row, layout.time, style: Style(.strong))
    } else if let start = match.startTime {
      right(ShortText(minuteOfDay: setup.time.minuteOfDay(start)), into: &row, layout.time)
    }
  }

  private func score(of match: MatchLine, into row: inout Row) {
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
