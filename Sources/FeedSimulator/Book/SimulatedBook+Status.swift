// The suspension, withdrawal and closing of offers and markets.
extension SimulatedBook {
  /// Suspends all offers of a match until a time in milliseconds since 1970.
  mutating func suspend(_ slot: Int, until: Int64) {
    guard case .live(let nextBeat, _) = matches[slot].phase else { return }
    matches[slot].phase = .live(nextBeat: nextBeat, suspendedUntil: until)
    for market in matches[slot].markets.indices {
      for offer in matches[slot].markets[market].offers.indices {
        matches[slot].markets[market].offers[offer].status = .suspended
        publish(.status, slot, market, offer)
      }
    }
  }

  /// Reopens all offers of a match, at the prices of its current state if the budget allows.
  mutating func resume(_ slot: Int) {
    let outlook = matches[slot].outlook
    for market in matches[slot].markets.indices where !replaceLineIfLopsided(slot, market) {
      for offer in matches[slot].markets[market].offers.indices {
        matches[slot].markets[market].offers[offer].status = .standard
      }
      if budget > -Self.longestDebt {
        reprice(slot, market, outlook: outlook, drift: SIMD3(repeating: 1), form: .all)
      } else {
        for offer in matches[slot].markets[market].offers.indices { publish(.status, slot, market, offer) }
      }
    }
  }

  /// Makes a market available or unavailable. The status of its offers does not change.
  mutating func setAvailable(_ isAvailable: Bool, _ slot: Int, _ market: Int) {
    matches[slot].markets[market].notAvailableSince = isAvailable ? nil : time
    recordAvailability(slot, market)
  }

  /// Closes a market permanently.
  mutating func close(_ slot: Int, _ market: Int) {
    matches[slot].markets[market].isClosed = true
    matches[slot].markets[market].notAvailableSince = time
    recordAvailability(slot, market)
  }

  /// Withdraws and restores single offers until the share of status updates is reached.
  mutating func publishStatuses() {
    for _ in 0..<2 * shares.statusDue where shares.statusDue > 0 {
      let isFull = withdrawn.count > matches.count / 5
      if isFull || (!withdrawn.isEmpty && random.chance(0.45)) { putBack() } else { withdraw() }
    }
  }

  private mutating func withdraw() {
    guard let slot = pickMatch(), !matches[slot].isSuspended else { return }
    let market = random.index(below: matches[slot].markets.count)
    let offer = random.index(below: matches[slot].markets[market].offers.count)
    guard matches[slot].markets[market].isAvailable,
      matches[slot].markets[market].offers[offer].status == .standard
    else { return }
    matches[slot].markets[market].offers[offer].status = .removed
    publish(.status, slot, market, offer)
    withdrawn.append(
      WithdrawnOffer(slot: slot, market: market, offer: offer, id: matches[slot].markets[market].offerID(offer)))
  }

  private mutating func putBack() {
    withdrawn.swapAt(random.index(below: withdrawn.count), withdrawn.count - 1)
    let last = withdrawn.removeLast()
    guard matches[last.slot].markets[last.market].offerID(last.offer) == last.id,
      matches[last.slot].markets[last.market].offers[last.offer].status == .removed
    else { return }
    matches[last.slot].markets[last.market].offers[last.offer].status = .standard
    publish(.status, last.slot, last.market, last.offer)
  }

  private mutating func recordAvailability(_ slot: Int, _ market: Int) {
    let now = matches[slot].markets[market]
    let availability = MarketAvailability(id: now.id, isClosed: now.isClosed, notAvailableSince: now.notAvailableSince)
    record(slot, .availability(market: market, availability))
  }
}

/// The position of a withdrawn offer. The id tells if another offer has replaced it.
struct WithdrawnOffer: Sendable {
  let slot: Int
  let market: Int
  let offer: Int
  let id: Int64
}
