import Dispatch
import EveryMatrix
import FeedSimulator
import NIOCore
import OddsModel
import Platform
import TestSupport
import Testing

@testable import FeedServer

/// A gate that can block the building of dumps. It is open at first.
private final class DumpGate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let state = Locked((isClosed: false, begun: 0, copies: 0))

  /// The number of dumps whose building has started.
  var startedCount: Int { state.withLock { $0.begun } }

  /// The number of copies of the feed's state that were made for dumps.
  var copyCount: Int { state.withLock { $0.copies } }

  func countCopy() { state.withLock { $0.copies += 1 } }

  func close() { state.withLock { $0.isClosed = true } }

  /// Opens the gate, and releases `count` blocked dumps.
  func open(for count: Int) {
    state.withLock { $0.isClosed = false }
    for _ in 0..<count { semaphore.signal() }
  }

  func pass() {
    let isClosed = state.withLock { state in
      state.begun += 1
      return state.isClosed
    }
    if isClosed { semaphore.wait() }
  }
}

private struct GatedFeed: PlayedFeed {
  var book: ManualBookFeed
  let gate: DumpGate

  var interval: UInt64 { book.interval }
  var topicRule: TopicRule { book.topicRule }
  mutating func open(_ topic: Topic) -> Bool { book.open(topic) }
  mutating func close(_ topic: Topic) { book.close(topic) }
  mutating func dump(of topic: Topic) -> (@Sendable () -> [UInt8])? {
    guard let build = book.dump(of: topic) else { return nil }
    gate.countCopy()
    return { [gate] in
      gate.pass()
      return build()
    }
  }
  mutating func advance(to uptime: UInt64) -> [TopicMessages] { book.advance(to: uptime) }
}

@Suite("The topics of a server", .timeLimit(.minutes(45)))
struct FeedHubTests {
  private let page = Topic.aggregator(.popular, matches: 10)
  private let other = Topic.aggregator(.live, matches: 10)

  @Test("a slow dump delays no update and no other answer, and is built once for all concurrent requests")
  func slowDump() async throws {
    let gate = DumpGate()
    try await withServer(GatedFeed(book: try ManualBookFeed(rate: 400), gate: gate)) { server in
      let subscriber = try await SocketClient.session(to: server.port)
      let registration = await subscriber.register(page)
      #expect(registration == 1)
      gate.close()
      let requesters = [
        try await SocketClient.session(to: server.port), try await SocketClient.session(to: server.port),
      ]
      for requester in requesters { requester.requestDump(of: page) }
      while !Task.isCancelled, gate.startedCount == 0 { await Task.yield() }
      for tick in 1...5 as ClosedRange<UInt64> {
        server.feed.tick(uptime: tick * 500_000_000)
        let update = await subscriber.nextUpdate()
        #expect(update?.contains("UPDATE") == true)
      }
      let health = try await HTTPResponse(server.port, "/healthz")
      #expect(health.status == 200)
      let late = try await SocketClient.session(to: server.port)
      let joined = await late.register(other)
      #expect(joined == 1)
      late.requestDump(of: page)
      while !Task.isCancelled, server.metrics.topics < 2 { await Task.yield() }
      #expect(gate.startedCount == 1)
      gate.open(for: 1)
      for client in requesters {
        var replica = FeedReplica()
        let dump = await client.receiveDump(&replica)
        #expect(dump?.contains("INITIAL_DUMP") == true)
      }
      #expect(gate.startedCount <= 2)
    }
  }

  @Test("with many concurrent requests for dumps, a tick waits for at most one copy of the feed's state")
  func manyDumps() async throws {
    let gate = DumpGate()
    let source = PlayedSource(playing: GatedFeed(book: try ManualBookFeed(), gate: gate))
    gate.close()
    let sizes = 1...20
    try await withThrowingTaskGroup { group in
      for size in sizes {
        let topic = Topic.aggregator(.popular, matches: size)
        group.addTask { _ = try await source.dump(of: topic) }
      }
      while !Task.isCancelled, gate.startedCount == 0 { await Task.yield() }
      // The requests that reached the feed's queue before the tick are handled when it returns.
      source.tick(uptime: 500_000_000)
      #expect(gate.copyCount == 1)
      gate.open(for: sizes.count)
      try await group.waitForAll()
    }
    #expect(gate.copyCount == sizes.count)
  }

  @Test("a dump for a subscriber waits for no dump of a list, also of the same topic")
  func listsDelayNoSubscriber() async throws {
    let gate = DumpGate()
    let source = PlayedSource(playing: GatedFeed(book: try ManualBookFeed(), gate: gate))
    let hub = FeedHub(source: source, limits: ServerLimits(), loops: [], metrics: ServerMetrics())
    let joined: Result<FeedHub.Joined, TopicError> = try await completionValue { done in
      hub.join(page, from: "1", completion: done)
    }
    let topic = try joined.get().topic
    gate.close()
    let lists = Locked(0)
    for topic in [page, other] { hub.page(of: topic, from: "2") { _ in lists.withLock { $0 += 1 } } }
    while !Task.isCancelled, gate.startedCount == 0 { await Task.yield() }
    // The first dump of a list stays blocked.
    gate.open(for: 0)
    let dump: Result<TopicDump, TopicError> = try await completionValue { done in
      hub.reserveDump(ofCanonical: topic, from: "1", completion: done)
    }
    #expect(try dump.get().payload.readableBytes > 0)
    #expect(lists.withLock(\.self) == 0)
    gate.open(for: 1)
    while !Task.isCancelled, lists.withLock(\.self) < 2 { await Task.yield() }
  }

