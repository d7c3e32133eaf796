import Localization
import OddsModel
import TerminalCore

/// The fair prices in the columns 1, X and 2: those of a market with one winner, without its margin. A market with two
/// outcomes leaves the middle one empty.
struct FairTriple: Hashable, Sendable {
  /// The width of three prices with a blank between them.
  static let width = 3 * ShortText.priceWidth + 2

  private(set) var odds: [DecimalOdds?]

  /// The lowest price, that of the most probable outcome.
  var lowest: DecimalOdds? { odds.compactMap(\.self).min() }

  /// Creates fair prices from implied probabilities, nil for a column without an outcome. Nil if there are none.
  fileprivate init?(_ implied: [Double?], _ method: MarginMethod) {
    guard let fair = FairPrices(implied: implied, winnerCount: 1, method) else { return nil }
    odds = implied.indices.map { fair.odds(ofOutcomeAt: $0) }
  }
}

extension MatchRow {
  /// Returns the fair prices, made of the prices that the row shows. Nil if the market lacks an outcome, or an outcome
  /// has no column or no price that can be bet on. On an exchange each outcome also needs a price to lay, and the mean
  /// of the two implied probabilities is used.
  func fairPrices(_ method: MarginMethod) -> FairTriple? {
    guard hasWholeMarket else { return nil }
    var implied: [Double?] = []
    for index in PriceTriple.indices {
      if prices[index].state == .none {
        implied.append(nil)
        continue
      }
      guard let back = FairPrices.impliedProbability(prices[index].bettable) else { return nil }
      if exchange.isEmpty {
        implied.append(back)
      } else {
        guard let lay = FairPrices.impliedProbability(exchange[index].lay.bettable) else { return nil }
        implied.append((back + lay) / 2)
      }
    }
    return FairTriple(implied, method)
  }
}

extension RowFormatter {
  /// Writes fair prices, each right-aligned in a third of the column.
  func fair(_ fair: FairTriple?, into row: inout Row, _ cells: Range<Int>) {
    guard let fair else { return }
    for (index, odds) in fair.odds.enumerated() {
      guard let odds else { continue }
      let start = cells.lowerBound + index * (ShortText.priceWidth + 1)
      right(words.price(odds, setup.odds), into: &row, start..<start + ShortText.priceWidth)
    }
  }
}
