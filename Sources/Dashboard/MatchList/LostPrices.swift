import OddsModel

extension Match {
  /// Returns true if a price that can be bet on here cannot in a newer state of the match, or if its trading status is
  /// worse there. The result depends on neither the values of prices nor names, so that the test is cheap. Relies on
  /// the order of markets, which ascend by id.
  func losesPrice(in newer: Match, _ scope: Throttle.Scope) -> Bool {
    let (status, newStatus) = (tradingStatus, newer.tradingStatus)
    if newStatus > status || status.isTrusted && !newStatus.isTrusted { return true }
    switch scope {
    case .mainMarket:
      guard let market = mainMarket else { return false }
      if let main = newer.mainMarket, main.id == market.id { return market.losesPrice(in: main) }
      return market.losesPrice(in: newer.markets.first { $0.id == market.id })
    case .allMarkets:
      var index = 0
      for market in markets {
        while index < newer.markets.count, newer.markets[index].id < market.id { index += 1 }
        let isKept = index < newer.markets.count && newer.markets[index].id == market.id
        // NB: Unchanged markets share their array of outcomes and compare in constant time.
        if isKept, newer.markets[index] == market { continue }
        if market.losesPrice(in: isKept ? newer.markets[index] : nil) { return true }
      }
      return false
    }
  }
}

extension Market {
  /// Returns true if a price that can be bet on here cannot in a newer state of the market, nil if that is gone. The
  /// price of another handicap is not the same one.
  fileprivate func losesPrice(in newer: Market?) -> Bool {
    for index in outcomes.indices {
      let sides = liveSides(ofOutcomeAt: index)
      if sides.isEmpty { continue }
      guard let newer, newer.handicap == handicap, let newIndex = newer.position(of: outcomes[index].id, near: index),
        newer.liveSides(ofOutcomeAt: newIndex).isSuperset(of: sides)
      else { return true }
    }
    return false
  }

  /// Returns the index of an outcome, which is usually the one it had in the market's last state.
  private func position(of id: OutcomeID, near index: Int) -> Int? {
    if index < outcomes.count, outcomes[index].id == id { return index }
    return outcomes.firstIndex { $0.id == id }
  }

  /// Returns the sides of an outcome with a price that can be bet on, or with a line of a ladder.
  private func liveSides(ofOutcomeAt index: Int) -> LiveSides {
    var sides: LiveSides = outcomes[index].isBettable ? .price : []
    guard let exchange, let prices = outcomes[index].exchange else { return sides }
    guard exchange.hasLines ? takesBets : takesBets(on: outcomes[index]) else { return sides }
    if !prices.backs.isEmpty { sides.insert(.backs) }
    if !prices.lays.isEmpty { sides.insert(.lays) }
    return sides
  }
}

private struct LiveSides: OptionSet {
  let rawValue: UInt8

  static let price = LiveSides(rawValue: 1)
  static let backs = LiveSides(rawValue: 2)
  static let lays = LiveSides(rawValue: 4)
}
