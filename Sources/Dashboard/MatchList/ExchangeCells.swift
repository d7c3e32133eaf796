import OddsModel

/// The cells of a row for an exchange beside the prices to back, for the columns 1, X and 2. Empty for fixed odds.
struct ExchangeCells: Hashable, Sendable {
  struct Cell: Hashable, Sendable {
    /// The best price to lay; in the state `none` if nobody offers one, or if no bets are taken.
    var lay = PriceCell()
    /// The amounts available at the best prices, in ten-millionths; nil if there are none.
    var backSize: Int64?
    var laySize: Int64?
  }

  private var cells: [Cell] = []

  init() {}

  init(_ market: Market) {
    guard market.exchange != nil else { return }
    cells = Array(repeating: Cell(), count: PriceTriple.indices.count)
    for (index, outcome) in market.outcomes.enumerated() {
      guard let column = PriceTriple.column(of: outcome, index, of: market.outcomes.count),
        let prices = outcome.exchange, market.takesBets(on: outcome)
      else { continue }
      if outcome.isBettable { cells[column].backSize = prices.backs.first?.size?.units }
      if let best = prices.lays.first {
        cells[column].lay = PriceCell(state: .live, odds: best.odds)
        cells[column].laySize = best.size?.units
      }
    }
  }

  /// Returns the cells of the shown columns; the others are empty.
  func only(_ shown: ColumnSet) -> ExchangeCells {
    var exchange = self
    for index in cells.indices {
      if !shown.contains(BoardColumn.lays[index]) { exchange.cells[index].lay = PriceCell() }
      if !shown.contains(BoardColumn.backSizes[index]) { exchange.cells[index].backSize = nil }
      if !shown.contains(BoardColumn.laySizes[index]) { exchange.cells[index].laySize = nil }
    }
    return exchange.cells.allSatisfy { $0 == Cell() } ? ExchangeCells() : exchange
  }

  var isEmpty: Bool { cells.isEmpty }

  subscript(_ column: Int) -> Cell { cells.isEmpty ? Cell() : cells[column] }
}
