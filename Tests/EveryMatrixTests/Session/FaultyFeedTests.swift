import TestSupport
import Testing

@testable import EveryMatrix
@testable import OddsFeed
@testable import OddsModel
@testable import Platform

/// A faulty feed over a real session: the channel reports why it has no prices, and recovers.
@Suite(.timeLimit(.minutes(45)))
struct FaultyFeedTests {
  private let peer = ScriptedPeer()
  private let clock = ManualClock(chance: 1)
  private let topic = Topic(path: "/a")

  /// Returns a provider that reads the feed.
  private func provider(bufferLimit: Int = 100_000) -> Provider {
    var options = StoreOptions()
    options.bufferLimit = bufferLimit
    let session = FeedSession(connector: peer, realm: "realm", clock: clock.clientClock)
    let provider = Provider(transport: session, options: options, clock: clock.clientClock)
    Task.detached { await provider.run() }
    return provider
  }

  private func connect() async -> PeerConnection {
    let connection = await peer.nextAttempt().accept()
    await connection.acceptHello()
    return connection
  }

  @discardableResult
  private func next(
    _ changes: inout ChannelChanges.Iterator, where isWanted: (ChangeSet) -> Bool
  ) async -> ChangeSet? {
    while let set = await changes.next() { if isWanted(set) { return set } }
    return nil
  }

  /// Waits until a task sleeps until that time, and advances the clock to it.
  private func advance(to end: Duration) async {
    while !Task.isCancelled, !clock.isSleeping(until: end) { await Task.yield() }
    clock.advance(by: end - clock.clientClock.uptime())
  }

  /// Answers the next call for a dump with a text made from the call's number.
  private func answer(_ connection: PeerConnection, _ text: (UInt64) -> String) async {
    while let message = await connection.next() {
      guard case .call(let request, _, _) = message else { continue }
      connection.sendMessages(texts: [Array(text(request).utf8)])
      return
    }
    Issue.record("no call")
  }

  private func answer(_ connection: PeerConnection, dump: String) async {
    await answer(connection) { "[50,\($0),{},[],\(dump)]" }
  }

  private func isRetrying(_ state: TopicState, _ text: String = "") -> Bool {
    if case .retrying(let why, _) = state { text.isEmpty || why.message.contains(text) } else { false }
  }

  @Test(
    "An answer that is not a dump is retried, and the channel is locked with the reason until a dump arrives",
    arguments: [
      "{}", "[]", "null", #"{"error":"x"}"#, #"{"records":5}"#, #"{"messageType":"INITIAL_DUMP"}"#,
      #"{"messageType":"INITIAL_DUMP","records":{}}"#, #"{"messageType":"UPDATE","records":[]}"#,
      #"{"messageType":"INITIAL_DUMP","records":[{"_type":"MATCH","id":"1"}"#, #"{"records":[7]}"#,
      #"{"records":[{"changeType":"UPDATE","id":"1"}]}"#, "", "7", #""text""#,
    ])
  func noDump(payload: String) async {
    let provider = provider()
    let share = await provider.subscribe(to: topic)
    var changes = await share.changes().makeAsyncIterator()
    let connection = await connect()
    guard case .register(let request, _)? = await connection.next() else {
      Issue.record("not registered")
      return
    }
    connection.sendMessages(.registered(request: request, registration: 1))
    var wait = Duration.zero
    for delay in [200, 400, 800] {
      await answer(connection) { payload.isEmpty ? "[50,\($0),{}]" : "[50,\($0),{},[],\(payload)]" }
      let set = await next(&changes) { isRetrying($0.topic, String(payload.prefix(60))) }
      #expect(set?.freshness.grade == .locked && set?.isLoaded == false)
      wait += .milliseconds(delay)
      await advance(to: wait)
    }
    await answer(connection, dump: FeedText.dump(FeedText.football()))
    let live = await next(&changes) { $0.freshness.grade == .live && $0.topic == .live }
    #expect(live != nil)
    #expect(await share.store.snapshot().map(\.id) == [100])
    await provider.stop()
  }

