import Localization
import OddsModel
import TerminalCore

extension RowFormatter {
  /// Returns a row of the list with a row of the pane beside it.
  func split(_ list: Row, _ content: DetailContent) -> Row {
    var row = Row(width: layout.size.columns)
    for (column, cell) in list.cells.enumerated() where cell.width > 0 { row.write(cell, at: column) }
    row.write(glyphs.separator.styled(Style(.muted)), at: layout.pane.lowerBound - 1)
    detail(content, into: &row)
    return row
  }

  func detail(_ content: DetailContent, into row: inout Row) {
    // Only the columns are used, which depend neither on a notice nor on the calculator.
    let places = DetailLayout(layout, hasNotice: false)
    switch content {
    case .blank: break
    case .name(let head): name(head, into: &row, places.columns)
    case .about(let head, let grade): about(head, grade, into: &row, places.columns)
    case .notice(let notice): self.notice(notice, into: &row, places.columns)
    case .titles(let hasStakes): detailTitles(hasStakes: hasStakes, into: &row, places)
    case .market(let market): self.market(market, into: &row, places)
    case .outcome(let outcome): self.outcome(outcome, into: &row, places)
    case .ladder(let ladder): self.ladder(ladder, into: &row, places)
    case .chartTitle(let title): chartTitle(title, into: &row, places.columns)
    case .chart(let chart): self.chart(chart, into: &row, places)
    case .axis(let suspended, let cursor): axis(suspended, cursor: cursor, into: &row, places.plot)
    case .times(let times): self.times(times, into: &row, places.plot)
    case .calculator(let content): calculator(content, into: &row, places.columns)
    }
  }

  /// Writes the name at the left, and at the right the score, the serving side, and the minute or the start time.
  private func name(_ head: DetailHead, into row: inout Row, _ columns: Range<Int>) {
    var parts: [String] = []
    if let score = head.score {
      let mark = glyphs.bullet
      parts.append(
        (head.serving == .home ? mark : "") + "\(score.home)-\(score.away)" + (head.serving == .away ? mark : ""))
    }
    switch MatchTime(head.status, minute: head.minute, startTime: head.startTime) {
    case .ended: parts.append(words(.rowEnded))
    case .clock(let minute): parts.append("\(minute)'")
    case .live: parts.append(words(.rowLive))
    case .start(let time): parts.append(startText(time))
    case .unknown: break
    }
    let state = parts.joined(separator: "  ")
    let isRoom = state.cellWidth + 10 <= columns.count
    if isRoom { right(state, into: &row, columns, style: Style(.strong)) }
    let end = columns.upperBound - (isRoom && !state.isEmpty ? state.cellWidth + 2 : 0)
    guard let labels = head.labels else { return }
    name(MatchName(labels), labels.name, into: &row, columns.lowerBound..<end, style: Style(.strong))
  }

  private func about(_ head: DetailHead, _ grade: Freshness.Grade, into row: inout Row, _ columns: Range<Int>) {
    let state = grade == .live || head.isUnknown ? "" : words(grade.name)
    right(state, into: &row, columns, style: Style(grade.isTrusted ? .plain : .warning))
    let end = columns.upperBound - (state.isEmpty ? 0 : state.cellWidth + 2)
    guard let labels = head.labels else { return }
    var parts = [labels.tournament, labels.category, labels.part]
    if head.status != .pending, let start = head.startTime {
      parts.append(words(.detailStarted, startText(start)))
    }
    let text = words.text(parts.filter { !$0.isEmpty }.map(LocalizedMessage.verbatim), joinedBy: .joinedWords)
    clip(text, into: &row, columns.lowerBound..<max(columns.lowerBound, end), style: Style(.muted))
  }

  private func notice(_ notice: DetailNotice, into row: inout Row, _ columns: Range<Int>) {
    let (text, role): (String, Style.Role) =
      switch notice {
      case .gone: (words(.detailGone), .warning)
      case .loading: (words(.detailLoading), .muted)
      case .fromHistory(let time): (words(.detailFromHistory, startText(time)), .warning)
      case .channelOnly: (words(.detailChannelOnly), .muted)
      case .problem(let problem): (words.text(problem).capitalizedFirst, .warning)
      }
    clip(text, into: &row, columns, style: Style(role))
  }

