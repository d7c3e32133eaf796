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
  let exchange: ExchangeCells
  let figure: Figure?
  let age: Age?
  let trend: PriceTrend
  let isSelected: Bool
  let isPinned: Bool
  /// True if the match has an unread alert.
  let isAlerted: Bool
  /// False if the prices may be out of date.
  let isTrusted: Bool
  let highlight: Highlight

  /// Returns the number of prices sent to the terminal again when this row replaces another.
  func changes(since old: MatchContent) -> Int {
    guard id == old.id else { return 0 }
    return PriceTriple.indices.count { prices[$0].odds != old.prices[$0].odds }
  }
}

/// A key of a match's content, cheap to make and to compare: equal keys have equal contents.
struct MatchContentKey: Equatable {
  /// The version of the row.
  let version: UInt64
  let marks: MatchMarks
}

/// The part of a match's content that does not depend on its row.
struct MatchMarks: Equatable {
  let showsMove: Bool
  let isSelected: Bool
  let isPinned: Bool
  let isAlerted: Bool
  /// False if the connection is locked.
  let isTrusted: Bool
}

extension BoardState {
  /// Returns the key of the content of the row at a position. Nil while a filter highlights parts of rows.
  func matchContentKey(_ position: Int) -> MatchContentKey? {
    guard filterState.filter == nil else { return nil }
    return MatchContentKey(version: list.rows.version(at: position), marks: matchMarks(position))
  }

  private func matchMarks(_ position: Int) -> MatchMarks {
    let (pinned, unread) = (list.rows.pinned, alerts.log.unreadMatches)
    let id = pinned.isEmpty && unread.isEmpty ? nil : list.rows.withRow(at: position) { $0.id }
    return MatchMarks(
      showsMove: list.rows.order.key == .mover, isSelected: position == list.cursor,
      isPinned: id.map(pinned.contains) ?? false, isAlerted: id.map(unread.contains) ?? false,
      isTrusted: !connection.isLocked)
  }

  /// Returns the content of the row at a position.
  func matchContent(_ position: Int) -> MatchContent {
    let marks = matchMarks(position)
    let highlight =
      filterState.filter == nil ? .none : list.rows.withRow(at: position) { filterState.highlight(of: $0) }
    return list.rows.withRow(at: position) { row in
      MatchContent(
        id: row.id, labels: row.labels, name: row.name, time: row.time, score: row.score, scoreFlash: row.scoreFlash,
        serving: row.serving, redCards: row.redCards, prices: row.prices, exchange: row.exchange,
        figure: marks.showsMove ? row.move.map { .move($0) } : row.margin.shown.map { .margin($0) },
        age: row.age, trend: row.trend, isSelected: marks.isSelected, isPinned: marks.isPinned,
        isAlerted: marks.isAlerted, isTrusted: marks.isTrusted && row.tradingStatus.isTrusted, highlight: highlight)
    }
  }
}
