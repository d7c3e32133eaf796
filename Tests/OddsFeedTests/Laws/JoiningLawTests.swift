import EveryMatrix
import OddsFeed
import OddsModel
import TestSupport
import Testing

/// A client that joins late, with a dump and later messages, compared with a client that read everything.
struct JoiningLawTests {
  /// Returns the first difference of a client that joins after any message, or nil.
  ///
  /// NB: no client joins between messages of one version, which are one change. A record removed with its parent is in
  /// no dump, so its own DELETE would be pending in the late client only.
  private func difference(_ texts: [String], versions: [Int64?] = []) -> String? {
    var state = RecordedState()
    var early = Engine()
    var late: [(index: Int, client: Engine)] = []
    for (index, text) in texts.enumerated() {
      early.receive([text])
      Array(text.utf8).withUnsafeBufferPointer { state.apply($0) }
      for at in late.indices { late[at].client.receive([text]) }
      let mayJoin = index + 1 >= versions.count || versions[index] != versions[index + 1]
      var client = Engine()
      client.receive([String(decoding: state.dumpBuilder()(), as: UTF8.self)])
      if client.state.counters.rejected > 0 {
        return "\(client.state.counters.rejected) records of the dump are set aside"
      }
      for update in state.takePending() { client.receive([String(decoding: update, as: UTF8.self)]) }
      if mayJoin { late.append((index, client)) }
      let right = early.shown()
      for at in late.indices {
        guard let difference = StoreComparison.difference(late[at].client.shown(), right) else { continue }
        return "joined after message \(late[at].index), after message \(index): \(difference)"
      }
    }
    return nil
  }

  private func difference(_ messages: [FeedMessage]) -> String? {
    difference(messages.map(\.text), versions: messages.map(\.version))
  }

  private func check(_ messages: [FeedMessage]) {
    if difference(messages) == nil { return }
    Issue.record("\(StoreComparison.shrunk(messages, difference))")
  }

  private func truth(_ seed: UInt64) -> [FeedMessage] {
    var truth = FeedModel(seed: seed)
    return [truth.dump()] + (0..<10).map { _ in truth.nextMessage() }
  }

  @Test("A client that joins late shows the same state as one that read everything", arguments: Laws.seeds(8))
  func same(seed: UInt64) { check(truth(seed)) }

  @Test("A late client shows the same state if messages are split, repeated or reordered", arguments: Laws.seeds(8))
  func perturbed(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    check(truth(seed).split(&random))
    check(truth(seed).doubled(&random))
    check(truth(seed).reordered(&random, updateFirst: false))
    check(truth(seed).reordered(&random, updateFirst: true))
  }

  /// Contents of updates: invalid, not understood, or valid in an unusual form.
  private static let invalid = [
    #"{"odds":0.5}"#, #"{"odds":"x"}"#, #"{"odds":{}}"#, #"{"odds":99999999999}"#, #"{"statusId":"x"}"#,
    #"{"statusId":[]}"#, #"{"statusId":"7","odds":-1}"#, #"{"isAvailable":"no"}"#, #"{"outcomeId":{}}"#, "5", "null",
    "[]",
    #"{"odds":2.5,"odds":0.1}"#, #"{"\u006fdds":0.5}"#, #"{"\u006fdds":3.5}"#, #"{"odds":null}"#,
    #"{"extra":[1,{"odds":3}]}"#,
  ]

  @Test(
    "A late client shows the same state if updates are invalid, records incomplete, or frames not JSON",
    arguments: Laws.seeds(8))
  func invalid(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var texts: [String] = []
    for message in truth(seed) {
      texts.append(message.text)
      guard let offer = message.records.last(where: { $0.key.type == "BETTING_OFFER" })?.key.id else { continue }
      let content = Self.invalid.randomElement(using: &random)!
      let heads = [
        #""changeType":"UPDATE","#, "", #""changeType":"UPSERT","#, #""changeType":5,"#, #""changeType":"CREATE","#,
      ]
      let head = heads.randomElement(using: &random)!
      let key = ["changedProperties", "entity", "change"].randomElement(using: &random)!
      let type = ["BETTING_OFFER", "BETTING_OFFER", "OFFER", "MATCH"].randomElement(using: &random)!
      texts.append(FeedText.update(#"{\#(head)"entityType":"\#(type)","id":"\#(offer)","\#(key)":\#(content)}"#))
      texts.append(String(message.text.dropLast(Int.random(in: 1...9, using: &random))))
    }
    if let difference = difference(texts) { Issue.record("seed \(seed): \(difference)") }
  }

  @Test("The dump of an inconsistent feed shows the same state as its messages", arguments: Laws.seeds(60))
  func wild(seed: UInt64) {
    var wild = ArbitraryFeed(seed: seed)
    var (state, client) = (RecordedState(), Engine())
    for _ in 0..<30 {
      let text = wild.message().text
      client.receive([text])
      Array(text.utf8).withUnsafeBufferPointer { state.apply($0) }
      var late = Engine()
      late.receive([String(decoding: state.dump(), as: UTF8.self)])
      #expect(StoreComparison.difference(late.shown(), client.shown()) == nil, "seed \(seed)")
    }
  }

  @Test("The dump of a malformed feed shows the same state as its messages", arguments: Laws.seeds(60))
  func hostile(seed: UInt64) {
    var hostile = HostileFeed(seed: seed)
    var (state, client) = (RecordedState(), Engine())
    for _ in 0..<30 {
      let text = hostile.line()
      client.receive([text])
      Array(text.utf8).withUnsafeBufferPointer { state.apply($0) }
      var late = Engine()
      late.receive([String(decoding: state.dump(), as: UTF8.self)])
      #expect(StoreComparison.difference(late.shown(), client.shown()) == nil, "seed \(seed)")
    }
  }
}
