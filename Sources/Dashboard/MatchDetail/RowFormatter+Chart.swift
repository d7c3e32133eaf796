import Localization
import OddsHistory
import OddsModel
import TerminalCore

extension RowFormatter {
  /// Writes the outcome with its current price at the left, then the time and price of the cursor, and the time frames
  /// at the right. Without room, only the chosen frame remains; then the cursor replaces the outcome.
  func chartTitle(_ title: ChartTitle, into row: inout Row, _ columns: Range<Int>) {
    let frames = ChartFrame.allCases.filter { columns.count >= 48 || $0 == title.frame }
      .map { (text: label($0, isChosen: $0 == title.frame), isChosen: $0 == title.frame) }
    var end = columns.upperBound - frames.reduce(frames.count - 1) { $0 + $1.text.cellWidth }
    var at = max(columns.lowerBound, end)
    for frame in frames {
      let style = Style(frame.isChosen ? .strong : .muted)
      at = row.write(frame.text, at: at, style: style, limit: columns.upperBound) + 1
    }
    end -= 2
    let current = chartPrice(title.current)
    if let cursor = title.cursor {
      let price = chartPrice(cursor.price)
      // A price that is cut off would read as another price.
      let forms = ["\(time(cursor.time)) \(price)", price]
      if let text = forms.first(where: { columns.lowerBound + $0.cellWidth <= end }) {
        right(text, into: &row, columns.lowerBound..<end, style: Style(.strong))
        end -= text.cellWidth + 2
      }
    }
    let nameEnd = min(end - current.cellWidth - 1, columns.lowerBound + title.name.cellWidth)
    guard nameEnd > columns.lowerBound else { return }
    clip(title.name, into: &row, columns.lowerBound..<nameEnd)
    let isDoubtful = if case .doubtful = title.current { true } else { false }
    let currentEnd = row.write(current, at: nameEnd + 1, style: Style(isDoubtful ? .muted : .strong), limit: end)
    let marks = marks(title)
    // A price that is cut off would read as another price, and one without its word as the current price.
    if let text = marks.first(where: { currentEnd + 2 + $0.cellWidth <= end }) {
      row.write(text, at: currentEnd + 2, style: Style(.muted), limit: end)
    }
  }

  /// Returns texts with the opening, closing and last prices, the longest first.
  private func marks(_ title: ChartTitle) -> [String] {
    func text(_ key: MessageKey, _ odds: DecimalOdds?) -> String? { odds.map { words(key, priceText($0)) } }
    let opening = text(.chartOpening, title.opening)
    let (closing, last) = (text(.chartClosing, title.closing), text(.chartLast, title.last))
    return [[opening, closing, last], [closing, last], [closing ?? last ?? opening]].map {
      $0.compactMap(\.self).joined(separator: "  ")
    }.filter { !$0.isEmpty }
  }

  /// Writes the price line over the lines of limits and of the cursor, and the price beside the row.
  func chart(_ chart: ChartRow, into row: inout Row, _ places: DetailLayout) {
    for (index, (column, character)) in zip(places.plot, chart.cells).enumerated() {
      let isCursor = index == chart.cursor
      if let character {
        let candle = index < chart.candles.count ? chart.candles[index] : nil
        row.write(Cell(character.value, style: Style(isCursor ? .strong : role(of: candle))), at: column)
      } else if isCursor {
        row.write(glyphs.separator.styled(Style(.strong)), at: column)
      } else if chart.hasLimit {
        row.write(glyphs.limit.styled(Style(.warning)), at: column)
      }
    }
    guard let label = chart.label else { return }
    right(
      words.price(label, setup.odds), into: &row, places.scale.dropLast(),
      style: Style(chart.isLimitLabel ? .warning : .plain))
  }

  private func role(of candle: Candle?) -> Style.Role {
    guard let candle, candle.open != candle.close else { return .chart }
    return candle.close > candle.open ? .rising : .falling
  }

  func axis(_ suspended: [Bool], cursor: Int?, into row: inout Row, _ columns: Range<Int>) {
    for (index, (column, isSuspended)) in zip(columns, suspended).enumerated() {
      let cell = isSuspended ? glyphs.axis.suspended : glyphs.axis.open
      row.write(
        index == cursor ? glyphs.up.styled(Style(.strong)) : cell.styled(Style(isSuspended ? .warning : .muted)),
        at: column)
    }
  }

  /// Writes the times at the ends and in the middle, and the legend for suspended prices between them, as far as they
  /// fit. The time of the right edge has priority.
  func times(_ times: ChartTimes, into row: inout Row, _ columns: Range<Int>) {
    let style = Style(.muted)
    let end = time(times.end)
    var free = columns.lowerBound..<max(columns.lowerBound, columns.upperBound - end.cellWidth - 1)
    if end.cellWidth <= columns.count { right(end, into: &row, columns, style: style) }
    let (start, middle) = (ago(times.length, of: times.length), ago(times.length / 2, of: times.length))
    guard start.utf8.count <= free.count else { return }
    row.write(start, at: free.lowerBound, style: style)
    free = free.lowerBound + start.utf8.count + 1..<max(free.lowerBound + start.utf8.count + 1, free.upperBound)
    let center = columns.lowerBound + (columns.count - middle.utf8.count) / 2
    if center >= free.lowerBound, center + middle.utf8.count <= free.upperBound {
      row.write(middle, at: center, style: style)
      free = center + middle.utf8.count + 1..<max(center + middle.utf8.count + 1, free.upperBound)
    }
    let mark = "\(glyphs.axis.suspended.text) \(words(.statusSuspended))"
    guard times.isSuspended, mark.cellWidth + 2 <= free.count else { return }
    row.write(mark, at: free.lowerBound + (free.count - mark.cellWidth) / 2, style: Style(.warning))
  }

  /// Returns a time before the right edge: "-02:30".
  private func ago(_ seconds: Int, of length: Int) -> String { "-\(Playback.clock(seconds, of: length))" }

  private func label(_ frame: ChartFrame, isChosen: Bool) -> String {
    let text =
      switch frame {
      case .fiveMinutes: words(.ageMinutes, 5)
      case .hour: words(.ageHours, 1)
      case .sixHours: words(.ageHours, 6)
      case .day: words(.ageDays, 1)
      case .all: words(.chartAll)
      }
    return isChosen ? "[\(text)]" : text
  }

  private func time(_ time: ChartTime) -> String {
    switch time {
    case .now: words(.chartNow)
    case .wall(let time):
      setup.time.day(time) == setup.today
        ? setup.time.timeOfDay(time) : "\(setup.time.monthAndDay(time)) \(setup.time.timeOfDay(time))"
    case .position(let second, let length): Playback.clock(second, of: length)
    }
  }

  private func chartPrice(_ price: ChartPrice) -> String {
    switch price {
    case .live(let odds): priceText(odds)
    case .doubtful(let odds): "\(priceText(odds))\(glyphs.doubt)"
    case .suspended: words(.rowSuspended)
    case .unknown: glyphs.unknown
    }
  }

  private func priceText(_ odds: DecimalOdds) -> String {
    "\(words.price(odds, setup.odds))"
  }
}
