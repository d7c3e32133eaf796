import OddsFeed
import OddsModel

/// The content of a match's row.
struct MatchContent: Equatable {
  /// The figure of the main market beside its prices.
  enum Figure: Equatable {
    /// In tenths of a per cent.
    case margin(Int)
    /// The movement of the favourite's price, in hundredths of a per cent.
    case move(Int)
  }

  let id: MatchID
  let labels: Match.Names
  let name: MatchName
  let time: MatchTime
  let score: Score?
  let scoreFlash: ScoreFlash?
  let serving: Side?
  let redCards: Score?
  let prices: PriceTriple
  let figure: Figure?
  let age: Age?
  let trend: PriceTrend
  var isSelected = false
  var isPinned = false
  /// True if the match has an unread alert.
  var isAlerted = false
  /// False if the prices may be out of date.
  var isTrusted = true
  var highlight = Highlight.none

  /// Returns the number of prices sent to the terminal again when this row replaces another.
  func changes(since old: MatchContent) -> Int {
    guard id == old.id else { return 0 }
    return PriceTriple.indices.count { prices[$0].odds != old.prices[$0].odds }
  }
}

extension MatchRow {
  /// Returns the content of the row. `showsMove` is true if the movement of the favourite's price replaces the
  /// margin.
  func content(showsMove: Bool) -> MatchContent {
    MatchContent(
      id: id, labels: labels, name: name, time: time, score: score, scoreFlash: scoreFlash, serving: serving,
      redCards: redCards, prices: prices,
      figure: showsMove ? move.map(MatchContent.Figure.move) : margin.shown.map(MatchContent.Figure.margin),
      age: age, trend: trend)
  }
}

extension BoardState {
  /// Returns the content of the row at a position.
  func matchContent(_ position: Int) -> MatchContent {
    list.rows.withRow(at: position) { matchContent($0, isSelected: position == list.cursor) }
  }

  // NB: the row is borrowed, because a copy of it would cost more than its content.
  private func matchContent(_ row: borrowing MatchRow, isSelected: Bool) -> MatchContent {
    var content = row.content(showsMove: list.rows.order.key == .mover)
    content.isSelected = isSelected
    content.isPinned = list.rows.pinned.contains(content.id)
    content.isAlerted = alerts.log.unreadMatches.contains(content.id)
    content.isTrusted = !connection.isLocked && row.tradingStatus.isTrusted
    content.highlight = filterState.highlight(of: row)
    return content
  }
}
