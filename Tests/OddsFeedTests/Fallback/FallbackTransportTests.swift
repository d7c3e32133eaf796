import TestSupport
import Testing

@testable import OddsFeed
@testable import OddsModel

/// A provider over a transport with a cache and a REST API, as seen by a reader over time.
@Suite(.timeLimit(.minutes(45)))
struct FallbackTransportTests {
  private static let topic = Topic(path: "/a")
  private static let problem = FeedError("'/api/odds' answers 503", remedy: "it is asked again")
  private let stream = ScriptedTransport(heartbeat: .seconds(5))
  private let api = ScriptedAPI()
  private let clock = ManualClock()
  private let directory = TemporaryDirectory()
  private let provider: Provider
  private let fallback: FallbackTransport
  private let cache: BoardCache

  init() {
    cache = BoardCache(directory: directory.path, address: "ws://feed", wall: { ManualClock.wallStart })
    fallback = FallbackTransport(stream, cache: cache, api: api, clock: clock.clientClock)
    provider = Provider(transport: fallback, clock: clock.clientClock)
    Task.detached { [provider] in await provider.run() }
  }

  private func subscribe() async throws -> (ChannelSubscription, ChannelChanges.Iterator, Subscription) {
    let share = await provider.subscribe(to: Self.topic)
    return (share, await share.changes().makeAsyncIterator(), try #require(stream.lastSubscription))
  }

  /// Reads changes until one satisfies the condition.
  private func next(
    _ changes: inout ChannelChanges.Iterator, _ isWanted: (ChangeSet) -> Bool
  ) async throws -> ChangeSet {
    while let set = await changes.next() { if isWanted(set) { return set } }
    throw CancellationError()
  }

  private func save(_ odds: String) {
    var state = ChannelState()
    state.apply(.of(FeedText.dump(FeedText.football(odds: [odds, "3.1", "2.9"]))))
    cache.save(SavedChannel(topic: Self.topic, state: state, heardAt: 7))
  }

  private func homePrice(_ set: ChangeSet) -> String? {
    set.changed.first?.mainMarket?.outcomes.first?.offer?.odds?.description
  }

  @Test("The cache, the REST API and the stream supply the channel in this order, each replacing the one before")
  func stages() async throws {
    save("2")
    var requests = api.requests.makeAsyncIterator()
    let (_, iterator, subscription) = try await subscribe()
    var changes = iterator
    let cached = try await next(&changes) { $0.source == .cache(savedAt: 7) }
    #expect(cached.freshness.grade == .locked && cached.isLoaded && homePrice(cached) == "2.00")
    #expect(await requests.next() == Self.topic)
    api.answer(.success(ScriptedAPI.match()))
    let polled = try await next(&changes) { $0.source == .api }
    #expect(polled.freshness.grade == .delayed && homePrice(polled) == "3.00")
    stream.send(.live)
    stream.send(.topic(subscription, .requested))
    stream.send(FeedText.dump(FeedText.football(odds: ["4", "3.1", "2.9"])), to: subscription)
    stream.send(.topic(subscription, .live))
    let live = try await next(&changes) { $0.source == .stream }
    #expect(live.freshness.grade == .live && homePrice(live) == "4.00")
    await provider.stop()
  }

  @Test("An answer of the REST API after the stream's dump changes nothing")
  func late() async throws {
    var requests = api.requests.makeAsyncIterator()
    let (_, iterator, subscription) = try await subscribe()
    var changes = iterator
    _ = await requests.next()
    stream.send(.live)
    stream.send(FeedText.dump(FeedText.football(odds: ["4", "3.1", "2.9"])), to: subscription)
    stream.send(.topic(subscription, .live))
    _ = try await next(&changes) { $0.topic == .live }
    api.answer(.success(ScriptedAPI.match()))
    stream.send(FeedText.update(FeedText.odds(122, "5")), to: subscription)
    let set = try await next(&changes) { !$0.changed.isEmpty }
    #expect(set.source == .stream && homePrice(set) == "4.00" && api.cancelled == 1)
    await provider.stop()
  }

  @Test("A lost connection locks the channel at once; after 2 s the REST API supplies prices until the next dump")
  func lost() async throws {
    var requests = api.requests.makeAsyncIterator()
    var deadlines = clock.deadlines.makeAsyncIterator()
    let (_, iterator, subscription) = try await subscribe()
    var changes = iterator
    _ = await requests.next()
    stream.send(.live)
    stream.send(FeedText.dump(FeedText.football(odds: ["4", "3.1", "2.9"])), to: subscription)
    stream.send(.topic(subscription, .live))
    _ = try await next(&changes) { $0.topic == .live && $0.freshness.grade == .live }
    clock.advance(by: .seconds(5))
    stream.send(.connecting(attempt: 1))
    let locked = try await next(&changes) { $0.freshness.grade == .locked }
    #expect(locked.source == .stream)
    while let deadline = await deadlines.next(), deadline != .seconds(7) {}
    clock.advance(by: .seconds(2))
    _ = await requests.next()
    api.answer(.success(ScriptedAPI.match()))
    let polled = try await next(&changes) { $0.freshness.grade == .delayed }
    #expect(polled.source == .polling && homePrice(polled) == "3.00")
    stream.send(.recovering)
    stream.send(FeedText.dump(FeedText.football(odds: ["4", "3.1", "2.9"])), to: subscription)
    stream.send(.topic(subscription, .live))
    let live = try await next(&changes) { $0.freshness.grade == .live }
    #expect(live.source == .stream && homePrice(live) == "4.00")
    await provider.stop()
  }

  @Test("An API error is reported; after a second one the API's prices are locked, until the API answers")
  func errors() async throws {
    var requests = api.requests.makeAsyncIterator()
    var deadlines = clock.deadlines.makeAsyncIterator()
    let (_, iterator, _) = try await subscribe()
    var changes = iterator
    stream.send(.connecting(attempt: 1))
    _ = await requests.next()
    api.answer(.success(ScriptedAPI.match()))
    _ = try await next(&changes) { $0.freshness.grade == .delayed }
    for (seconds, grade) in [(5, Freshness.Grade.delayed), (10, .locked)] {
      while let deadline = await deadlines.next(), deadline != .seconds(seconds) {}
      clock.advance(by: .seconds(5))
      _ = await requests.next()
      api.answer(.failure(Self.problem))
      if grade == .delayed {
        let set = try await next(&changes) { $0.apiProblem == Self.problem }
        #expect(set.freshness.grade == .delayed)
      } else {
        let set = try await next(&changes) { $0.freshness.grade == .locked }
        #expect(set.apiProblem == Self.problem && set.source == .api)
      }
    }
    while let deadline = await deadlines.next(), deadline != .seconds(15) {}
    clock.advance(by: .seconds(5))
    _ = await requests.next()
    api.answer(.success(ScriptedAPI.match(100, 9)))
    let set = try await next(&changes) { $0.freshness.grade == .delayed }
    #expect(set.apiProblem == nil && homePrice(set) == "9.00")
    await provider.stop()
  }

  @Test("Cancelling the last subscription of a topic cancels its API request; a new subscription starts again")
  func givenUp() async throws {
    var requests = api.requests.makeAsyncIterator()
    let (share, _, _) = try await subscribe()
    _ = await requests.next()
    await share.cancel()
    #expect(api.cancelled == 1)
    let (_, iterator, _) = try await subscribe()
    var changes = iterator
    _ = await requests.next()
    api.answer(.success(ScriptedAPI.match()))
    _ = try await next(&changes) { $0.source == .api }
    await provider.stop()
  }

  @Test("Cancelling the reader also ends the reading of the inner transport")
  func cancelled() async throws {
    let inner = ScriptedTransport()
    let transport = FallbackTransport(inner, cache: nil, api: nil)
    let provider = Provider(transport: transport)
    let running = Task { await provider.run() }
    let share = await provider.subscribe(to: Self.topic)
    var changes = await share.changes().makeAsyncIterator()
    _ = await changes.next()
    inner.send(.live)
    _ = await changes.next()
    running.cancel()
    try await running.cancellableValue
    await inner.waitForReaderEnd()
  }
}
