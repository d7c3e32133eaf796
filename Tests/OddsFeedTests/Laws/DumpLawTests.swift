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

  // A dump that lacks messages from before the audit ends it. The server may send the messages after its dump again.
  @Test("An audit whose dump is old undoes nothing", arguments: Laws.seeds(40))
  func oldDump(seed: UInt64) {
    var feed = FeedTruth(seed: seed)
    // The state after each message, as a dump.
    var dumps = [feed.dump()]
    var messages: [FeedMessage] = []
    for _ in 0..<12 {
      messages.append(feed.nextMessage())
      dumps.append(feed.dump())
    }
    // The numbers of messages received when the audit begins and when it is answered, and of those in its dump.
    let start = feed.upTo(8)
    let answer = start + feed.upTo(8 - start)
    let dumped = feed.upTo(answer)
    var engine = Engine()
    engine.receive([dumps[0].text])
    func expectTruth(_ count: Int, _ location: SourceLocation = #_sourceLocation) {
      let truth = ReferenceStore.after([dumps[count]])
      #expect(Disagreement.difference(engine.shown(), truth) == nil, sourceLocation: location)
    }
    for message in messages[..<start] { engine.receive([message.text]) }
    engine.state.beginAudit()
    for message in messages[start..<answer] { engine.receive([message.text]) }
    engine.receive([dumps[dumped].text])
    expectTruth(answer)
    #expect(!engine.state.isAuditing)
    #expect(engine.state.counters.audits == (dumped < start ? 0 : 1))
    if feed.chance(50) {
      for message in messages[dumped..<answer] { engine.receive([message.text]) }
      expectTruth(answer)
    }
    for message in messages[answer...] { engine.receive([message.text]) }
    expectTruth(messages.count)
    engine.state.beginAudit()
    engine.receive([dumps[messages.count].text])
    expectTruth(messages.count)
    #expect(engine.state.counters.audits == (dumped < start ? 1 : 2))
    #expect(engine.state.counters.divergences == 0)
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
