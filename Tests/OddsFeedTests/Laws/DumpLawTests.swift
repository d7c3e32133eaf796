import OddsModel
import TestSupport
import Testing

@testable import OddsFeed

/// Dumps that come into the middle of a stream: the awaited one (StoreRules.md, rule 1) and that of an audit (rule 8).
struct DumpLawTests {
  private static let seeds = Laws.seeds(12)

  /// A feed of which a dump was taken in the middle and came late.
  private struct Stream {
    /// The dump that all began with.
    var first: FeedMessage
    /// The messages up to the time of the late dump.
    var before: [FeedMessage] = []
    /// The late dump.
    var dump: FeedMessage
    /// The messages from that time until its arrival.
    var meanwhile: [FeedMessage] = []
    /// The final state.
    var truth: FeedMessage
    var random: SeededRandom

    init(seed: UInt64) {
      var feed = FeedTruth(seed: seed)
      first = feed.dump()
      for _ in 0..<(1 + feed.upTo(9)) { before.append(feed.nextMessage()) }
      dump = feed.dump()
      for _ in 0..<feed.upTo(5) { meanwhile.append(feed.nextMessage()) }
      truth = feed.dump()
      random = feed.random
    }
  }

  @Test("What comes before an awaited dump waits for it: older messages are dropped, others applied", arguments: seeds)
  func awaited(seed: UInt64) {
    let stream = Stream(seed: seed)
    var engine = Engine()
    var old: [FeedMessage] = []
    if seed % 2 == 0 {
      // As after a reconnection: what was shown stays until the dump is there.
      old = [stream.first]
      engine.receive([stream.first.text])
    }
    engine.state.awaitDump()
    for message in stream.before + stream.meanwhile {
      #expect(engine.changes([message.text]).matches.isEmpty)
    }
    #expect(Disagreement.difference(engine.shown(), Engine.after(old)) == nil)
    engine.receive([stream.dump.text])
    #expect(Disagreement.difference(engine.shown(), ReferenceStore.after([stream.truth])) == nil)
  }

  @Test("Where the feed ends instead, what waited is applied as it is", arguments: seeds)
  func ended(seed: UInt64) {
    let stream = Stream(seed: seed)
    var engine = Engine()
    engine.state.awaitDump()
    for message in stream.before { engine.receive([message.text]) }
    var changes = FeedChanges()
    engine.state.finish(into: &changes)
    let shown = engine.shown()
    #expect(Disagreement.difference(shown, ReferenceStore.after(stream.before)) == nil)
    #expect(Set(changes.matches.map { "\($0)" }).isSuperset(of: shown.keys))
  }

  @Test("An audit finds whatever was lost, sets it right, names it and counts it", arguments: seeds)
  func audit(seed: UInt64) {
    var stream = Stream(seed: seed)
    let start = Int.random(in: 0...stream.before.count, using: &stream.random)
    var engine = Engine()
    engine.receive([stream.first.text])
    for (place, message) in stream.before.enumerated() {
      if place == start { engine.state.beginAudit() }
      if Int.random(in: 0..<6, using: &stream.random) > 0 || seed % 4 == 0 { engine.receive([message.text]) }
    }
    engine.state.beginAudit()
    for message in stream.meanwhile { engine.receive([message.text]) }
    let old = engine.matches()
    let changes = engine.changes([stream.dump.text])
    let new = engine.matches()
    #expect(Disagreement.difference(engine.shown(), ReferenceStore.after([stream.truth])) == nil)
    let differing = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
    #expect(Set(changes.matches.map { "\($0)" }) == differing)
    #expect(engine.state.counters.audits == 1)
    #expect(engine.state.counters.divergences == differing.count)
    if seed % 4 == 0 { #expect(differing.isEmpty) }
    #expect(engine.state.counters.waiting == engine.state.waiting.count)
  }

  @Test("An audit goes on with the stream: what comes after it is applied as ever", arguments: seeds)
  func afterAudit(seed: UInt64) {
    let stream = Stream(seed: seed)
    var engine = Engine()
    engine.receive([stream.first.text])
    for message in stream.before { engine.receive([message.text]) }
    engine.state.beginAudit()
    engine.receive([stream.dump.text])
    for message in stream.meanwhile { engine.receive([message.text]) }
    #expect(Disagreement.difference(engine.shown(), ReferenceStore.after([stream.truth])) == nil)
    #expect(engine.state.counters.divergences == 0)
  }
}
