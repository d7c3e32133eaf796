import OddsFeed
import OddsModel

extension Match {
  /// A match with two markets of an exchange: "Result" is the market 1 and the main one, "Total" is the market 2. Each
  /// has the outcomes "Ajax" and "Porto".
  ///
  /// - Parameters:
  ///   - tenths: The price of each outcome "Ajax", in tenths. That of "Porto" is 1.80.
  ///   - status: The status of the markets.
  ///   - awaited: The markets whose image has not arrived.
  static func exchange(
    _ tenths: Int64 = 20, _ status: MarketStatus = .open, awaiting awaited: Set<UInt64> = []
  ) -> Match {
    var batch = FeedBatch()
    batch.appendMessage(.dump) { batch in
      batch.appendRecord(.match, id: 100) { batch in
        batch.set(.name, text: "Ajax - Porto".utf8)
        batch.set(.status, .integer(2))
      }
      for (market, name) in [(1, "Result"), (2, "Total")] as [(UInt64, String)] {
        batch.appendRecord(.market, id: market) { batch in
          batch.set(.matchID, .id(100))
          batch.set(.name, text: name.utf8)
          batch.set(.isAvailable, .flag(status == .open))
        }
        batch.appendRecord(.exchangeMarket, id: market) { batch in
          batch.set(.status, .integer(Int64(status.rawValue)))
          batch.set(.isAwaitingImage, .flag(awaited.contains(market)))
        }
        for (index, (name, price)) in [("Ajax", tenths), ("Porto", 18)].enumerated() {
          let id = market * 10 + UInt64(index)
          batch.appendRecord(.outcome, id: id) { batch in
            batch.set(.marketID, .id(market))
            batch.set(.name, text: name.utf8)
          }
          batch.appendRecord(.bettingOffer, id: id) { batch in
            batch.set(.outcomeID, .id(id))
            batch.set(.odds, .fixed(price * DecimalOdds.unitsPerOne / 10))
          }
        }
      }
    }
    var state = ChannelState()
    state.apply(batch)
    return state.match(100)!
  }
}