  @Test("An answer with records but no messageType is accepted as the dump")
  func untyped() async {
    let provider = provider()
    let share = await provider.subscribe(to: topic)
    var changes = await share.changes().makeAsyncIterator()
    let connection = await connect()
    await connection.acceptRegistration(#"{"version":5,"records":[\#(FeedText.football())]}"#)
    await next(&changes) { $0.freshness.grade == .live && $0.topic == .live }
    #expect(await share.store.snapshot().map(\.id) == [100])
    #expect(await share.store.received.dumps == 1)
    await provider.stop()
  }

  @Test(
    "An error after a reconnect is reported and retried, for both REGISTER and CALL",
    arguments: [
      "wamp.error.runtime_error", WAMPMessage.URI.noSuchProcedure, WAMPMessage.URI.procedureAlreadyExists,
    ], [WAMPMessage.Code.register, WAMPMessage.Code.call])
  func passingError(uri: String, code: UInt64) async {
    let provider = provider()
    let share = await provider.subscribe(to: topic)
    var changes = await share.changes().makeAsyncIterator()
    let first = await connect()
    await first.acceptRegistration(FeedText.dump(FeedText.football()))
    await next(&changes) { $0.freshness.grade == .live && $0.topic == .live }
    clock.advance(by: .seconds(3))
    first.reset()
    let second = await connect()
    guard case .register(let request, _)? = await second.next() else {
      Issue.record("not registered")
      return
    }
    if code == WAMPMessage.Code.register {
      second.sendMessages(.failure(code, request, uri))
    } else {
      second.sendMessages(.registered(request: request, registration: 1))
      guard case .call(let call, _, _)? = await second.next() else {
        Issue.record("no call")
        return
      }
      second.sendMessages(.failure(code, call, uri))
    }
    let retrying = await next(&changes) { isRetrying($0.topic, uri) }
    #expect(retrying?.freshness.grade == .locked)
    await advance(to: .milliseconds(3200))
    if code == WAMPMessage.Code.register {
      guard case .register(let again, _)? = await second.next() else {
        Issue.record("not registered")
        return
      }
      second.sendMessages(.registered(request: again, registration: 2))
    }
    await answer(second, dump: FeedText.dump(FeedText.football(100, odds: ["9", "3.1", "2.9"])))
    await next(&changes) { $0.freshness.grade == .live && $0.topic == .live }
    #expect(await share.store.snapshot().first?.mainMarket?.outcomes[0].offer?.odds?.description == "9.00")
    await provider.stop()
  }

  @Test("If more updates arrive before a dump than the buffer holds, the channel is locked until a newer dump")
  func overflow() async {
    let provider = provider(bufferLimit: 3)
    let share = await provider.subscribe(to: topic)
    var changes = await share.changes().makeAsyncIterator()
    let connection = await connect()
    guard case .register(let request, _)? = await connection.next() else {
      Issue.record("not registered")
      return
    }
    connection.sendMessages(.registered(request: request, registration: 1))
    // NB: these updates are newer than the dump, and too many for the buffer.
    connection.sendMessages(
      texts: (2...7).map { PeerConnection.invocation(FeedText.update(FeedText.odds(121, "\($0)")), registration: 1) })
    await answer(connection, dump: FeedText.dump(FeedText.football()))
    let first = await next(&changes) { $0.isLoaded }
    #expect(first?.freshness.grade == .locked)
    await answer(connection, dump: FeedText.dump(FeedText.football(100, odds: ["7", "3.1", "2.9"])))
    await next(&changes) { $0.freshness.grade == .live }
    #expect(await share.store.snapshot().first?.mainMarket?.outcomes[0].offer?.odds?.description == "7.00")
    await provider.stop()
  }

  @Test("A follower receives each message, the corrections of an audit, and the lock of a feed silent for 10 s")
  func follower() async {
    let provider = provider()
    let share = await provider.subscribe(to: topic)
    let (events, feed) = AsyncStream.makeStream(of: (price: String, grade: Freshness.Grade, time: Int64).self)
    await share.store.follow { state, event in
      let price = state.match(100)?.mainMarket?.outcomes[0].offer?.odds?.description ?? "-"
      feed.yield((price, event.status.freshness.grade, event.time - ManualClock.wallStart))
    }
    var seen = events.makeAsyncIterator()
    func next(_ isWanted: (String, Freshness.Grade) -> Bool) async -> Int64? {
      while let event = await seen.next() { if isWanted(event.price, event.grade) { return event.time } }
      return nil
    }
    let connection = await connect()
    await connection.acceptRegistration(FeedText.dump(FeedText.football()))
    #expect(await next { $0 == "2.45" && $1 == .live } == 0)
    connection.sendMessages(
      texts: [3, 4].map { PeerConnection.invocation(FeedText.update(FeedText.odds(121, "\($0)")), registration: 1) })
    #expect(await next { price, _ in price == "3.00" } == 0)
    #expect(await next { price, _ in price == "4.00" } == 0)
    for odds in 11...24 {
      clock.advance(by: .seconds(5))
      await connection.waitForPing()
      connection.pong()
      connection.sendMessages(texts: [
        PeerConnection.invocation(FeedText.update(FeedText.odds(121, "\(odds)")), registration: 1)
      ]
      )
      #expect(await next { price, _ in price == "\(odds).00" } == Int64(odds - 10) * 5000)
    }
    // An update is lost, and the audit's dump contains it. With this random number the audit begins after 72 s.
    clock.advance(by: .milliseconds(2500))
    while !Task.isCancelled, !clock.isSleeping(until: .milliseconds(74_500)) { await Task.yield() }
    clock.advance(by: .seconds(2))
    let dump = FeedText.dump(FeedText.football(100, odds: ["5", "3.1", "2.9"]))
    await answer(connection, dump: dump.replacing("1750752646168", with: "1750752647777"))
    #expect(await next { price, _ in price == "5.00" } == 74_500)
    // The feed is silent from here on. The sleep that was scheduled before the dump ends first.
    for (wake, grade) in [(76_000, nil), (80_500, Freshness.Grade.delayed), (84_500, .locked)] {
      while !Task.isCancelled, !clock.isSleeping(until: .milliseconds(wake)) { await Task.yield() }
      clock.advance(by: .milliseconds(wake) - clock.clientClock.uptime())
      if let grade { #expect(await next { $1 == grade } == Int64(wake)) }
    }
    await provider.stop()
  }
}
