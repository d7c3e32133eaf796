/// The slots of the offers that the next records of a batch are about.
///
/// In a large channel each of them, and its market, is somewhere else in memory. Looked for one by one, each is waited for;
/// looked for some at a time, they are fetched at once.
struct OfferPrefetcher: Sendable {
  static let length = 16

  /// The places in the batch that are looked at.
  var start = 0
  var end = 0
  /// `.none` for what is no offer that is there.
  var slots = [Slot](repeating: .none, count: length)
  /// What was seen of the markets, which makes the processor fetch them; nobody asks for it.
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
