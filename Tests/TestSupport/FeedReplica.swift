import EveryMatrix
import OddsFeed
package import OddsModel

/// A reader of a feed's messages, with the resulting state.
package struct FeedReplica {
  private var state = ChannelState()
  private var decoder = MessageDecoder()

  package init() {}

  package mutating func apply(_ message: [UInt8]) {
    var batch = FeedBatch()
    message.withUnsafeBufferPointer { decoder.decode($0, 0..<$0.count, into: &batch) }
    state.apply(batch)
  }

  package var matches: [Match] {
    var state = state
    return state.matchIDs.sorted().compactMap { state.match($0) }
  }
}
