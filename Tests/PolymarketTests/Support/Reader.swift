import JSONText
import OddsFeed
import OddsModel
import Platform

@testable import Polymarket

/// A subscription's decoder and store.
struct Reader {
  var decoder = PolymarketDecoder()
  var state = ChannelState()
  /// The counts of messages that the decoder could not use.
  var exceptions = DecodingExceptions()
  var unparsable = 0

  /// Creates a reader that has these events.
  init(_ events: [GammaEvent] = []) {
    if !events.isEmpty { read(SessionMessage.events(events)) }
  }

  mutating func read(_ text: String) { read(Array(text.utf8)) }

  mutating func read(_ text: [UInt8]) {
    var batch = FeedBatch()
    text.withUnsafeBufferPointer { decoder.decode($0, 0..<$0.count, into: &batch) }
    apply(batch)
  }

  mutating func apply(_ batch: FeedBatch) {
    unparsable += batch.unparsable
    exceptions.unknownMessages += batch.exceptions.unknownMessages
    exceptions.malformedMessages += batch.exceptions.malformedMessages
    exceptions.malformedRecords += batch.exceptions.malformedRecords
    state.apply(batch)
    state.checkConsistency()
  }

  func match(_ id: UInt64 = Sample.game.id) -> Match? {
    var state = state
    return state.match(MatchID(raw: id))
  }

  /// Returns an outcome by its id; nil if there is none.
  func outcome(_ id: UInt64) -> Outcome? {
    var state = state
    return state.outcome(OutcomeID(raw: id))
  }
}
