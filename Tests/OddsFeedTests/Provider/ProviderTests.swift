import TestSupport
import Testing

@testable import OddsFeed
@testable import OddsModel

@Suite(.timeLimit(.minutes(45)))
struct ProviderTests {
  private let transport = ScriptedTransport()
  private let provider: Provider
  private let topic = Topic(path: "/a")

  init() {
    provider = Provider(transport: transport)
    Task.detached { [provider] in await provider.run() }
  }

  @Test("Subscribers of one topic share a store, which is released after the last one")
  func sharing() async {
    let first = await provider.subscribe(to: topic)
    let second = await provider.subscribe(to: topic)
    #expect(first.store === second.store)
    await first.cancel()
    await first.cancel()
    #expect(await provider.topics == [topic])
    await second.cancel()
    #expect(await provider.topics.isEmpty)
    #expect(transport.requests == ["subscribe /a 1", "unsubscribe /a 1"])
    await provider.stop()
  }

  @Test("The store is deallocated after the last subscription")
  func memory() async {
    weak var store: ChannelStore?
    do {
      let share = await provider.subscribe(to: topic)
      store = share.store
      #expect(store != nil)
      await share.cancel()
    }
    #expect(store == nil)
    await provider.stop()
  }

  @Test("A second call of run returns at once, and the first one continues")
  func runTwice() async throws {
    let share = await provider.subscribe(to: topic)
    var changes = await share.changes().makeAsyncIterator()
    _ = await changes.next()
    transport.send(.live)
    #expect(await changes.next()?.connection == .live)
    await provider.run()
    transport.send(FeedText.dump(FeedText.football(100)), to: try #require(transport.lastSubscription))
    #expect(await changes.next()?.changed.map(\.id) == [100])
    await provider.stop()
  }

  @Test("A message of an old generation changes nothing")
  func generations() async throws {
    let old = await provider.subscribe(to: topic)
    let late = try #require(transport.lastSubscription)
    await old.cancel()
    let new = await provider.subscribe(to: topic)
    var changes = await new.changes().makeAsyncIterator()
    _ = await changes.next()
    transport.send(FeedText.dump(FeedText.football(100)), to: late)
    transport.send(FeedText.dump(FeedText.football(200)), to: try #require(transport.lastSubscription))
    #expect(await changes.next()?.changed.map(\.id) == [200])
    await provider.stop()
  }

  @Test("On an ordered transport, updates are shown without a dump")
  func withoutDump() async throws {
    let transport = ScriptedTransport(updatesMayPrecedeDump: false)
    let provider = Provider(transport: transport)
    Task.detached { await provider.run() }
    let share = await provider.subscribe(to: topic)
    var changes = await share.changes().makeAsyncIterator()
    _ = await changes.next()
    let create = FeedText.create("MATCH", 7, #"{"name":"A - B"}"#)
    transport.send(FeedText.update(create), to: try #require(transport.lastSubscription))
    #expect(await changes.next()?.changed.map(\.id) == [7])
    await provider.stop()
  }

  @Test("On an ordered transport, the dump after a reconnect replaces earlier updates")
  func dumpAfterLoss() async throws {
    let transport = ScriptedTransport(updatesMayPrecedeDump: false)
    let provider = Provider(transport: transport)
    Task.detached { await provider.run() }
    let share = await provider.subscribe(to: topic)
    var changes = await share.changes().makeAsyncIterator()
    let subscription = try #require(transport.lastSubscription)
    transport.send(.live)
    transport.send(FeedText.dump(FeedText.football(odds: ["2.45", "3.1", "2.9"])), to: subscription)
    transport.send(.connecting(attempt: 1))
    transport.send(FeedText.update(FeedText.odds(121, "2.6")), to: subscription)
    transport.send(.live)
    transport.send(FeedText.dump(FeedText.football(odds: ["3.05", "3.1", "2.9"])), to: subscription)
    transport.send(.failed(FeedError("why", remedy: "what then")))
    var prices: [String?] = []
    while let change = await changes.next() {
      prices += change.changed.map { $0.mainMarket?.outcomes.first?.offer?.odds?.description }
      if case .failed = change.connection { break }
    }
    #expect(prices.last == "3.05")
    await provider.stop()
  }

  @Test("A dropped subscription is released without being cancelled")
  func dropped() async {
    do { _ = await provider.subscribe(to: topic) }
    while !Task.isCancelled, await !provider.topics.isEmpty { await Task.yield() }
    #expect(transport.requests == ["subscribe /a 1", "unsubscribe /a 1"])
    await provider.stop()
  }

  @Test("Changes contain the state of the connection")
  func lineState() async {
    let share = await provider.subscribe(to: topic)
    var changes = await share.changes().makeAsyncIterator()
    #expect(await changes.next()?.isLoaded == false)
    transport.send(.live)
    #expect(await changes.next()?.connection == .live)
    transport.send(.failed(FeedError("why", remedy: "what then")))
    #expect(await changes.next()?.connection == .failed(FeedError("why", remedy: "what then")))
    await provider.stop()
  }

  @Test("After a thousand channel switches one store is left, which still receives messages")
  func switches() async throws {
    var share = await provider.subscribe(to: topic)
    for turn in 0..<1000 {
      let next = await provider.subscribe(to: Topic(path: "/\(turn)"))
      await share.cancel()
      share = next
    }
    #expect(await provider.topics == [Topic(path: "/999")])
    var changes = await share.changes().makeAsyncIterator()
    _ = await changes.next()
    transport.send(FeedText.dump(FeedText.football()), to: try #require(transport.lastSubscription))
    #expect(await changes.next()?.isLoaded == true)
    await provider.stop()
  }

  @Test("Updates before the dump are applied to it, and readers receive both at once")
  func updateBeforeDump() async throws {
    let share = await provider.subscribe(to: topic)
    let subscription = try #require(transport.lastSubscription)
    transport.send(FeedText.update(FeedText.odds(121, "5")), to: subscription)
    transport.send(FeedText.dump(FeedText.football(100)), to: subscription)
    var changes = await share.changes().makeAsyncIterator()
    while let set = await changes.next() {
      guard let match = set.changed.first else { continue }
      #expect(match.mainMarket?.outcomes.map(\.price) == ["5.00", "3.10", "2.90"])
      break
    }
    await provider.stop()
  }

  @Test("A feed that ends without a dump shows the records that it sent")
  func noDump() async throws {
    let share = await provider.subscribe(to: topic)
    let match = FeedText.create("MATCH", 100, #"{"_type":"MATCH","id":"100","name":"a - b"}"#)
    transport.send(FeedText.update(match), to: try #require(transport.lastSubscription))
    transport.send(.ended)
    var changes = await share.changes().makeAsyncIterator()
    while let set = await changes.next(), set.changed.map(\.id) != [100] {}
    #expect(await share.store.freshness.grade == .closed)
    await provider.stop()
  }

  @Test("Changes end with their subscription, after the pending ones; other subscriptions continue")
  func changesEndWithSubscription() async throws {
    let (share, other) = (await provider.subscribe(to: topic), await provider.subscribe(to: topic))
    let changes = await share.changes()
    let reading = Task {
      var count = 0
      for await _ in changes { count += 1 }
      return count
    }
    await share.cancel()
    #expect(try await reading.cancellableValue == 1)
    var late = await share.changes().makeAsyncIterator()
    #expect(await late.next() != nil)
    #expect(await late.next() == nil)
    var others = await other.changes().makeAsyncIterator()
    _ = await others.next()
    transport.send(FeedText.dump(FeedText.football(100)), to: try #require(transport.lastSubscription))
    #expect(await others.next()?.changed.map(\.id) == [100])
    await other.cancel()
    // The release of the channel is the last change.
    #expect(await others.next()?.freshness.grade == .closed)
    #expect(await others.next() == nil)
    await provider.stop()
  }

  @Test("Changes end with their provider, after the pending ones")
  func changesEndWithProvider() async throws {
    let share = await provider.subscribe(to: topic)
    let changes = await share.changes()
    let reading = Task {
      var connections: [ConnectionState] = []
      for await set in changes { connections.append(set.connection) }
      return connections
    }
    transport.send(.live)
    transport.send(.ended)
    await provider.stop()
    #expect(try await reading.cancellableValue.last == .ended)
    var late = await provider.subscribe(to: Topic(path: "/b")).changes().makeAsyncIterator()
    #expect(await late.next() != nil)
    #expect(await late.next() == nil)
  }
}
