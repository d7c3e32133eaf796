import OddsModel

/// A row below an outcome of an exchange in the detail pane: a level of both sides, or a summary.
struct DetailLadder: Equatable {
  /// A price to back or lay, with the amount available.
  struct Side: Equatable {
    var odds: DecimalOdds
    /// In ten-millionths.
    var size: Int64
    /// The amount as a share of the largest of the ladder, from 0 to 1.
    var depth: Double
  }

  enum Content: Equatable {
    case level(back: Side?, lay: Side?)
    case summary(lastTraded: DecimalOdds?, matched: Amount?)
  }

  var content: Content
  /// True if the levels have lines, such as a number of runs, in place of odds.
  var hasLines: Bool
  /// False if the prices may be out of date.
  var isTrusted: Bool

  /// The number of rows below an outcome: the levels and the summary.
  static let rowCount = ExchangePrices.levelCount + 1

  /// Creates a row of an outcome. The levels are empty while no bets are taken, so that no old price is shown as live.
  init(_ row: Int, of prices: ExchangePrices, _ outcome: Outcome, in market: Market, isTrusted: Bool) {
    self.isTrusted = isTrusted
    hasLines = market.exchange?.hasLines ?? false
    guard row < ExchangePrices.levelCount else {
      content = .summary(lastTraded: prices.lastTraded, matched: prices.matched)
      return
    }
    let isOpen = hasLines ? market.takesBets : market.takesBets(on: outcome)
    let largest = (prices.backs + prices.lays).compactMap { $0.size?.units }.max() ?? 0
    func side(_ offers: [BettingOffer]) -> Side? {
      guard isOpen, row < offers.count, let odds = offers[row].odds, let size = offers[row].size?.units else {
        return nil
      }
      return Side(odds: odds, size: size, depth: largest > 0 ? Double(size) / Double(largest) : 0)
    }
    content = .level(back: side(prices.backs), lay: side(prices.lays))
  }
}
