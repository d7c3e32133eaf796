import OddsFeed
import OddsModel
import TestSupport
import Testing

/// Minimal scripts for the errors that the law tests have found.
struct FoundByLawsTests {
  private var engine = Engine()

  private static func update(_ version: Int?, _ records: String...) -> String {
    let version = version.map { #""version":"\#($0)","# } ?? ""
    return #"{\#(version)"messageType":"UPDATE","records":[\#(records.joined(separator: ","))]}"#
  }

  private static let match = FeedText.create("MATCH", 100, #"{"name":"A - B"}"#)
  private static let market = FeedText.create("MARKET", 110, #"{"eventId":"100","bettingTypeId":"5"}"#)
  private static let outcome = FeedText.create("OUTCOME", 111, #"{"marketId":"110"}"#)
  private static let offer = FeedText.create("BETTING_OFFER", 121, FeedText.offer(121, outcome: 111, odds: "2.45"))
  private static let deleteMatch = FeedText.delete("MATCH", 100)
  private static let deleteOffer = FeedText.delete("BETTING_OFFER", 121)

  private static func dump(_ records: String...) -> String {
    #"{"version":"9","messageType":"INITIAL_DUMP","records":[\#(records.joined(separator: ","))]}"#
  }

  private static let scripts: [(String, [String])] = [
    (
      "ids that are no numbers are ordered by their text, not by which came first",
      [
        update(
          1, match, market, #"{"changeType":"CREATE","entityType":"OUTCOME","id":"law:b","entity":{"marketId":"110"}}"#,
          #"{"changeType":"CREATE","entityType":"OUTCOME","id":"law:a","entity":{"marketId":"110"}}"#)
      ]
    ),
    (
      "a second dump has a child whose parent it has not: the child waits",
      [
        update(1, match), dump(#"{"_type":"MARKET","id":"110","eventId":"100"}"#), update(10, match),
      ]
    ),
    (
      "… an offer of an outcome that goes",
      [
        update(1, FeedText.create("OUTCOME", 111, "{}")),
        dump(
          #"{"_type":"MATCH","id":"100"}"#, #"{"_type":"MARKET","id":"110","eventId":"100"}"#,
          #"{"_type":"BETTING_OFFER","id":"121","outcomeId":"111","odds":2}"#),
        update(10, outcome),
      ]
    ),
    ("an UPDATE that is bad does not wait", [update(1, FeedText.odds(121, "0.5"))]),
    (
      "a child's DELETE counts as nothing, however often it comes",
      [
        update(1, match, market, outcome, offer), update(2, deleteMatch), update(3, deleteOffer),
        update(3, deleteOffer),
      ]
    ),
    (
      "a child that is there anew has not gone",
      [
        update(1, match, market, outcome, offer), update(2, deleteMatch), update(3, offer, outcome),
        update(4, deleteOffer), update(5, deleteOffer),
      ]
    ),
    (
      "a change that waits again keeps its version",
      [
        update(1, FeedText.delete("MATCH", 100)), update(2, FeedText.change("MATCH", 100, #""name":"old""#)),
        update(nil, match), update(3, match),
      ]
    ),
  ]

  @Test("The engine and the reference store show the same state after each message", arguments: scripts.indices)
  func script(place: Int) {
    let (name, messages) = Self.scripts[place]
    var (engine, reference) = (Engine(), ReferenceStore())
    for message in messages {
      engine.receive([message])
      reference.receive([message])
      #expect(StoreComparison.difference(engine.shown(), reference.shown()) == nil, "\(name)")
      #expect(engine.state.counters.waiting == reference.waiting, "\(name)")
      #expect(engine.state.counters.rejected == reference.rejected, "\(name)")
    }
  }

  @Test("A change by an update is reported even if a dump follows in the same batch")
  mutating func dumpBehindUpdate() {
    engine.receive([FeedText.dump(FeedText.football())])
    let changes = engine.changes([
      FeedText.update(FeedText.odds(121, "3")), FeedText.dump(FeedText.football(odds: ["3", "3.1", "2.9"])),
    ])
    #expect(changes.matches.sorted() == [100])
  }

  @Test("Records that a message deletes and creates again are reported once")
  mutating func namedOnce() {
    engine.state.tracksParts = true
    engine.receive([Self.update(1, Self.match, Self.market, Self.outcome)])
    let changes = engine.changes([Self.update(2, Self.deleteMatch, Self.match, Self.market, Self.outcome)])
    #expect(changes.matches.sorted() == [100])
    #expect(changes.markets.sorted() == [110])
    #expect(changes.outcomes.sorted() == [111])
  }

  @Test("A dump equal to the current state reports no changes")
  mutating func sameDump() {
    engine.state.tracksParts = true
    let main = #"{"_type":"MAIN_MARKET","id":"1","bettingTypeId":"69"}"#
    engine.receive([FeedText.dump(FeedText.football(), main)])
    let changes = engine.changes([FeedText.dump(FeedText.football(), main)])
    #expect(changes.matches.isEmpty)
    #expect(changes.markets.isEmpty)
    #expect(changes.outcomes.isEmpty)
  }

  @Test("A MAIN_MARKET record that awaited a dump applies when the feed ends")
  mutating func mainMarketAtTheEnd() {
    engine.state.awaitDump()
    engine.receive([
      Self.update(1, Self.match, Self.market, FeedText.create("MAIN_MARKET", 1, #"{"bettingTypeId":"5"}"#))
    ])
    var changes = FeedChanges()
    engine.state.finish(into: &changes)
    #expect(engine.state.match(100)?.markets.first?.isMain == true)
  }

  @Test("A pending change that an audit's dump discards is no longer counted")
  mutating func waitingAfterAudit() {
    engine.receive([FeedText.dump(FeedText.football()), FeedText.update(FeedText.odds(999, "2"))])
    #expect(engine.state.counters.waiting == 1)
    engine.state.beginAudit()
    let dump = FeedText.dump(FeedText.football())
    engine.receive([dump])
    // The dump is older than the update, so the update stays pending.
    #expect(engine.state.counters.waiting == 1)
    engine.state.beginAudit()
    engine.receive([dump.replacing("1750752646168", with: "1750752648000")])
    #expect(engine.state.counters.waiting == 0)
  }
}
