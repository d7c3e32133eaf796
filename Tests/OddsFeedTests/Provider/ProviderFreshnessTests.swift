import Dispatch
import FeedRecording
import TestSupport
import Testing

@testable import OddsFeed
@testable import OddsModel
@testable import Platform

@Suite(.timeLimit(.minutes(45)))
struct ProviderFreshnessTests {
  private let transport: ScriptedTransport
  private let clock = ManualClock()
  private let provider: Provider

  init() {
    transport = ScriptedTransport(heartbeat: .seconds(5))
    provider = Provider(transport: transport, clock: clock.clientClock)
    Task.detached { [provider] in await provider.run() }
  }

  private func subscribe(_ path: String = "/a") async throws -> (ChannelSubscription, Subscription) {
    let share = await provider.subscribe(to: Topic(path: path))
    return (share, try #require(transport.lastSubscription))
  }

  /// Reads changes until the channel has the grade, and returns the start time of that grade.
  private func next(_ grade: Freshness.Grade, _ changes: inout ChannelChanges.Iterator) async -> Int64? {
    while let set = await changes.next() {
      if set.freshness.grade == grade { return set.freshness.since - ManualClock.wallStart }
    }
    return nil
  }

  /// Returns once the provider has read all that was sent before.
  private func settle(_ subscription: Subscription, _ changes: inout ChannelChanges.Iterator) async {
    transport.send(FeedText.update(#"{"bad":1}"#), to: subscription)
    _ = await changes.next()
  }

  @Test("A channel is locked before its dump, then live; silence delays and locks it until data arrives again")
  func silence() async throws {
    let (share, subscription) = try await subscribe()
    var changes = await share.changes().makeAsyncIterator()
    #expect(await next(.locked, &changes) == 0)
    transport.send(.live)
    transport.send(FeedText.dump(FeedText.football(100)), to: subscription)
    #expect(await next(.live, &changes) == 0)
    clock.advance(by: .seconds(6))
    #expect(await next(.delayed, &changes) == 6000)
    clock.advance(by: .seconds(4))
    #expect(await next(.locked, &changes) == 10_000)
    clock.advance(by: .seconds(5))
    transport.sendSignOfLife()
    transport.send(FeedText.update(FeedText.odds(121, "3")), to: subscription)
    #expect(await next(.live, &changes) == 15_000)
    await provider.stop()
  }

  @Test("A dump that is 12 s late leaves the channel locked, and an update that is 7 s late makes it delayed")
  func oldDumps() async throws {
    let (share, subscription) = try await subscribe()
    var changes = await share.changes().makeAsyncIterator()
    transport.send(.live)
    transport.send(FeedText.dump(FeedText.football(100)), to: subscription, delay: .seconds(12))
    while !Task.isCancelled, await share.store.received.dumps == 0 { await Task.yield() }
    #expect(await share.store.freshness.grade == .locked)
    transport.send(FeedText.update(FeedText.odds(121, "3")), to: subscription, delay: .seconds(7))
    #expect(await next(.delayed, &changes) == 0)
    transport.sendSignOfLife()
    #expect(await next(.live, &changes) == 0)
    await provider.stop()
  }

  @Test("After a follower has waited for 60 s, the prices that arrived meanwhile are locked until fresh ones come")
  func slowFollower() async throws {
    let (share, subscription) = try await subscribe()
    let (blocked, block) = AsyncStream.makeStream(of: Void.self)
    let release = DispatchSemaphore(value: 0)
    let (events, feed) = AsyncStream.makeStream(of: (grade: Freshness.Grade, time: Int64).self)
    let count = Counter()
    await share.store.follow { _, event in
      guard !event.matches.isEmpty else { return }
      feed.yield((event.status.freshness.grade, event.time - ManualClock.wallStart))
      count.add()
      if count.count > 1 { return }
      block.yield()
      release.wait()
    }
    transport.send(.live)
    transport.send(FeedText.dump(FeedText.football(100)), to: subscription, receivedAt: .zero)
    for await _ in blocked { break }
    clock.advance(by: .seconds(1))
    transport.send(FeedText.update(FeedText.odds(121, "3")), to: subscription, receivedAt: .seconds(1))
    transport.send(.alive(receivedAt: .seconds(2)))
    transport.send(FeedText.update(FeedText.odds(121, "4")), to: subscription, receivedAt: .seconds(3))
    clock.advance(by: .seconds(60))
    transport.send(FeedText.update(FeedText.odds(121, "5")), to: subscription, receivedAt: .seconds(61))
    release.signal()
    var seen: [(grade: Freshness.Grade, time: Int64)] = []
    for await event in events {
      seen.append(event)
      if seen.count == 4 { break }
    }
    #expect(seen.map(\.grade) == [.live, .locked, .locked, .live])
    #expect(seen.map(\.time) == [0, 1000, 3000, 61_000])
    await provider.stop()
  }

  @Test("A silence during the call of a follower is reported before the next message of the same batch")
  func silenceInBatch() async {
    let store = ChannelStore(topic: Topic(path: "/a"), line: ConnectionUpdate(connection: .live, pulse: .sound))
    let grades = Locked<[Freshness.Grade]>([])
    await store.follow { [weak store] _, event in
      grades.withLock { $0.append(event.status.freshness.grade) }
      store?.announce(ConnectionUpdate(number: 1, connection: .live, pulse: .silent, time: 10_000))
    }
    let update = FeedText.update(FeedText.odds(121, "3"))
    await store.apply(.of(FeedText.dump(FeedText.football(100)), update), at: 1000)
    #expect(grades.withLock(\.self) == [.live, .locked, .locked])
    await provider.stop()
  }

  @Test("A silent pipe is delayed, then locked if it has a timeout; the next message makes it live again")
  func pipe() async throws {
    let limits = SilenceLimits(delayed: NDJSONTransport.delayedAfter, locked: .seconds(30))
    let transport = ScriptedTransport(updatesMayPrecedeDump: false, silenceLimits: limits)
    let provider = Provider(transport: transport, clock: clock.clientClock)
    let reading = Task.detached { await provider.run() }
    let share = await provider.subscribe(to: Topic(path: "/a"))
    let subscription = try #require(transport.lastSubscription)
    var changes = await share.changes().makeAsyncIterator()
    #expect(await next(.locked, &changes) == 0)
    transport.send(.live)
    transport.send(FeedText.dump(FeedText.football(100)), to: subscription)
    #expect(await next(.live, &changes) == 0)
    clock.advance(by: .seconds(10))
    #expect(await next(.delayed, &changes) == 10_000)
    clock.advance(by: .seconds(20))
    #expect(await next(.locked, &changes) == 30_000)
    clock.advance(by: .seconds(600))
    transport.send("no message", to: subscription)
    transport.send(FeedText.update(FeedText.odds(121, "3")), to: subscription)
    #expect(await next(.live, &changes) == 630_000)
    await provider.stop()
    try await reading.cancellableValue
    await self.provider.stop()
  }

  @Test("While prices are delayed, changes contain the time of the connection's last sign of life")
  func lastSign() async throws {
    let (share, subscription) = try await subscribe()
    var changes = await share.changes().makeAsyncIterator()
    transport.send(.live)
    transport.send(FeedText.dump(FeedText.football(100)), to: subscription)
    _ = await next(.live, &changes)
    clock.advance(by: .seconds(2))
    transport.sendSignOfLife()
    await settle(subscription, &changes)
    for (wait, grade, sign) in [(6, .delayed, 2000), (4, .locked, nil)] as [(Int, Freshness.Grade, Int64?)] {
      clock.advance(by: .seconds(wait))
      var set = await changes.next()
      while let other = set, other.freshness.grade != grade { set = await changes.next() }
      #expect(set?.lastSign.map { $0 - ManualClock.wallStart } == sign)
    }
    await provider.stop()
  }

  @Test("While each message is late, the time of the last sign of life is that of the newest message")
  func lateSigns() async throws {
    let (share, subscription) = try await subscribe()
    var changes = await share.changes().makeAsyncIterator()
    transport.send(.live)
    transport.send(FeedText.dump(FeedText.football(100)), to: subscription)
    _ = await next(.live, &changes)
    for (wait, odds, sign) in [(3, "3", -4000), (2, "4", -2000)] as [(Int, String, Int64)] {
      clock.advance(by: .seconds(wait))
      transport.send(FeedText.update(FeedText.odds(121, odds)), to: subscription, delay: .seconds(7))
      var set = await changes.next()
      while let other = set, other.changed.isEmpty { set = await changes.next() }
      #expect(set?.freshness.grade == .delayed)
      #expect(set?.lastSign.map { $0 - ManualClock.wallStart } == sign)
    }
    await provider.stop()
  }

  @Test("Pongs and messages of other channels keep a quiet channel live, with one timer for the next deadline")
  func signsOfLife() async throws {
    var deadlines = clock.deadlines.makeAsyncIterator()
    let (quiet, first) = try await subscribe("/quiet")
    let (busy, second) = try await subscribe("/busy")
    transport.send(.live)
    transport.send(FeedText.dump(FeedText.football(100)), to: first)
    transport.send(FeedText.dump(FeedText.football(200)), to: second)
    var changes = await busy.changes().makeAsyncIterator()
    _ = await next(.live, &changes)
    #expect(await deadlines.next() == .seconds(6))
    clock.advance(by: .seconds(4))
    transport.sendSignOfLife()
    await settle(second, &changes)
    clock.advance(by: .seconds(4))
    await settle(second, &changes)
    // The timer fires at 6 s. The next deadline is 10 s, or 14 s if the provider has read the message at 8 s.
    let deadline = await deadlines.next()
    #expect(deadline == .seconds(10) || deadline == .seconds(14))
    clock.advance(by: .seconds(4))
    #expect(await quiet.store.freshness.grade == .live)
    await provider.stop()
  }

  @Test("A lost connection locks the channel until the next dump, even if updates arrive before it")
  func reconnecting() async throws {
    let (share, subscription) = try await subscribe()
    var changes = await share.changes().makeAsyncIterator()
    transport.send(.live)
    transport.send(FeedText.dump(FeedText.football(100)), to: subscription)
    _ = await next(.live, &changes)
    clock.advance(by: .seconds(2))
    transport.send(.connecting(attempt: 1))
    #expect(await next(.locked, &changes) == 2000)
    clock.advance(by: .seconds(60))
    transport.send(.live)
    transport.send(FeedText.update(FeedText.odds(121, "3")), to: subscription)
    transport.send(FeedText.dump(FeedText.football(100)), to: subscription)
    #expect(await next(.live, &changes) == 62_000)
    await provider.stop()
  }

  @Test("An update between a new connection and its dump does not unlock the channel")
  func updateBeforeDump() async throws {
    let (share, subscription) = try await subscribe()
    transport.send(.live)
    transport.send(FeedText.update(FeedText.odds(121, "3")), to: subscription)
    var changes = await share.changes().makeAsyncIterator()
    while let set = await changes.next(), set.received.messages == 0, set.connection != .live {}
    await settle(subscription, &changes)
    #expect(await share.store.freshness.grade == .locked)
    await provider.stop()
  }

  @Test("A channel is closed when the feed ends, fails permanently, or its events end")
  func closing() async throws {
    for end in [ConnectionState.ended, .failed(FeedError("why", remedy: "what then")), nil] {
      let transport = ScriptedTransport(heartbeat: .seconds(5))
      let provider = Provider(transport: transport, clock: clock.clientClock)
      let reading = Task.detached { await provider.run() }
      let share = await provider.subscribe(to: Topic(path: "/a"))
      transport.send(.live)
      transport.send(FeedText.dump(FeedText.football(100)), to: try #require(transport.lastSubscription))
      var changes = await share.changes().makeAsyncIterator()
      _ = await next(.live, &changes)
      if let end { transport.send(end) } else { await provider.stop() }
      #expect(await next(.closed, &changes) == 0)
      await provider.stop()
      try await reading.cancellableValue
    }
    await provider.stop()
  }

  @Test("A feed without heartbeats stays live in silence, and no timer runs for it")
  func noHeartbeat() async throws {
    let transport = ScriptedTransport()
    let clientClock = ClientClock(
      uptime: { .zero }, wall: { 5 }, sleep: { _ in Issue.record("a sleep for a feed without heartbeats") })
    let provider = Provider(transport: transport, clock: clientClock)
    let reading = Task.detached { await provider.run() }
    let share = await provider.subscribe(to: Topic(path: "/a"))
    // The dump may arrive before the connection state.
    transport.send(FeedText.dump(FeedText.football(100)), to: try #require(transport.lastSubscription))
    transport.send(.live)
    var changes = await share.changes().makeAsyncIterator()
    while let set = await changes.next(), set.freshness != Freshness(.live, since: 5) {}
    await provider.stop()
    try await reading.cancellableValue
    await self.provider.stop()
  }

  @Test("No timer runs for a channel after the end of the events, even if its subscription is kept")
  func end() async throws {
    let transport = ScriptedTransport(heartbeat: .seconds(5), auditInterval: .seconds(60))
    let provider = Provider(transport: transport, clock: clock.clientClock)
    let reading = Task.detached { await provider.run() }
    var deadlines = clock.deadlines.makeAsyncIterator()
    let share = await provider.subscribe(to: Topic(path: "/a"))
    _ = await deadlines.next()
    transport.send(.live)
    #expect(await deadlines.next() == .seconds(6))
    while !Task.isCancelled, clock.sleepers < 2 { await Task.yield() }
    await provider.stop()
    try await reading.cancellableValue
    #expect(clock.sleepers == 0)
    let late = await provider.subscribe(to: Topic(path: "/b"))
    await late.cancel()
    #expect(clock.sleepers == 0)
    await share.cancel()
    await self.provider.stop()
  }

  @Test("The provider is deallocated even though it awaited a sign of life")
  func memory() async throws {
    weak var provider: Provider?
    do {
      let transport = ScriptedTransport(heartbeat: .seconds(5))
      let held = Provider(transport: transport, clock: clock.clientClock)
      provider = held
      let reading = Task.detached { await held.run() }
      var deadlines = clock.deadlines.makeAsyncIterator()
      transport.send(.live)
      #expect(await deadlines.next() == .seconds(6))
      await held.stop()
      try await reading.cancellableValue
    }
    while !Task.isCancelled, provider != nil { await Task.yield() }
    await self.provider.stop()
  }
}
