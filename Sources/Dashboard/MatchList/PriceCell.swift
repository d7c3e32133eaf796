package import OddsModel

/// Three price columns. A market with two outcomes leaves the middle one empty.
package struct PriceTriple: Hashable, Sendable {
  var first = PriceCell()
  var middle = PriceCell()
  var last = PriceCell()

  static let indices = 0..<3

  subscript(_ column: Int) -> PriceCell {
    get { column == 0 ? first : column == 1 ? middle : last }
    set {
      switch column {
      case 0: first = newValue
      case 1: middle = newValue
      default: last = newValue
      }
    }
  }
}

/// A price as shown.
struct PriceCell: Hashable, Sendable {
  enum State: Hashable, Sendable {
    /// The market has no such outcome, or bets are taken but nobody offers a price.
    case none
    /// A price that can be bet on.
    case live
    /// The bookmaker has suspended the price.
    case suspended
    /// The price is withdrawn or settled.
    case closed
    /// The price of the last matched bet of a feed without offers.
    case lastTraded
    /// A price that may be out of date, because the match is over or the first image (the complete data) of its market
    /// on an exchange has not arrived.
    case doubtful
  }

  var state = State.none
  var odds: DecimalOdds?
  var flash: Flash?
  var offer: OfferID?

  /// True if the market has the outcome. An outcome in the state `none` has an offer without a price.
  var hasOutcome: Bool { state != .none || offer != nil }
}

/// The highlight of a price that has just moved.
struct Flash: Hashable, Sendable {
  /// The length of a highlight.
  static let length = Duration.seconds(1)

  var isUp: Bool
  /// The number of characters at the price's end that differ from the previous text.
  var changedCharacters: Int
  /// The uptime at which the highlight ends.
  var until: Duration
}

extension PriceTriple {
  /// Returns the ids of the offers that a watch list requests: those of the prices. If the market has none in a column,
  /// as in a race, those of its outcomes.
  func offers(among outcomes: [Outcome]) -> [OfferID] {
    let shown = [first, middle, last].compactMap(\.offer)
    if !shown.isEmpty { return shown }
    return Array(outcomes.lazy.compactMap { $0.offer?.id }.prefix(Pins.maxOffersWithoutColumn))
  }

  init(_ market: Market) {
    for (index, outcome) in market.outcomes.enumerated() {
      guard let column = Self.column(of: outcome, index, of: market.outcomes.count) else { continue }
      self[column] = PriceCell(outcome, in: market)
    }
  }

  /// Returns the column (1, X, 2) of an outcome: by its key or name if the feed gives one, or else by its index among
  /// two or three. An outcome of more, such as a horse in a race, has none.
  package static func column(of outcome: Outcome, _ index: Int, of count: Int) -> Int? {
    switch outcome.key {
    case "home": return 0
    case "draw": return 1
    case "away": return 2
    default: break
    }
    switch outcome.name {
    case "1": return 0
    case "X": return 1
    case "2": return 2
    default: return count == 2 ? index * 2 : count == 3 ? index : nil
    }
  }
}

extension PriceCell {
  init(_ outcome: Outcome, in market: Market) {
    odds = outcome.offer?.odds
    offer = outcome.offer?.id
    if outcome.isBettable {
      state = .live
    } else if market.isDoubtful(outcome) {
      state = .doubtful
    } else if market.exchange?.status == .open, market.isAvailable, outcome.offer?.status == .standard {
      // Bets are taken, but nobody offers a price, or the ladder has lines.
      state = .none
    } else if outcome.offer?.status == .lastTraded, !market.isClosed {
      state = odds == nil ? .none : .lastTraded
    } else if outcome.offer?.status == .suspended || outcome.offer?.isAvailable == true && !market.isClosed {
      state = .suspended
    } else {
      state = .closed
    }
  }
}