  @Test("a subscriber that gets an older dump gets the later updates again")
  func olderDump() async throws {
    try await withServer(try ManualBookFeed(rate: 400)) { server in
      let first = try await SocketClient.session(to: server.port)
      _ = await first.register(page)
      var (known, late, truth) = (FeedReplica(), FeedReplica(), FeedReplica())
      _ = await first.dump(of: page, &known)
      let second = try await SocketClient.session(to: server.port)
      _ = await second.register(page)
      for tick in 1...5 as ClosedRange<UInt64> { server.feed.tick(uptime: tick * 500_000_000) }
      // This client has received updates that the cached dump does not include.
      let received = await second.receiveUpdate(&late)
      #expect(received)
      let before = server.metrics.total("dumps_total")
      let dump = await second.dump(of: page, &late)
      #expect(dump != nil && server.metrics.total("dumps_total") == before + 1)
      truth.apply(try await server.feed.dump(of: page))
      while late.matches != truth.matches { guard await second.receiveUpdate(&late) else { break } }
      let isSame = late.matches == truth.matches
      #expect(isSame)
    }
  }

  @Test("an outdated dump is reused only for a limited time, because clients would show old prices")
  func staleDump() async throws {
    let (old, new) = (FeedText.dump(FeedText.football()), FeedText.dump())
    let script = ScriptedFeed(dump: old)
    try await withServer(ScriptedFeed.Feed(script: script), { $0.limits.dumpAge = .zero }) { server in
      let client = try await SocketClient.session(to: server.port)
      _ = await client.register(ScriptedFeed.topic)
      var replica = FeedReplica()
      let first = await client.dump(of: ScriptedFeed.topic, &replica)
      script.schedule(FeedText.update(), dump: new)
      // No message follows the dump yet: it is current.
      let second = await client.dump(of: ScriptedFeed.topic, &replica)
      #expect(first?.contains(old) == true && second == first)
      server.feed.tick(uptime: 1)
      let update = await client.nextUpdate()
      #expect(update != nil)
      let third = await client.dump(of: ScriptedFeed.topic, &replica)
      #expect(third?.contains(new) == true)
    }
  }

  @Test("an unknown topic or one above the limit gets ERROR, and the session and its topics continue")
  func refused() async throws {
    try await withServer(try ManualBookFeed(rate: 400), { $0.limits.openTopicsOfAddress = 2 }) { server in
      let client = try await SocketClient.session(to: server.port)
      _ = await client.register(page)
      let unknown = Topic(
        path: "/sports/77/en/popular-matches-aggregator-main/nothing/" + String(repeating: "x", count: 300))
      client.send(.register(request: 70, procedure: unknown.path))
      let refusal = await client.text()
      #expect(refusal?.hasPrefix("[8,64,70,") == true && refusal?.contains("is unknown") == true)
      #expect((refusal?.count ?? .max) < 300)
      _ = await client.register(other)
      let third = try await SocketClient.session(to: server.port)
      third.send(.register(request: 71, procedure: Topic.aggregator(.next, matches: 10).path))
      let tooMany = await third.text()
      #expect(tooMany?.hasPrefix("[8,64,71,") == true && tooMany?.contains("'2' open topics") == true)
      // A topic that is already open can be registered.
      let joined = await third.register(page)
      #expect(joined == 1)
      server.feed.tick(uptime: 500_000_000)
      let updates = (await client.nextUpdate(), await third.nextUpdate())
      #expect(updates.0 != nil && updates.1 != nil)
      client.send(.unregister(request: 72, registration: 2))
      var replica = FeedReplica()
      let left = await client.nextReply(&replica)
      #expect(left == "[67,72]")
      third.send(.register(request: 73, procedure: Topic.aggregator(.next, matches: 10).path))
      let now = await third.nextReply(&replica)
      #expect(now == "[65,73,2]")
    }
  }

  @Test("equivalent topic names share one topic")
  func canonical() async throws {
    try await withServer(try ManualBookFeed()) { server in
      let client = try await SocketClient.session(to: server.port)
      for matches in [20, 21, 1000] {
        let registration = await client.register(.aggregator(.popular, matches: matches))
        #expect(registration != nil)
      }
      #expect(server.metrics.topics == 1)
      for place in 1...3 as ClosedRange<UInt64> { client.send(.unregister(request: 90 + place, registration: place)) }
      var replica = FeedReplica()
      for _ in 1...3 { _ = await client.nextReply(&replica) }
      #expect(server.metrics.topics == 0)
    }
  }

  @Test("lists above the limit of concurrent builds get 503, and other requests are served")
  func busy() async throws {
    let gate = DumpGate()
    try await withServer(GatedFeed(book: try ManualBookFeed(), gate: gate), { $0.limits.waitingDumps = 1 }) { server in
      gate.close()
      async let first = HTTPResponse(server.port, "/api/odds?topic=\(page)")
      while !Task.isCancelled, gate.startedCount == 0 { await Task.yield() }
      let refused = try await HTTPResponse(server.port, "/api/odds?topic=\(other)")
      #expect(refused.status == 503 && refused["retry-after"] == "1" && refused.text.contains("remedy"))
      let health = try await HTTPResponse(server.port, "/healthz")
      #expect(health.status == 200)
      gate.open(for: 1)
      let answer = try await first
      #expect(answer.status == 200)
      let again = try await HTTPResponse(server.port, "/api/odds?topic=\(other)")
      #expect(again.status == 200)
    }
  }

  @Test("unsolicited pongs count toward the request limit")
  func pongs() async throws {
    try await withServer(try ManualBookFeed(), { ($0.limits.requestBurst, $0.limits.requestRate) = (50, 1) }) {
      server in
      let client = try await SocketClient.session(to: server.port)
      for _ in 0..<100 { client.send(0x8A, []) }
      let abort = await client.text()
      #expect(abort?.hasPrefix("[3,") == true && abort?.contains("per second") == true)
    }
  }
}
