import OddsFeed
import OddsModel

/// The content of a match's row: what its columns and marks show. Values of columns that are not shown are left out, so
/// that their changes neither format the row again nor count as changed prices.
struct MatchContent: Equatable {
  let id: MatchID
  let labels: Match.Names
  let name: MatchName
  private(set) var time = MatchTime.unknown
  private(set) var score: Score?
  private(set) var scoreFlash: ScoreFlash?
  private(set) var serving: Side?
  private(set) var redCards: Score?
  private(set) var prices = PriceTriple()
  private(set) var exchange = ExchangeCells()
  private(set) var age: Age?
  private(set) var trend = PriceTrend()
  /// The margin in tenths of a per cent.
  private(set) var margin: Int?
  /// The movement of the favourite's price, in hundredths of a per cent.
  private(set) var move: Int?
  private(set) var favourite: DecimalOdds?
  /// The stakes matched, in ten-millionths.
  private(set) var matched: Int64?
  private(set) var moves = RecentMoves()
  private(set) var fair: FairTriple?
  /// The columns that are shown.
  let shown: ColumnSet
  let isSelected: Bool
  let isPinned: Bool
  /// True if the match has an unread alert.
  let isAlerted: Bool
  /// False if the prices may be out of date.
  let isTrusted: Bool
  let highlight: Highlight

  /// Creates the content of a row. `method` makes its fair prices.
  init(
    _ row: borrowing MatchRow, _ shown: ColumnSet, _ method: MarginMethod, isSelected: Bool, isPinned: Bool,
    isAlerted: Bool, isTrusted: Bool, highlight: Highlight
  ) {
    id = row.id
    labels = row.labels
    name = row.name
    self.shown = shown
    self.isSelected = isSelected
    self.isPinned = isPinned
    self.isAlerted = isAlerted
    self.isTrusted = isTrusted
    self.highlight = highlight
    if shown.contains(.time) || shown.contains(.minute) { time = row.time }
    if shown.contains(.score) {
      score = row.score
      scoreFlash = row.scoreFlash
      serving = row.serving
      redCards = row.redCards
    }
    for index in PriceTriple.indices where shown.contains(BoardColumn.prices[index]) {
      prices[index] = row.prices[index]
    }
    if !row.exchange.isEmpty { exchange = row.exchange.only(shown) }
    if shown.contains(.change) { age = row.age }
    if shown.contains(.trend) { trend = row.trend }
    if shown.contains(.margin) { margin = row.margin.shown }
    if shown.contains(.mover) { move = row.move }
    if shown.contains(.favourite) { favourite = row.favourite }
    if shown.contains(.matched) { matched = row.matched }
    if shown.contains(.oneMinute) { moves.oneMinute = row.moves.oneMinute }
    if shown.contains(.fiveMinutes) { moves.fiveMinutes = row.moves.fiveMinutes }
    if shown.contains(.fair), isTrusted { fair = row.fairPrices(method) }
  }

  /// Returns the number of prices sent to the terminal again when this row replaces another: prices in columns that
  /// both rows show.
  func changes(since old: MatchContent) -> Int {
    guard id == old.id else { return 0 }
    return PriceTriple.indices.count { index in
      let column = BoardColumn.prices[index]
      return shown.contains(column) && old.shown.contains(column) && prices[index].odds != old.prices[index].odds
    }
  }
}

/// A key of the content of a row of the list, cheap to make and to compare: equal keys have equal contents.
struct MatchContentKey: Equatable {
  /// The version of the match's row; 0 below the last match.
  let version: UInt64
  let marks: MatchMarks
}

/// The keys of one frame's rows. NB: A structure would be copied for each row.
final class MatchContentKeys {
  private let body: Range<Int>
  private let rows: RowList
  private let top: Int
  private let cursor: Int
  private let sticky: Int
  private let common: MatchMarks
  private let unread: Set<MatchID>

  /// Nil while a filter highlights parts of rows, and while a prompt is open, which may cover a row.
  init?(of state: borrowing BoardState, body: Range<Int>) {
    guard state.filterState.filter == nil, state.promptBar.prompt == nil else { return nil }
    self.body = body
    rows = state.list.rows
    unread = state.alerts.log.unreadMatches
    top = state.list.top
    cursor = state.list.cursor
    sticky = state.list.stickyCount
    common = state.commonMarks
  }

  /// Returns the key of a row of the screen; nil outside the body and for the heading of a group.
  @inline(__always)
  func key(at row: Int) -> MatchContentKey? {
    guard body.contains(row) else { return nil }
    let index = row - body.lowerBound
    let line = index < sticky ? index : top + index
    guard line < rows.lineCount else { return MatchContentKey(version: 0, marks: common) }
    guard let position = rows.position(atLine: line) else { return nil }
    var marks = common
    if line == cursor { marks.insert(.isSelected) }
    if !rows.pinned.isEmpty || !unread.isEmpty {
      let id = rows.withRow(at: position) { $0.id }
      if rows.pinned.contains(id) { marks.insert(.isPinned) }
      if unread.contains(id) { marks.insert(.isAlerted) }
    }
    return MatchContentKey(version: rows.version(at: position), marks: marks)
  }
}

/// The part of a match's content that does not depend on its row.
struct MatchMarks: OptionSet {
  let rawValue: UInt8

  static let isSelected = MatchMarks(rawValue: 1)
  static let isPinned = MatchMarks(rawValue: 2)
  static let isAlerted = MatchMarks(rawValue: 4)
  /// Absent if prices may be out of date: see `BoardState.showsLivePrices`.
  static let isTrusted = MatchMarks(rawValue: 8)
}

extension BoardState {
  /// The marks that all matches have in common.
  fileprivate var commonMarks: MatchMarks {
    showsLivePrices ? .isTrusted : []
  }

  /// Returns the content of the row at a position, for the columns that are shown.
  func matchContent(_ position: Int, _ shown: ColumnSet) -> MatchContent {
    let marks = commonMarks
    let (pinned, unread) = (list.rows.pinned, alerts.log.unreadMatches)
    let highlight =
      filterState.filter == nil ? .none : list.rows.withRow(at: position) { filterState.highlight(of: $0) }
    return list.rows.withRow(at: position) { row in
      MatchContent(
        row, shown, settings.marginMethod, isSelected: position == list.selectedPosition,
        isPinned: pinned.contains(row.id), isAlerted: unread.contains(row.id),
        isTrusted: marks.contains(.isTrusted) && row.tradingStatus.isTrusted, highlight: highlight)
    }
  }
}
