import OddsFeed
import OddsModel
import TestSupport
import Testing

/// Laws that hold for every feed. Each seed generates a feed, and a failure names the seed.
///
/// Every law is also tested on the reference store, which validates the law and the generated feed.
struct LawTests {
  private static let seeds = Laws.seeds(12)

  /// Returns a dump with the messages after it, and a dump of the final state.
  private func feed(_ seed: UInt64) -> (messages: [FeedMessage], truth: FeedMessage, random: SeededRandom) {
    var truth = FeedModel(seed: seed)
    var messages = [truth.dump()]
    for _ in 0..<16 {
      messages.append(truth.nextMessage())
      if truth.chance(3) { messages.append(truth.dump()) }
    }
    return (messages, truth.dump(), truth.random)
  }

  /// Expects that two scripts end in the same state, in the engine and in the reference store.
  private func expectSame(
    _ messages: [FeedMessage], _ others: [FeedMessage], location: SourceLocation = #_sourceLocation
  ) {
    expectSame(ReferenceStore.self, messages, others, location)
    expectSame(Engine.self, messages, others, location)
  }

  private func expectSame<Store: StoreUnderTest>(
    _: Store.Type, _ messages: [FeedMessage], _ others: [FeedMessage], _ location: SourceLocation
  ) {
    let difference = StoreComparison.difference(Store.after(messages), Store.after(others))
    #expect(difference == nil, "\(Store.self)", sourceLocation: location)
  }

  @Test("A dump and its updates lead to the same state as a dump of the final state", arguments: seeds)
  func truth(seed: UInt64) {
    let feed = feed(seed)
    expectSame(feed.messages, [feed.truth])
  }

  @Test("The engine and the reference store agree after every message", arguments: seeds)
  func reference(seed: UInt64) {
    expectAgreement(feed(seed).messages)
  }

  @Test("The engine and the reference store agree on an inconsistent feed", arguments: Laws.seeds(100))
  func wild(seed: UInt64) {
    var wild = ArbitraryFeed(seed: seed)
    expectAgreement((0..<30).map { _ in wild.message() })
  }

  @Test("The engine and the reference store agree on malformed messages", arguments: Laws.seeds(100))
  func hostile(seed: UInt64) {
    var feed = HostileFeed(seed: seed)
    var (engine, reference) = (Engine(), ReferenceStore())
    for index in 0..<40 {
      let line = feed.line()
      engine.receive([line])
      reference.receive([line])
      let difference = StoreComparison.difference(engine.shown(), reference.shown())
      #expect(difference == nil, "after line \(index): \(line)")
      #expect(engine.state.counters.rejected == reference.rejected, "after line \(index): \(line)")
      #expect(engine.state.counters.unparsable == reference.unparsable, "after line \(index): \(line)")
      #expect(engine.state.counters.waiting == reference.waiting, "after line \(index): \(line)")
      if difference != nil { return }
    }
  }

  private func expectAgreement(_ messages: [FeedMessage]) {
    guard StoreComparison.first(in: messages) != nil else { return }
    Issue.record("\(StoreComparison.shrunk(messages, StoreComparison.first))")
  }

  @Test("A message may be split into several messages of the same version", arguments: seeds)
  func pieces(seed: UInt64) {
    var feed = feed(seed)
    expectSame(feed.messages, feed.messages.split(&feed.random))
  }

  @Test("A repeated message changes nothing", arguments: seeds)
  func twice(seed: UInt64) {
    var feed = feed(seed)
    expectSame(feed.messages, feed.messages.doubled(&feed.random))
  }

  @Test(
    "Independent records may arrive in any order: children before parents, neighbouring messages swapped",
    arguments: seeds)
  func order(seed: UInt64) {
    var feed = feed(seed)
    expectSame(feed.messages, feed.messages.reordered(&feed.random, updateFirst: false))
  }

  @Test("An UPDATE may come before the CREATE of its record", arguments: seeds)
  func updateFirst(seed: UInt64) {
    var feed = feed(seed)
    let other = feed.messages.reordered(&feed.random, updateFirst: true)
    expectSame(feed.messages, other)
    expectAgreement(other)
  }

  @Test("The number of messages in a batch does not affect the state", arguments: seeds)
  func batches(seed: UInt64) {
    var feed = feed(seed)
    var engine = Engine()
    var rest = feed.messages[...]
    while !rest.isEmpty {
      let count = Int.random(in: 1...rest.count, using: &feed.random)
      engine.receive(rest.prefix(count).map(\.text))
      rest.removeFirst(count)
    }
    #expect(StoreComparison.difference(engine.shown(), Engine.after(feed.messages)) == nil)
  }

  @Test("A dump equal to the current state reports no changes", arguments: seeds)
  func sameAgain(seed: UInt64) {
    let feed = feed(seed)
    var engine = Engine()
    engine.state.tracksParts = true
    for message in feed.messages { engine.receive([message.text]) }
    let changes = engine.changes([feed.truth.text])
    #expect(changes.matches.isEmpty)
    #expect(changes.markets.isEmpty)
    #expect(changes.outcomes.isEmpty)
  }
}
