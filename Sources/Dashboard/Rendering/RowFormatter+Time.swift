import Localization
import OddsModel
import TerminalCore

// The columns of the time and of the score.
extension RowFormatter {
  /// Writes the time column.
  func time(of match: MatchContent, into row: inout Row) {
    switch match.time {
    case .ended: right(words(.rowEnded), into: &row, layout.time, style: Style(.muted))
    case .clock(let minute): right(ShortText(minute: minute), into: &row, layout.time, style: Style(.strong))
    case .live:
      // The part says more, unless it has a column of its own.
      let part = match.labels.part
      let hasPart = !layout.columns.shown.contains(.part) && !part.isEmpty && part.cellWidth <= layout.time.count
      right(hasPart ? part : words(.rowLive), into: &row, layout.time, style: Style(.strong))
    case .start(let time):
      if let day = day(of: time) { return start(time, on: day, of: match, into: &row) }
      right(timeOfDay(time), into: &row, layout.time)
    case .unknown: break
    }
  }

  /// Returns true if a start time with its date fills the score's column too.
  func fillsScore(_ match: MatchContent) -> Bool {
    guard case .start(let time) = match.time, let day = day(of: time), canFillScore(match) else { return false }
    return width(of: day, timeOfDay(time)) > layout.time.count
  }

  /// Returns true if the score's column follows that of the time, and the score is not known.
  private func canFillScore(_ match: MatchContent) -> Bool {
    match.score == nil && !layout.time.isEmpty && layout.score.lowerBound == layout.time.upperBound + 1
  }

  private func width(of day: Day, _ clock: ShortText) -> Int { day.cellWidth + 1 + clock.count }

  /// Writes a start time on another day: with the time of day if there is room, also in the column of a score that is
  /// not known, and otherwise the date alone.
  private func start(_ time: Int64, on day: Day, of match: MatchContent, into row: inout Row) {
    let clock = timeOfDay(time)
    let width = width(of: day, clock)
    var columns = max(layout.time.lowerBound, layout.time.upperBound - width)..<layout.time.upperBound
    if width > columns.count {
      guard canFillScore(match) else {
        switch day {
        case .name(let name): right(name, into: &row, layout.time)
        case .date(let date): right(date, into: &row, layout.time)
        }
        return
      }
      // The last two cells are for the mark of a pinned row.
      columns = layout.time.lowerBound..<layout.score.upperBound - 2
    }
    // NB: Written in two parts. Many rows have a date, and none of them needs a string.
    switch day {
    case .date(let date) where width <= columns.count:
      row.write(date, at: columns.lowerBound)
      row.write(clock, at: columns.lowerBound + date.count + 1)
    case .date(let date): clip("\(date) \(clock)", into: &row, columns)
    case .name(let name): clip("\(name) \(clock)", into: &row, columns)
    }
  }

  /// Returns the text of a start time: `14:30` today, `Sat 14:30` in the next six days, otherwise `12-24 14:30`.
  func startText(_ time: Int64) -> String {
    switch day(of: time) {
    case nil: "\(timeOfDay(time))"
    case .name(let name): "\(name) \(timeOfDay(time))"
    case .date(let date): "\(date) \(timeOfDay(time))"
    }
  }

  private func timeOfDay(_ time: Int64) -> ShortText { ShortText(minuteOfDay: setup.time.minuteOfDay(time)) }

  /// A day other than today.
  private enum Day {
    /// The name of one of the next six days.
    case name(String)
    /// The month and the day of the month.
    case date(ShortText)

    var cellWidth: Int {
      switch self {
      case .name(let name): name.cellWidth
      case .date(let date): date.count
      }
    }
  }

  /// Returns the day of a time; nil for today.
  private func day(of time: Int64) -> Day? {
    let day = setup.time.day(time)
    switch day - setup.today {
    case 0: return nil
    // The first day of 1970 was a Thursday.
    case 1...6: return .name(words(Self.days[(day % 7 + 10) % 7]))
    default: return .date(LocalTime.monthAndDay(ofDay: day))
    }
  }

  private static let days: [MessageKey] = [
    .dayMonday, .dayTuesday, .dayWednesday, .dayThursday, .dayFriday, .daySaturday, .daySunday,
  ]

  /// Writes the score. Beside each number is the mark of the serving side, or of a side with a player sent off.
  func score(of match: MatchContent, into row: inout Row, _ columns: Range<Int>) {
    guard let score = match.score else { return }
    let text = "\(score.home)-\(score.away)"
    let first = columns.lowerBound + 1
    clip(text, into: &row, first..<columns.upperBound, style: Style(.strong))
    if let flash = match.scoreFlash, !setup.isLowBandwidth {
      let role = flash.isUp ? Style.Role.rising : .falling
      let end = first + "\(score.home)".utf8.count
      if flash.home { row.color(role, columns: (first..<end).clamped(to: columns)) }
      if flash.away { row.color(role, columns: (end + 1..<first + text.utf8.count).clamped(to: columns)) }
    }
    let after = first + text.utf8.count
    func mark(_ side: Side, _ cell: Cell) {
      // A mark over the last digit would show another score.
      if side == .away, after >= columns.upperBound { return }
      row.write(cell, at: side == .home ? columns.lowerBound : after)
    }
    if let cards = match.redCards {
      let card = glyphs.redCard.styled(Style(.falling))
      if cards.home > 0 { mark(.home, card) }
      if cards.away > 0 { mark(.away, card) }
    }
    if let side = match.serving { mark(side, glyphs.serving) }
  }
}
