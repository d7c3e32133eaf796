import Dispatch
import NIOCore
import NIOEmbedded
import OddsModel
import TestSupport
import Testing

@testable import FeedServer

/// With the default limits, a session is checked every 5 s and ended if it has been behind for 4 s.
@Suite("A session that is behind")
struct BehindTests {
  private let relay = InstantRelay()
  private let hub: FeedHub
  private let topics = (0..<3).map { Topic(path: "/\($0)") }

  init() {
    var limits = ServerLimits()
    limits.conflatedFrom = 4
    limits.keptMessages = 64
    hub = FeedHub(source: relay, limits: limits, loops: [], metrics: ServerMetrics())
  }

  private func update(_ odds: String) -> [UInt8] { Array(FeedText.update(FeedText.odds(121, odds)).utf8) }

  /// Returns a session with a topic that cannot catch up, because the address has no processor time. The session is
  /// behind from second 1 on.
  private func delayedSession() throws -> MemorySession {
    let session = try MemorySession(hub)
    try session.register(topics[0])
    session.loop.advanceTime(by: .seconds(1))
    hub.work.charge("127.0.0.1", TopicWork(nanoseconds: 1 << 50), now: session.loop.now)
    relay.append((0..<100).map { update("\($0).5") }, to: topics[0])
    session.session.flush()
    session.loop.run()
    return session
  }

  /// Advances the clock. The client answers pings.
  private func advance(_ time: TimeAmount, _ session: MemorySession) throws {
    session.loop.advanceTime(by: time)
    try session.send(0x8A)
  }

  @Test("is ended at the first check after 4 s")
  func ends() throws {
    let session = try delayedSession()
    try advance(.milliseconds(3999), session)
    #expect(try !session.receiveAll().contains("[6,"))
    try advance(.milliseconds(1), session)
    #expect(try session.receiveAll().contains("[6,"))
    try session.finish()
  }

  @Test("gets at least 0.5 s after its socket becomes writable again")
  func grace() throws {
    let session = try delayedSession()
    try advance(.seconds(2), session)
    session.setWritable(false)
    try advance(.milliseconds(1900), session)
    session.setWritable(true)
    try advance(.milliseconds(499), session)
    #expect(try !session.receiveAll().contains("[6,"))
    try advance(.milliseconds(1), session)
    #expect(try session.receiveAll().contains("[6,"))
    try session.finish()
  }

  @Test("is ended in time even if its socket repeatedly becomes unwritable")
  func toggles() throws {
    let session = try delayedSession()
    var end: Int?
    for round in 1...66 where end == nil {
      session.setWritable(round.isMultiple(of: 2))
      try advance(.milliseconds(300), session)
      if try session.receiveAll().contains("[6,") { end = 300 * round }
    }
    let time = try #require(end, "the session goes on")
    #expect(time >= 4000 && time <= 5500)
    try session.finish()
  }

  @Test("gets the 0.5 s again if it was up to date in between")
  func graceAgain() throws {
    let session = try delayedSession()
    for start in [0, 1] {
      session.setWritable(false)
      try advance(.milliseconds(3900), session)
      session.setWritable(true)
      try advance(.milliseconds(start == 0 ? 200 : 499), session)
      #expect(try !session.receiveAll().contains("[6,"))
      if start == 1 { break }
      session.session.subscriptions[0].caughtUp(to: session.session.subscriptions[0].log.last)
      try advance(.milliseconds(5900), session)
      relay.append((0..<100).map { update("\($0).5") }, to: topics[0])
      session.session.flush()
      session.loop.run()
    }
    try advance(.milliseconds(1000), session)
    #expect(try session.receiveAll().contains("[6,"))
    try session.finish()
  }

  @Test("is not ended if it catches up within the 0.5 s")
  func servedInTime() throws {
    let session = try delayedSession()
    session.setWritable(false)
    try advance(.milliseconds(3900), session)
    session.setWritable(true)
    try advance(.milliseconds(200), session)
    // As if a dump had arrived.
    session.session.subscriptions[0].caughtUp(to: session.session.subscriptions[0].log.last)
    try advance(.seconds(60), session)
    #expect(try !session.receiveAll().contains("[6,"))
    try session.finish()
  }

  /// Makes the hub build the requested messages, and delivers them to the session.
  private func settle(_ session: MemorySession) {
    // NB: Nothing else runs meanwhile, because the embedded loop belongs to one thread.
    hub.builder.resume()
    hub.builder.sync {}
    hub.builder.suspend()
    session.loop.run()
  }

  @Test(
    "stores at most one prepared message while its socket is not writable, and sends the latest state afterwards")
  func prepared() throws {
    hub.builder.suspend()
    defer { hub.builder.resume() }
    let session = try MemorySession(hub)
    for (index, topic) in topics.enumerated() { try session.register(topic, request: UInt64(index) + 1) }
    for topic in topics { relay.append((0..<40).map { update("\($0).5") }, to: topic) }
    session.session.flush()
    session.channel.isWritable = false
    // The messages are made one after another. Each arrives while the socket is not writable.
    settle(session)
    let kept = session.session.subscriptions.count { if case .message = $0.catchUp { true } else { false } }
    #expect(kept == 1)
    #expect(try session.receiveAll() == "")
    session.setWritable(true)
    for _ in 0..<10 { settle(session) }
    let text = try session.receiveAll()
    for registration in 1...3 { #expect(text.contains(",\(registration),{},[],{")) }
    #expect(text.ranges(of: #""odds":39.5"#).count == 3)
    #expect(session.session.subscriptions.allSatisfy { $0.cursor == $0.log.last })
    try session.finish()
  }

  @Test("gets one new dump if an earlier one waited for its socket while more messages came than are kept")
  func oldDump() throws {
    let metrics = ServerMetrics()
    let session = try MemorySession(hub, metrics: metrics)
    try session.register(topics[0])
    relay.append((0..<100).map { update("\($0).5") }, to: topics[0])
    session.session.flush()
    session.channel.isWritable = false
    session.loop.run()
    if case .dump(let dump) = session.session.subscriptions[0].catchUp {
      #expect(dump.last == 100)
    } else {
      Issue.record("no dump was made")
    }
    let since = try #require(session.session.subscriptions[0].behindSince)
    relay.append((0..<2000).map { update("\($0).5") }, to: topics[0])
    session.loop.advanceTime(by: .seconds(1))
    session.channel.isWritable = true
    session.channel.pipeline.fireChannelWritabilityChanged()
    #expect(try session.receiveAll() == "")
    #expect(session.session.subscriptions[0].behindSince == since)
    session.loop.run()
    #expect(try session.receiveAll().ranges(of: "INITIAL_DUMP").count == 1)
    #expect(session.session.subscriptions[0].cursor == 2100 && session.session.subscriptions[0].behindSince == nil)
    #expect(metrics.total("catch_up_dumps_total") == 1)
    #expect(hub.unsent.total == 0)
    try session.finish()
  }
}
