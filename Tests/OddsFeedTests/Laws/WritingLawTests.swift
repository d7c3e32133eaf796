import EveryMatrix
import OddsFeed
import OddsModel
import TestSupport
import Testing

@testable import JSONText

/// A channel written as a dump, compared with the channel itself.
struct WritingLawTests {
  private static func written(_ engine: Engine) -> String {
    var batch = FeedBatch()
    engine.state.appendDump(to: &batch)
    var json = JSONWriter()
    json.dump(batch.messages[0], of: batch)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// Returns nil if the dump restores all that the channel shows.
  private func difference(_ messages: [FeedMessage]) -> String? {
    var (engine, copy) = (Engine(), Engine())
    for message in messages { engine.receive([message.text]) }
    copy.receive([Self.written(engine)])
    if copy.state.counters.rejected > 0 { return "\(copy.state.counters.rejected) records are set aside" }
    return StoreComparison.difference(copy.shown(), engine.shown())
  }

  @Test("A channel that is written as a dump and read again shows the same state", arguments: Laws.seeds(12))
  func same(seed: UInt64) {
    var truth = FeedModel(seed: seed)
    var messages = [truth.dump()]
    for _ in 0..<16 { messages.append(truth.nextMessage()) }
    if difference(messages) != nil { Issue.record("\(StoreComparison.shrunk(messages, difference))") }
  }

  @Test("A written dump of an inconsistent feed restores the same state", arguments: Laws.seeds(100))
  func wild(seed: UInt64) {
    var wild = ArbitraryFeed(seed: seed)
    let messages = (0..<30).map { _ in wild.message() }
    if difference(messages) != nil { Issue.record("\(StoreComparison.shrunk(messages, difference))") }
  }

  @Test("A channel restored from a written dump applies later updates in the same way", arguments: Laws.seeds(12))
  func goesOn(seed: UInt64) {
    var truth = FeedModel(seed: seed)
    var (engine, copy) = (Engine(), Engine())
    engine.receive([truth.dump().text])
    for _ in 0..<8 { engine.receive([truth.nextMessage().text]) }
    copy.receive([Self.written(engine)])
    for _ in 0..<8 {
      let message = truth.nextMessage().text
      engine.receive([message])
      copy.receive([message])
    }
    #expect(StoreComparison.difference(copy.shown(), engine.shown()) == nil)
  }

  @Test("A written dump has the feed's header, and omits fields without a value")
  func shape() {
    var engine = Engine()
    engine.receive([FeedText.dump(#"{"_type":"MATCH","id":"a\"b","name":"A - B"}"#)])
    #expect(
      Self.written(engine)
        == #"{"version":"1750752646168","format":"AGGREGATOR","messageType":"INITIAL_DUMP","records":["#
        + #"{"_type":"MATCH","id":"a\"b","name":"A - B","statusId":"0"}]}"#)
  }
}