  private func detailTitles(hasStakes: Bool, into row: inout Row, _ places: DetailLayout) {
    let style = Style(.muted)
    clip(words(.detailColumnOutcome), into: &row, places.outcome, style: style)
    right(words(.detailColumnPrice), into: &row, places.price.dropLast(), style: style)
    right(words(.columnFair), into: &row, places.fair, style: style)
    if hasStakes { return right(words(.columnStake), into: &row, places.stake, style: style) }
    for (span, columns) in zip(DetailLayout.spans, places.changes) {
      let title = span.map { words(.detailColumnSpan, $0 / 60) } ?? words(.detailColumnOpen)
      right(title, into: &row, columns, style: style)
    }
    right(words(.detailColumnChance), into: &row, places.probability, style: style)
  }

  private func market(_ market: DetailMarket, into row: inout Row, _ places: DetailLayout) {
    var (state, style) = ("", Style(.muted))
    if market.isClosed {
      state = words(.statusClosed)
    } else if market.isSuspended {
      state = words(.statusSuspended)
      style = Style(.warning)
    } else if let matched = market.matched {
      state = words(.ladderMatched, words.amount(matched))
      if market.isTrusted { style = .plain }
    } else if let margin = market.margin {
      state = words(.detailMargin, "\(words.tenths(margin))")
      if market.isTrusted { style = .plain }
    }
    let last = places.lastColumn
    let isRoom = state.cellWidth + 12 <= places.columns.count
    if isRoom { right(state, into: &row, places.columns.lowerBound..<last, style: style) }
    let end = last - (isRoom && !state.isEmpty ? state.cellWidth + 2 : 0)
    let title = MarketTitle(name: market.name, handicap: market.handicap).text(words)
    clip(title, into: &row, places.columns.lowerBound..<end, style: Style(.strong))
  }

  private func outcome(_ outcome: DetailOutcome, into row: inout Row, _ places: DetailLayout) {
    if outcome.isChosen { row.write(glyphs.chosen.0, at: places.columns.lowerBound) }
    clip(outcome.name, into: &row, places.outcome, style: Style(outcome.isChosen ? .strong : .plain))
    price(outcome.cell, isTrusted: outcome.isTrusted, into: &row, places.price)
    if let fair = outcome.fair {
      right(words.price(fair, setup.odds), into: &row, places.fair)
    }
    if outcome.isMarked { row.write(glyphs.marked, at: places.columns.lowerBound + 1) }
    defer { if outcome.isChosen { row.lay(.selected, columns: places.columns) } }
    if let stake = outcome.stake {
      if stake.cellWidth <= places.stake.count { right(stake, into: &row, places.stake, style: Style(.strong)) }
      return
    }
    if outcome.cell.state == .live, let odds = outcome.cell.odds {
      let chance = words.tenths(Int((odds.impliedProbability * 1000).rounded()))
      right(chance, into: &row, places.probability, style: Style(outcome.isTrusted ? .plain : .muted))
    }
    for (change, columns) in zip(outcome.changes, places.changes) {
      if let change { self.change(change, into: &row, columns) }
    }
  }

  /// Writes a change given in tenths of a per cent, with an arrow and a sign. Changes of 100 % or more have no decimal.
  func change(_ tenths: Int, into row: inout Row, _ columns: Range<Int>) {
    guard tenths != 0, !columns.isEmpty else {
      return right(words.tenths(0), into: &row, columns, style: Style(.muted))
    }
    var text = ShortText()
    let size = min(Int(tenths.magnitude), 99_999)
    if size < 1000 {
      text = words.tenths(size)
    } else {
      text.push(number: Int64(size / 10))
    }
    text.push(UInt8(ascii: tenths > 0 ? "+" : "-"))
    let style = Style(tenths > 0 ? .rising : .falling)
    right(text, into: &row, columns, style: style)
    row.write((tenths > 0 ? glyphs.up : glyphs.down).styled(style), at: columns.upperBound - text.count - 1)
  }
}
