// The movement of prices and its publication.
extension SimulatedBook {
  /// The maximum number of odds updates by which resuming matches can exceed the budget. Beyond it they resume at their
  /// old prices, which later moves correct: at a low rate, the rate has priority.
  static let longestDebt = 32

  mutating func publishPrices() {
    var attempts = 8 * max(0, budget) + 64
    while budget > 0, attempts > 0 {
      attempts -= 1
      movePrices()
    }
    // Updates that no open market could use are skipped, not carried over.
    budget = min(0, budget)
  }

  /// Publishes the current state of one offer.
  mutating func publish(_ form: OfferChange.Form, _ slot: Int, _ market: Int, _ offer: Int) {
    matches[slot].markets[market].offers[offer].changedAt = time
    let change = OfferChange(
      id: matches[slot].markets[market].offerID(offer), form: form,
      offer: matches[slot].markets[market].offers[offer], isLive: !matches[slot].isUpcoming)
    record(slot, .offer(market: market, change))
    shares.count(form)
    guard form == .price || form == .all else { return }
    log.oddsUpdates += 1
    budget -= 1
  }

  /// Moves every offer of a market to its current price. Returns false if nothing was published.
  @discardableResult
  mutating func reprice(
    _ slot: Int, _ market: Int, outlook: ProbabilityModel, drift: SIMD3<Double>, form: OfferChange.Form? = nil
  ) -> Bool {
    let prices = matches[slot].markets[market].prices(outlook, drift: drift, margin: matches[slot].margin)
    var isMoved = false
    for offer in matches[slot].markets[market].offers.indices {
      let isChanged = matches[slot].markets[market].offers[offer].odds != prices[offer]
      guard isChanged || form != nil else { continue }
      matches[slot].markets[market].offers[offer].odds = prices[offer]
      publish(form ?? (shares.isAllDue ? .all : .price), slot, market, offer)
      isMoved = true
    }
    if isMoved { matches[slot].markets[market].drift = drift }
    return isMoved
  }

  @discardableResult
  mutating func replaceLineIfLopsided(_ slot: Int, _ index: Int) -> Bool {
    let match = matches[slot]
    let before = match.markets[index]
    let outlook = match.outlook
    guard before.isAvailable, before.wantsNewLine(outlook) else { return false }
    matches[slot].markets[index] = SimulatedMarket(
      id: nextIDs(), kind: before.kind, outlook: outlook, hasDraw: match.sport.hasDraw, margin: match.margin,
      time: time)
    slots[before.id] = nil
    slots[matches[slot].markets[index].id] = slot
    record(slot, .lineReplaced(market: index, before: before, after: matches[slot]))
    return true
  }

  /// Returns the slot of a random match, or nil if none is found. Matches in play are four times as likely as upcoming
  /// ones. After eight draws without success, falls back to a suspended match or an upcoming one that was skipped.
  mutating func pickMatch() -> Int? {
    var second: Int?
    for _ in 0..<8 {
      let slot = random.index(below: matches.count)
      switch matches[slot].phase {
      case .live(_, nil): return slot
      case .live: second = slot
      case .upcoming:
        if random.chance(0.25) { return slot }
        second = slot
      case .ended: continue
      }
    }
    return second
  }

  private mutating func movePrices() {
    guard let slot = pickMatch() else { return }
    let market = random.chance(0.4) ? MarketKind.result.rawValue : random.index(below: matches[slot].markets.count)
    guard matches[slot].markets[market].isAvailable else { return }
    let outlook = matches[slot].outlook
    var reach = 0.015
    // A small move may change no price on a coarse ladder, so try larger ones.
    while reach < 0.3, !reprice(slot, market, outlook: outlook, drift: wandered(slot, market, reach)) { reach *= 3 }
  }

  private mutating func wandered(_ slot: Int, _ market: Int, _ reach: Double) -> SIMD3<Double> {
    let step = SIMD3(
      random.unit(in: -reach...reach), random.unit(in: -reach...reach), random.unit(in: -reach...reach))
    let away = (matches[slot].markets[market].drift - 1) * 0.97
    return (1 + away + step).clamped(lowerBound: SIMD3(repeating: 0.6), upperBound: SIMD3(repeating: 1.6))
  }
}
