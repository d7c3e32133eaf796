import TestSupport
import Testing

@testable import OddsFeed
@testable import OddsModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A stress test for `make race`. It runs for TOTEBOARD_SOAK seconds, or for 30 rounds without that variable.
@Suite(.timeLimit(.minutes(45)))
struct RaceTests {
  @Test("With a writer, ten readers and channel switches at full speed, no reader sees a partly applied message")
  func race() async throws {
    let duration = getenv("TOTEBOARD_SOAK").flatMap { Double(String(cString: $0)) }
    let end = duration.map { ContinuousClock.now + .seconds($0) }
    let transport = FloodTransport()
    let provider = Provider(transport: transport)
    let writing = Task.detached { await provider.run() }
    let seen = Counter()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<10 {
        group.addTask {
          var random = SeededRandom(seed: UInt64(number))
          var round = 0
          while end.map({ ContinuousClock.now < $0 }) ?? (round < 30) {
            round += 1
            // Ten readers constantly share, release and resubscribe four channels.
            let share = await provider.subscribe(to: Topic(path: "/\(Int.random(in: 0..<4, using: &random))"))
            switch number % 3 {
            case 0: await Self.observe(share, for: Int.random(in: 1...20, using: &random), seen)
            default: await Self.read(share, for: Int.random(in: 1...20, using: &random), seen)
            }
            // Every other share is dropped rather than cancelled.
            if round % 2 == 0 { await share.cancel() }
          }
        }
      }
    }
    #expect(seen.count > 100)
    #expect(transport.sent > 100)
    while !Task.isCancelled, await !provider.topics.isEmpty { await Task.yield() }
    await provider.stop()
    try await writing.cancellableValue
  }

  private static func read(_ share: ChannelSubscription, for count: Int, _ seen: Counter) async {
    var changes = await share.changes().makeAsyncIterator()
    for _ in 0..<count {
      guard let set = await changes.next() else { return }
      // Each message changes both matches, so a set with only one of them would be partly applied.
      #expect([0, 2].contains(set.changed.count))
      #expect(Set(set.changed.flatMap(\.prices)).count <= 1)
      seen.add()
    }
  }

  private static func observe(_ share: ChannelSubscription, for values: Int, _ seen: Counter) async {
    var market = await share.store.market(110).makeAsyncIterator()
    var outcome = await share.store.prices(of: 212).makeAsyncIterator()
    for _ in 0..<values {
      guard let value = await market.next() else { return }
      #expect(Set(value.outcomes.map(\.price)).count == 1)
      guard await outcome.next() != nil else { return }
      seen.add()
    }
    let snapshot = await share.store.snapshot()
    #expect(Set(snapshot.flatMap(\.prices)).count <= 1)
  }
}

extension Match {
  fileprivate var prices: [String?] { markets.flatMap { $0.outcomes.map(\.price) } }
}
