import Dispatch
import Foundation
import OddsFeed
import OddsModel
import Platform
import TestSupport
import Testing

@testable import FeedServer

@Suite(.timeLimit(.minutes(45)))
struct RelaySourceTests {
  private let upstream = InstantUpstream()
  private let time = Locked(Duration.zero)
  private let topics = (0..<3).map { Topic(path: "/\($0)") }

  private var clock: ClientClock {
    ClientClock(uptime: { [time] in time.withLock(\.self) }, wall: { 0 }, sleep: { _ in }, chance: { 0.5 })
  }

  /// Returns a source whose clock the test advances.
  private func source(_ limits: RelayLimits) -> RelaySource {
    RelaySource(FeedRelay(upstream, clock: clock, limits: limits), clock: clock, limits: limits)
  }

  private func dump(_ source: RelaySource, _ topic: Topic, known: TopicDump? = nil) async throws -> TopicDump {
    let dump: Result<TopicDump, TopicError> = try await completionValue {
      source.dump(of: topic, known: known, isForList: false, completion: $0)
    }
    return try dump.get()
  }

  @Test("A topic without changes stays open while its dump is requested repeatedly")
  func polls() async throws {
    let source = source(.withoutTimeouts)
    source.start {}
    while !Task.isCancelled, source.outage != nil { await Task.yield() }
    var known = try await dump(source, topics[0])
    for second in stride(from: 10, to: 100, by: 10) {
      time.withLock { $0 = .seconds(second) }
      known = try await dump(source, topics[0], known: known)
      // Opening another topic ensures that the source has checked for unused topics.
      _ = try await dump(source, Topic(path: "/at/\(second)"))
    }
    #expect(upstream.requests.count { $0 == topics[0] } == 1)
    source.stop()
  }

  @Test("A request for a topic does not receive the error of an earlier request for it")
  func staleFailure() async {
    var limits = RelayLimits.withoutTimeouts
    limits.maxTopics = 1
    let relay = FeedRelay(upstream, clock: clock, limits: limits)
    let news = AsyncStream.makeStream(of: Void.self)
    relay.start { news.continuation.yield() }
    var seen: [FeedRelay.News] = []
    func advance(until isLast: FeedRelay.News) async {
      for await _ in news.stream {
        seen += relay.advance()
        if seen.contains(isLast) { return }
      }
    }
    await advance(until: .available(true))
    relay.open(topics[0])
    await advance(until: .opened(topics[0]))
    relay.open(topics[1])
    relay.close(topics[0])
    relay.open(topics[1])
    await advance(until: .opened(topics[1]))
    #expect(!seen.contains(.failed(topics[1], .tooMany(1))))
    await relay.stop()
  }

  @Test("Reading the availability and the topics of a relay does not wait for a busy relay")
  func busy() async {
    let (isBusy, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let clock = ClientClock(uptime: self.clock.uptime, wall: { 0 }, sleep: { _ in }) {
      isBusy.signal()
      goesOn.wait()
      return 0.5
    }
    let relay = FeedRelay(upstream, clock: clock, limits: .withoutTimeouts)
    let news = AsyncStream.makeStream(of: Void.self)
    relay.start { news.continuation.yield() }
    for await _ in news.stream where relay.advance().contains(.available(true)) { break }
    let topics = topics
    Thread.detachNewThread { relay.open(topics[0]) }
    let answer = Self.answer(after: isBusy) { (relay.isAvailable, relay.contains(topics[1])) }
    goesOn.signal()
    #expect(answer?.0 == true && answer?.1 == false)
    while !Task.isCancelled, !relay.contains(topics[0]) { await Task.yield() }
    relay.close(topics[0])
    #expect(!relay.contains(topics[0]))
    await relay.stop()
  }

  /// Returns the value that another thread reads once a semaphore is signalled; nil if it cannot.
  private static func answer<Value: Sendable>(
    after semaphore: DispatchSemaphore, _ read: @escaping @Sendable () -> Value
  ) -> Value? {
    let (value, isRead) = (Locked<Value?>(nil), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      semaphore.wait()
      let read = read()
      value.withLock { $0 = read }
      isRead.signal()
    }
    // The timeout is reached only if the test fails.
    _ = isRead.wait(timeout: .now() + .seconds(60))
    return value.withLock(\.self)
  }

  @Test("A list of a topic that was evicted upstream costs as much as an opening")
  func evictions() async throws {
    var relayLimits = RelayLimits.withoutTimeouts
    relayLimits.maxTopics = 2
    let source = source(relayLimits)
    var limits = ServerLimits()
    limits.workShare = 1e-6
    let hub = FeedHub(source: source, limits: limits, loops: [], metrics: ServerMetrics())
    while !Task.isCancelled, source.outage != nil { await Task.yield() }
    var refusals = 0
    for number in 0..<100 {
      // The evicted topic is the one whose list is requested next.
      time.withLock { $0 += .milliseconds(1) }
      let result: Result<RESTSnapshot, TopicError> = try await completionValue {
        hub.page(of: topics[number % 3], from: "1", completion: $0)
      }
      if case .failure(.spent) = result { refusals += 1 }
    }
    #expect(refusals >= 70)
    #expect(upstream.requests.count > 10 && upstream.requests.count <= 22)
  }
}
