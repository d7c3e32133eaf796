import TestSupport

// Statements of best prices.
extension MarketTruth {
  /// Returns best prices to state: those of the server's book, none, or wrong ones.
  mutating func bestPricesToState(_ id: String) -> (bid: Int64?, ask: Int64?) {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return (price(), nil)
    case 1: return (nil, price())
    case ..<6: return (nil, nil)
    default: return (tokens[id]!.bids.keys.max() ?? 0, tokens[id]!.asks.keys.min() ?? 10_000_000)
    }
  }

  static func text(_ best: (bid: Int64?, ask: Int64?)) -> String {
    #""best_bid":"\#(best.bid.map(text) ?? "")","best_ask":"\#(best.ask.map(text) ?? "")""#
  }

  mutating func bestPrices(_ id: String) -> String {
    let best = bestPricesToState(id)
    disputeLevels(of: id, by: best)
    return #"{"event_type":"best_bid_ask","asset_id":"\#(id)","timestamp":"\#(clock)",\#(Self.text(best))}"#
  }

  /// Disputes each level of the known book that contradicts the stated best prices.
  mutating func disputeLevels(of id: String, by best: (bid: Int64?, ask: Int64?)) {
    guard let known = tokens[id]!.known else { return }
    let old = tokens[id]!.disputed
    defer { if tokens[id]!.disputed != old { tokens[id]!.disputeTime = clock } }
    for price in Int64(1)...20 {
      let price = price * 500_000
      if let bid = best.bid, price > bid ? known.bids[price] != nil : price == bid && known.bids[price] == nil {
        tokens[id]!.disputed.insert(Level(isBid: true, price: price))
      }
      if let ask = best.ask, price < ask ? known.asks[price] != nil : price == ask && known.asks[price] == nil,
        price < 10_000_000
      {
        tokens[id]!.disputed.insert(Level(isBid: false, price: price))
      }
    }
  }
}
