import Platform
import TestSupport
import Testing

@testable import EveryMatrix
@testable import OddsFeed
@testable import OddsModel

/// A provider over a session: the effects of connection changes on a channel.
@Suite(.timeLimit(.minutes(45)))
struct SessionProviderTests {
  private let peer = ScriptedPeer()
  private let clock = ManualClock()
  private let session: FeedSession
  private let provider: Provider
  private let topic = Topic(path: "/a")

  init() {
    session = FeedSession(connector: peer, realm: "realm", clock: clock.clientClock)
    provider = Provider(transport: session, clock: clock.clientClock)
    Task.detached { [provider] in await provider.run() }
  }

  /// Reads changes until one satisfies the condition.
  @discardableResult
  private func next(
    _ changes: inout ChannelChanges.Iterator, where isWanted: (ChangeSet) -> Bool
  ) async -> ChangeSet? {
    while let set = await changes.next() { if isWanted(set) { return set } }
    return nil
  }

  private func connect() async -> PeerConnection {
    let connection = await peer.nextAttempt().accept()
    await connection.acceptHello()
    return connection
  }

  /// Returns a live connection with a live channel of one match.
  private func live() async -> (PeerConnection, ChannelSubscription, ChannelChanges.Iterator) {
    let share = await provider.subscribe(to: topic)
    var changes = await share.changes().makeAsyncIterator()
    let connection = await connect()
    await connection.acceptRegistration(FeedText.dump(FeedText.football()))
    await next(&changes) { $0.freshness.grade == .live && $0.topic == .live }
    return (connection, share, changes)
  }

  /// Waits until a task sleeps until that time, in seconds, and advances the clock to it.
  private func advance(to end: Int) async {
    while !Task.isCancelled, !clock.isSleeping(until: .seconds(end)) { await Task.yield() }
    clock.advance(by: .seconds(end) - clock.clientClock.uptime())
  }

  private func end() async {
    await provider.stop()
    #expect(peer.openCount == 0)
  }

  @Test("Updates received together are one change for readers, even between updates of another channel")
  func together() async {
    var (connection, share, changes) = await live()
    let other = await provider.subscribe(to: Topic(path: "/b"))
    await connection.acceptRegistration(FeedText.dump(FeedText.football(200)), registration: 2)
    while !Task.isCancelled, await other.store.received.dumps == 0 { await Task.yield() }
    connection.sendMessages(
      texts: (2...11).flatMap { odds in
        [(121, 1), (221, 2)].map { offer, registration in
          PeerConnection.invocation(
            FeedText.update(FeedText.odds(offer, "\(odds)")), registration: UInt64(registration))
        }
      })
    let set = await next(&changes) { !$0.changed.isEmpty }
    #expect(set?.changed.first?.mainMarket?.outcomes.first?.price == "11.00")
    #expect(set?.conflated == 0)
    #expect(set?.received.oddsUpdates == 10)
    while !Task.isCancelled, await other.store.received.oddsUpdates < 10 { await Task.yield() }
    await share.cancel()
    await other.cancel()
    await end()
  }

  @Test("A lost connection locks the channel until the dump of the next connection")
  func lost() async {
    var (connection, share, changes) = await live()
    clock.advance(by: .seconds(3))
    connection.reset()
    let locked = await next(&changes) { $0.freshness.grade == .locked }
    #expect(locked?.freshness.since == ManualClock.wallStart + 3000)
    let second = await connect()
    await next(&changes) { $0.connection == .recovering }
    await second.acceptRegistration(FeedText.dump(FeedText.football()))
    await next(&changes) { $0.connection == .live && $0.freshness.grade == .live }
    #expect(await share.store.received.dumps == 2)
    await end()
  }

  @Test("A channel is closed when access is denied; after a reconnect by the user it is live with its next dump")
  func notLetIn() async {
    var (connection, _, changes) = await live()
    connection.sendMessages(.abort(reason: WAMPMessage.URI.notAuthorized, text: "expired"))
    let closed = await next(&changes) { $0.freshness.grade == .closed }
    if case .failed? = closed?.connection {} else { Issue.record("\(String(describing: closed))") }
    await session.reconnect()
    let second = await connect()
    guard case .register(let request, _)? = await second.next() else {
      Issue.record("not registered")
      return
    }
    second.sendMessages(.registered(request: request, registration: 4))
    // An update that arrives before the dump is applied after it.
    second.sendMessages(texts: [PeerConnection.invocation(FeedText.update(FeedText.odds(121, "7")), registration: 4)])
    _ = await second.next()
    _ = await second.next()
    await next(&changes) { $0.connection == .recovering && $0.freshness.grade == .locked }
    second.sendMessages(texts: [
      WAMPMessage.result(request: 2, payload: Array(FeedText.dump(FeedText.football()).utf8))
    ])
    let set = await next(&changes) { $0.freshness.grade == .live }
    #expect(set?.changed.first?.mainMarket?.outcomes.first?.price == "7.00")
    await end()
  }

