import OddsModel
import TestSupport
import Testing

@testable import OddsFeed

/// Dumps that arrive in the middle of a stream: an awaited dump (StoreRules.md, rule 1) and an audit's dump (rule 8).
struct DumpLawTests {
  private static let seeds = Laws.seeds(12)

  /// A feed with a dump that was made in the middle and arrives late.
  private struct Stream {
    /// The first dump.
    var first: FeedMessage
    /// The messages up to the time of the late dump.
    var before: [FeedMessage] = []
    /// The late dump.
    var dump: FeedMessage
    /// The messages between the time of the late dump and its arrival.
    var meanwhile: [FeedMessage] = []
    /// The final state.
    var truth: FeedMessage
    var random: SeededRandom

    init(seed: UInt64) {
      var feed = FeedModel(seed: seed)
      first = feed.dump()
      for _ in 0..<(1 + feed.upTo(9)) { before.append(feed.nextMessage()) }
      dump = feed.dump()
      for _ in 0..<feed.upTo(5) { meanwhile.append(feed.nextMessage()) }
      truth = feed.dump()
      random = feed.random
    }
  }

  @Test(
    "Messages before an awaited dump are pending: the dump drops older ones, and others are applied to it",
    arguments: seeds)
  func awaited(seed: UInt64) {
    let stream = Stream(seed: seed)
    var engine = Engine()
    var old: [FeedMessage] = []
    if seed % 2 == 0 {
      // As after a reconnect: the old state is shown until the dump arrives.
      old = [stream.first]
      engine.receive([stream.first.text])
    }
    engine.state.awaitDump()
    for message in stream.before + stream.meanwhile {
      #expect(engine.changes([message.text]).matches.isEmpty)
    }
    #expect(StoreComparison.difference(engine.shown(), Engine.after(old)) == nil)
    engine.receive([stream.dump.text])
    #expect(StoreComparison.difference(engine.shown(), ReferenceStore.after([stream.truth])) == nil)
  }

  @Test("If the feed ends before an awaited dump, the pending messages are applied without it", arguments: seeds)
  func ended(seed: UInt64) {
    let stream = Stream(seed: seed)
    var engine = Engine()
    engine.state.awaitDump()
    for message in stream.before { engine.receive([message.text]) }
    var changes = FeedChanges()
    engine.state.finish(into: &changes)
    let shown = engine.shown()
    #expect(StoreComparison.difference(shown, ReferenceStore.after(stream.before)) == nil)
    #expect(Set(changes.matches.map { "\($0)" }).isSuperset(of: shown.keys))
  }

  @Test("Messages without records are not kept until a dump arrives", arguments: [false, true])
  func withoutRecords(isAudit: Bool) {
    var engine = Engine()
    if isAudit { engine.state.beginAudit() } else { engine.state.awaitDump() }
    engine.receive([FeedText.update(), FeedText.update()])
    switch engine.state.expectation {
    case .dump(let kept), .audit(let kept, _): #expect(kept.batch.messages.isEmpty)
    case .none, .leftover: Issue.record("no dump is awaited")
    }
  }

  @Test("An audit finds, corrects, reports and counts every lost change", arguments: seeds)
  func audit(seed: UInt64) {
    var stream = Stream(seed: seed)
    let start = Int.random(in: 0...stream.before.count, using: &stream.random)
    var engine = Engine()
    engine.receive([stream.first.text])
    for (index, message) in stream.before.enumerated() {
      if index == start { engine.state.beginAudit() }
      if Int.random(in: 0..<6, using: &stream.random) > 0 || seed % 4 == 0 { engine.receive([message.text]) }
    }
    engine.state.beginAudit()
    for message in stream.meanwhile { engine.receive([message.text]) }
    let old = engine.matches()
    let changes = engine.changes([stream.dump.text])
    let new = engine.matches()
    #expect(StoreComparison.difference(engine.shown(), ReferenceStore.after([stream.truth])) == nil)
    let differing = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
    #expect(Set(changes.matches.map { "\($0)" }) == differing)
    #expect(engine.state.counters.audits == 1)
    #expect(engine.state.counters.divergences == differing.count)
    if seed % 4 == 0 { #expect(differing.isEmpty) }
    #expect(engine.state.counters.waiting == engine.state.waiting.count)
  }

  // A dump that lacks messages from before the audit ends the audit. The server may send the messages after the dump
  // again.
  @Test("An audit with an old dump reverts no newer change", arguments: Laws.seeds(40))
  func oldDump(seed: UInt64) {
    var feed = FeedModel(seed: seed)
    // The state after each message, as a dump.
    var dumps = [feed.dump()]
    var messages: [FeedMessage] = []
    for _ in 0..<12 {
      messages.append(feed.nextMessage())
      dumps.append(feed.dump())
    }
    // The number of messages received at the start and at the answer of the audit, and the number in its dump.
    let start = feed.upTo(8)
    let answer = start + feed.upTo(8 - start)
    let dumped = feed.upTo(answer)
    var engine = Engine()
    engine.receive([dumps[0].text])
    func expectTruth(_ count: Int, _ location: SourceLocation = #_sourceLocation) {
      let truth = ReferenceStore.after([dumps[count]])
      #expect(StoreComparison.difference(engine.shown(), truth) == nil, sourceLocation: location)
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

  @Test("Messages after an audit's dump are applied as usual", arguments: seeds)
  func afterAudit(seed: UInt64) {
    let stream = Stream(seed: seed)
    var engine = Engine()
    engine.receive([stream.first.text])
    for message in stream.before { engine.receive([message.text]) }
    engine.state.beginAudit()
    engine.receive([stream.dump.text])
    for message in stream.meanwhile { engine.receive([message.text]) }
    #expect(StoreComparison.difference(engine.shown(), ReferenceStore.after([stream.truth])) == nil)
    #expect(engine.state.counters.divergences == 0)
  }
}
