import OddsFeed
import OddsModel
import Polymarket

/// Decodes and applies arbitrary bytes as messages of Polymarket, one per line after the mark.
enum PolymarketFuzz {
  /// The first byte of an input for this decoder.
  static let mark = UInt8(ascii: "P")

  static func play(_ bytes: UnsafeBufferPointer<UInt8>) {
    var options = StoreOptions()
    options.pendingLimit = 8
    options.bufferLimit = 8
    var channel = ChannelState(options: options)
    channel.tracksParts = true
    var decoder: any FeedDecoder = PolymarketFormat().makeDecoder()
    var batch = FeedBatch()
    var changes = FeedChanges()
    var start = 1
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      let line = UnsafeBufferPointer(rebasing: bytes[start..<end])
      _ = PolymarketFormat().isMessage(line)
      _ = PolymarketFormat().head(of: line)
      decoder.decode(bytes, start..<end, into: &batch)
      channel.apply(batch, at: 1, into: &changes)
      batch.removeAll()
      channel.checkConsistency()
      for id in channel.matchIDs { check(channel.match(id)) }
      changes.removeAll()
      start = end + 1
    }
  }

  /// A price is never bettable in a market that takes no bets, and the best price to back never beats the best one to
  /// lay: such a book shows none.
  private static func check(_ match: Match?) {
    for market in match?.markets ?? [] {
      for outcome in market.outcomes {
        precondition(market.takesBets || !outcome.isBettable, "a bettable price in a market that takes no bets")
        guard let back = outcome.exchange?.backs.first?.odds, let lay = outcome.exchange?.lays.first?.odds else {
          continue
        }
        precondition(back <= lay, "back \(back) above lay \(lay)")
      }
    }
  }
}