  @Test("Silence locks the channel after 10 s; after two unanswered pings the session reconnects at once")
  func silent() async {
    var (connection, _, changes) = await live()
    await advance(to: 5)
    await connection.waitForPing()
    await advance(to: 6)
    await next(&changes) { $0.freshness.grade == .delayed }
    await advance(to: 10)
    let locked = await next(&changes) { $0.freshness.grade == .locked }
    #expect(locked?.freshness.since == ManualClock.wallStart + 10_000)
    await connection.waitForPing()
    await advance(to: 15)
    let second = await connect()
    await second.acceptRegistration(FeedText.dump(FeedText.football()))
    await next(&changes) { $0.freshness.grade == .live }
    #expect(connection.closeCode != nil)
    await end()
  }

  @Test("Each minute a channel is compared with a fresh dump; differences are corrected and counted")
  func audited() async {
    var (connection, share, changes) = await live()
    for (turn, divergences) in zip(1..., [1, 1]) {
      await advance(to: 62 * turn - 2)
      await advance(to: 62 * turn)
      await connection.answerCall(FeedText.dump(FeedText.football(odds: ["5", "6", "7"])))
      let set = await next(&changes) { $0.received.audits == turn }
      #expect(set?.received.divergences == divergences)
      connection.pong()
    }
    #expect(await share.store.snapshot().first?.mainMarket?.outcomes.first?.price == "5.00")
    await end()
  }

  @Test("An audit's dump may be older than updates of the 2 s before its request, and does not revert them")
  func auditedWithOldDump() async {
    var (connection, share, changes) = await live()
    await advance(to: 60)
    while !Task.isCancelled, !clock.isSleeping(until: .seconds(62)) { await Task.yield() }
    let suspension = FeedText.update(FeedText.change("BETTING_OFFER", 121, #""statusId":"7""#))
    connection.sendMessages(texts: [PeerConnection.invocation(suspension)])
    #expect(await connection.next() == .yield(request: 1))
    await next(&changes) { !$0.changed.isEmpty }
    await advance(to: 62)
    await connection.answerCall(FeedText.dump(FeedText.football()))
    let set = await next(&changes) { $0.received.audits == 1 }
    #expect(set?.received.divergences == 0)
    #expect(await share.store.snapshot().first?.mainMarket?.outcomes.first?.isBettable == false)
    await end()
  }

  @Test("Maintenance of the feed locks the channel until the next dump, which also applies the updates in between")
  func maintenance() async {
    var (connection, _, changes) = await live()
    #expect(await session.requestDump(Subscription(topic: topic, generation: 1)))
    guard case .call(let request, _, _)? = await connection.next() else {
      Issue.record("no call")
      return
    }
    clock.advance(by: .seconds(3))
    connection.sendMessages(
      .error(type: WAMPMessage.Code.call, request: request, uri: WAMPMessage.URI.noBackend, text: ""))
    let locked = await next(&changes) { $0.topic != .live }
    #expect(locked?.freshness == Freshness(.locked, since: ManualClock.wallStart + 3000))
    connection.sendMessages(texts: [PeerConnection.invocation(FeedText.update(FeedText.odds(121, "7")))])
    #expect(await connection.next() == .yield(request: 1))
    for end in [5, 10] {
      await advance(to: end)
      await connection.waitForPing()
      connection.pong()
    }
    await advance(to: 13)
    await connection.answerCall(FeedText.dump(FeedText.football()))
    let set = await next(&changes) { $0.freshness.grade != .locked || !$0.changed.isEmpty }
    #expect(set?.freshness.grade == .live)
    #expect(set?.changed.first?.mainMarket?.outcomes.first?.price == "7.00")
    await end()
  }

  @Test("An audit without a dump is abandoned; no dump is requested while the connection is not live")
  func unaudited() async {
    var (connection, share, changes) = await live()
    await advance(to: 60)
    await advance(to: 62)
    guard case .call? = await connection.next() else {
      Issue.record("no audit")
      return
    }
    #expect(await share.store.audits.count == 1)
    await advance(to: 77)
    while !Task.isCancelled, await !share.store.audits.isEmpty { await Task.yield() }
    connection.reset()
    _ = await connect()
    await next(&changes) { $0.connection == .recovering }
    await advance(to: 137)
    while !Task.isCancelled, !clock.isSleeping(until: .seconds(197)) { await Task.yield() }
    #expect(await share.store.received.audits == 0)
    await end()
  }

  @Test("A released channel is not audited any more")
  func released() async {
    let (connection, share, _) = await live()
    while !Task.isCancelled, !clock.isSleeping(until: .seconds(60)) { await Task.yield() }
    await share.cancel()
    #expect(await connection.next() == .unregister(request: 3, registration: 1))
    while !Task.isCancelled, clock.isSleeping(until: .seconds(60)) { await Task.yield() }
    await end()
  }
}
