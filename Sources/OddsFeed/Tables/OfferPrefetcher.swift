/// The slots of the offers that the next records of a batch refer to.
///
/// In a large channel each of these offers, and its market, is a cache miss. Looking up several at once lets the
/// processor load them in parallel.
struct OfferPrefetcher: Sendable {
  static let length = 16

  /// The range of record indices in the batch that have been looked up.
  var start = 0
  var end = 0
  /// The slots of the offers; `.none` for a record that is not about a known offer.
  var slots = [Slot](repeating: .none, count: length)
  /// A sum over the markets' flags, not used itself: reading the flags makes the processor load the markets.
  var seen: UInt8 = 0
}

extension ChannelState {
  mutating func lookAhead(from start: Int, in batch: FeedBatch) {
    let end = min(start + OfferPrefetcher.length, batch.records.count)
    for at in start..<end {
      let record = batch.records[at]
      ahead.slots[at - start] = record.kind == .bettingOffer ? offers.slot(of: record.rawID) : .none
    }
    ahead.start = start
    ahead.end = end
    if end == start + 1 { return }
    for at in start..<end {
      let slot = ahead.slots[at - start]
      let market = slot == .none ? .none : offers[slot].market
      if market != .none { ahead.seen &+= markets[market].marks.rawValue }
    }
  }
}
