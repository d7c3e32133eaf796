import Betfair
import EveryMatrix
import OddsFeed

/// The driver of libFuzzer, called from our own `main`.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// Decodes and applies arbitrary lines of a feed, bare or in WAMP frames. Two bytes before a line, of which the first
/// is below 0x20, encode the passing of time and other events of a channel.
@main
enum Fuzz {
  static func main() {
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    _ = runDriver(&count, &arguments) { bytes, count in
      let bytes = UnsafeBufferPointer(start: bytes, count: count)
      switch bytes.first {
      case Fuzz.exchange: Fuzz.playExchange(bytes)
      case PolymarketFuzz.mark: PolymarketFuzz.play(bytes)
      default: Fuzz.play(bytes)
      }
      return 0
    }
  }

  /// Returns the range of the messages in a WAMP frame; nil if it has none. Other messages are written and read again.
  private static func messages(in text: UnsafeBufferPointer<UInt8>, at start: Int) -> Range<Int>? {
    guard let message = try? WAMPMessage.parse(text) else { return nil }
    switch message {
    case .result(_, let payload), .invocation(_, _, let payload):
      return payload.map { $0.lowerBound + start..<$0.upperBound + start }
    default:
      let again = message.text.withUnsafeBufferPointer { try? WAMPMessage.parse($0) }
      precondition(again == message, "\(message) was written as \(String(describing: again))")
      return nil
    }
  }

  /// The first byte of an input for the Betfair decoder.
  private static let exchange: UInt8 = 0x1F

  /// Decodes and applies lines of the Betfair stream, one by one and all together. Both give the same matches.
  private static func playExchange(_ bytes: UnsafeBufferPointer<UInt8>) {
    var (single, together) = (ChannelState(), ChannelState())
    var (first, second) = (BetfairDecoder(isRecorded: true), BetfairDecoder(isRecorded: true))
    var (batch, all) = (FeedBatch(), FeedBatch())
    var start = 1
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      first.decode(bytes, start..<end, into: &batch)
      second.decode(bytes, start..<end, into: &all)
      single.apply(batch)
      single.checkConsistency()
      batch.removeAll()
      start = end + 1
    }
    together.apply(all)
    precondition(Set(single.matchIDs) == Set(together.matchIDs), "the matches depend on the batches")
    for id in single.matchIDs {
      precondition(single.match(id) == together.match(id), "a match depends on the batches")
    }
  }

  private static func play(_ bytes: UnsafeBufferPointer<UInt8>) {
    var options = StoreOptions()
    options.pendingLimit = 8
    options.bufferLimit = 8
    var channel = ChannelState(options: options)
    channel.keepsIssues = true
    channel.tracksParts = true
    var decoder = MessageDecoder()
    var batch = FeedBatch()
    var changes = FeedChanges()
    var now: Int64 = 1
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      var from = start
      if end - start >= 2, bytes[start] < 0x20 {
        now += Int64(bytes[start]) * 2000
        switch bytes[start + 1] & 7 {
        case 1: channel.awaitDump()
        case 2: channel.beginAudit()
        case 3: channel.finish(into: &changes)
        default: break
        }
        from += 2
      }
      let text = UnsafeBufferPointer(rebasing: bytes[from..<end])
      decoder.decode(bytes, messages(in: text, at: from) ?? from..<end, into: &batch)
      channel.apply(batch, at: now, into: &changes)
      batch.removeAll()
      channel.checkConsistency()
      for id in changes.matches { _ = channel.match(id) }
      for id in changes.markets { _ = channel.market(id) }
      for id in changes.outcomes { _ = channel.outcome(id) }
      changes.removeAll()
      channel.issues.removeAll()
      start = end + 1
    }
  }
}
