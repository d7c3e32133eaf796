import OddsModel
import Platform
import Testing

@testable import FeedServer

@Suite("Topics that several clients request")
struct SharedOpeningTests {
  private let source = ScriptedSource()
  private let hub: FeedHub
  private let topic = Topic(path: "/t")
  private let other = Topic(path: "/x")
  private let joined = Locked<[Result<FeedHub.Joined, TopicError>]>([])
  private let dumps = Locked<[Result<(topic: Topic, dump: TopicDump), TopicError>]>([])

  init() {
    var limits = ServerLimits()
    limits.openings = 1
    hub = FeedHub(source: source, limits: limits, loops: [], metrics: ServerMetrics())
  }

  private func join(_ topic: Topic, from address: String) {
    hub.join(topic, from: address) { [joined] result in joined.withLock { $0.append(result) } }
  }

  private func requestDump(from address: String) {
    hub.reserveDump(of: topic, from: address) { [dumps] result in dumps.withLock { $0.append(result) } }
  }

  @Test(
    "A subscriber of a topic with an ended log gets a new log, which stays open when an earlier subscriber leaves")
  func endedLog() throws {
    join(topic, from: "1")
    source.answer(topic)
    let first = try #require(joined.withLock { $0.first }).get()
    first.log.end()
    join(topic, from: "2")
    #expect(source.calls == ["open /t", "close /t", "open /t"])
    source.answer(topic)
    let second = try #require(joined.withLock { $0.last }).get()
    #expect(second.log !== first.log && !second.log.isEnded)
    hub.leave(topic, first.log)
    join(topic, from: "3")
    let third = try #require(joined.withLock { $0.last }).get()
    #expect(third.log === second.log)
    for _ in 0..<2 { hub.leave(topic, second.log) }
    #expect(source.calls == ["open /t", "close /t", "open /t", "close /t"])
  }

  @Test("A dump request for a topic with an ended log closes the topic and gets a new dump")
  func dumpOfEndedLog() throws {
    join(topic, from: "1")
    source.answer(topic)
    requestDump(from: "2")
    try #require(joined.withLock { $0.first }).get().log.end()
    requestDump(from: "2")
    #expect(source.calls == ["open /t", "dump /t", "close /t", "dump /t"])
    #expect(dumps.withLock { $0.count } == 2)
  }

  /// Requests a topic that waits for its turn, and a dump that waits for the topic. Then the turn comes.
  private func requestDumpOfWaiting() {
    join(other, from: "1")
    join(topic, from: "1")
    requestDump(from: "2")
    #expect(source.calls == ["open /x"] && dumps.withLock { $0.isEmpty })
    source.answer(other)
    #expect(source.calls == ["open /x", "open /t"] && dumps.withLock { $0.isEmpty })
  }

  @Test("A dump of a waiting topic waits too, and needs no separate opening")
  func dumpOfWaiting() throws {
    requestDumpOfWaiting()
    source.answer(topic)
    #expect(source.calls == ["open /x", "open /t", "dump /t"])
    #expect(joined.withLock { $0.count } == 2)
    #expect(try #require(dumps.withLock { $0.first }).get().topic == topic)
  }

  @Test("A dump request fails with the error of the topic's opening")
  func dumpOfFailing() {
    requestDumpOfWaiting()
    source.answer(topic, .failed("too many topics"))
    #expect(source.calls == ["open /x", "open /t"])
    #expect(throws: TopicError.failed("too many topics")) { try dumps.withLock { $0.first }?.get() }
  }

  @Test("A dump request from another address lets a waiting topic use the turn of that address too")
  func hastens() {
    join(other, from: "1")
    for number in 0..<5 { join(Topic(path: "/\(number)"), from: "1") }
    join(topic, from: "1")
    requestDump(from: "2")
    source.answer(other)
    source.answer(Topic(path: "/0"))
    #expect(source.calls == ["open /x", "open /0", "open /t"])
  }
}
