import OddsModel

/// The conversion of share prices into odds. No other code converts them.
///
/// A share costs `price` and pays 1 if its outcome happens. An order to sell shares (an ask) is what one can buy:
/// buying a share stakes `price` to receive 1, which is a bet on the outcome at odds of `1 / price`. So asks are prices
/// to back, and the lowest ask has the highest odds. An order to buy shares (a bid) is what one can sell: who sells a
/// share takes the buyer's stake `price` and pays 1 if the outcome happens, which is a bet against the outcome at odds
/// of `1 / price`. So bids are prices to lay, and the highest bid has the lowest odds. In both cases the amount is the
/// backer's stake, `shares × price`, in USDC.
enum Quotation {
  /// The currency of all amounts.
  static let currency = Currency("USDC")!

  /// Returns the odds of a price from 0 to 1, both excluded and in ten-millionths. Rounds half up.
  static func odds(of price: Int64) -> Int64 { (one * one + price / 2) / price }

  /// Returns the backer's stake for a number of shares at a price, all in ten-millionths. Rounds down.
  static func stake(of level: OrderBook.Level) -> Int64 {
    // The price is below 1, so the quotient is less than the size and cannot overflow.
    one.dividingFullWidth(level.size.multipliedFullWidth(by: level.price)).quotient
  }

  private static let one = OrderBook.one
}

/// The best prices of a token, as they are published.
struct Quote: Hashable {
  struct Level: Hashable {
    /// The odds and the backer's stake, in ten-millionths.
    var odds: Int64
    var stake: Int64
  }

  /// The prices to back, the best first.
  var backs: [Level] = []
  /// The prices to lay, the best first.
  var lays: [Level] = []

  init() {}

  /// Creates the quote of a book. A crossed book has none, because some of its orders no longer exist.
  init(_ book: OrderBook) {
    if book.isCrossed { return }
    func best(_ levels: [OrderBook.Level]) -> [Level] {
      levels.suffix(ExchangePrices.levelCount).reversed().map {
        Level(odds: Quotation.odds(of: $0.price), stake: Quotation.stake(of: $0))
      }
    }
    backs = best(book.asks)
    lays = best(book.bids)
  }

  var isEmpty: Bool { backs.isEmpty && lays.isEmpty }
}
