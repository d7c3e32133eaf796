import TestSupport
import Testing

@testable import OddsFeed
@testable import OddsModel
@testable import Platform

@Suite(.timeLimit(.minutes(45)))
struct ObservationTests {
  private let store = ChannelStore(topic: Topic(path: "/a"))

  private func apply(_ messages: String...) async { await store.apply(.lines(messages), at: 0) }

  @Test("Observers of a match, a market and an outcome receive only their own changes, and end with its removal")
  func observers() async {
    await apply(FeedText.dump(FeedText.football(100)))
    var match = await store.match(100).makeAsyncIterator()
    var market = await store.market(110).makeAsyncIterator()
    var outcome = await store.prices(of: 112).makeAsyncIterator()
    #expect(await match.next()?.id == 100)
    #expect(await market.next()?.id == 110)
    #expect(await outcome.next()?.price == "3.10")
    await apply(FeedText.update(FeedText.odds(121, "9")))
    await apply(FeedText.update(FeedText.odds(122, "4")))
    #expect(await outcome.next()?.price == "4.00")
    #expect(await market.next()?.outcomes.map(\.price) == ["9.00", "4.00", "2.90"])
    await apply(FeedText.update(FeedText.delete("MARKET", 110)))
    #expect(await market.next() == nil)
    #expect(await outcome.next() == nil)
    #expect(await match.next()?.markets == [])
    await apply(FeedText.update(FeedText.delete("MATCH", 100)))
    #expect(await match.next() == nil)
    var gone = await store.match(100).makeAsyncIterator()
    #expect(await gone.next() == nil)
    #expect(await store.observerCount == 0)
  }

  @Test("A change of an offer reaches each observer of its outcome, market and match once, and no other observer")
  func reach() async throws {
    await apply(FeedText.dump(FeedText.football(100), FeedText.football(200)))
    let notified = Locked<[String]>([])
    func follow<Value>(_ name: String, _ sequence: AsyncLatestValue<Value>) -> Task<Void, Never> {
      Task { for await _ in sequence { notified.withLock { $0.append(name) } } }
    }
    let tasks = [
      follow("outcome", await store.prices(of: 111)), follow("outcome", await store.prices(of: 111)),
      follow("market", await store.market(110)), follow("match", await store.match(100)),
      follow("other outcome", await store.prices(of: 112)), follow("other market", await store.market(210)),
      follow("other match", await store.match(200)),
    ]
    while !Task.isCancelled, notified.withLock({ $0.count }) < tasks.count { await Task.yield() }
    notified.withLock { $0 = [] }
    await apply(FeedText.update(FeedText.odds(121, "9")))
    while !Task.isCancelled, notified.withLock({ $0.count }) < 4 { await Task.yield() }
    await store.close(at: 0)
    for task in tasks { try await task.cancellableValue }
    #expect(notified.withLock { $0.sorted() } == ["market", "match", "outcome", "outcome"])
  }

  @Test("Observers receive nothing for an unchanged price, a change of another market, or an equal dump")
  func noChange() async {
    await apply(FeedText.dump(FeedText.football(100), FeedText.football(200)))
    var outcome = await store.prices(of: 111).makeAsyncIterator()
    _ = await outcome.next()
    await apply(FeedText.update(FeedText.odds(121, "2.45")))
    await apply(FeedText.update(FeedText.odds(122, "7")))
    await apply(FeedText.update(FeedText.change("MARKET", 210, #""name":"x""#)))
    await apply(FeedText.dump(FeedText.football(100), FeedText.football(200)))
    await apply(FeedText.update(FeedText.odds(121, "3")))
    #expect(await outcome.next()?.price == "3.00")
    #expect(await store.conflated == 0)
  }

  @Test("Only the newest value is pending, and each value that it replaces is counted")
  func conflation() async {
    await apply(FeedText.dump(FeedText.football(100)))
    var outcome = await store.prices(of: 111).makeAsyncIterator()
    for odds in 3...12 { await apply(FeedText.update(FeedText.odds(121, "\(odds)"))) }
    #expect(await outcome.next()?.price == "12.00")
    #expect(await store.conflated == 10)
    #expect(await store.health.conflated == 10)
  }

  @Test("A change that is reverted before the observer reads it is not reported")
  func backAndForth() async {
    await apply(FeedText.dump(FeedText.football(100)))
    var outcome = await store.prices(of: 111).makeAsyncIterator()
    #expect(await outcome.next()?.price == "2.45")
    await apply(FeedText.update(FeedText.odds(121, "9")))
    await apply(FeedText.update(FeedText.odds(121, "2.45")))
    await apply(FeedText.update(FeedText.odds(121, "9")))
    await apply(FeedText.update(FeedText.odds(121, "2.45")))
    await store.close(at: 0)
    #expect(await outcome.next() == nil)
  }

  @Test("An observed outcome is not bettable while its market is unavailable, and is bettable again afterwards")
  func suspension() async {
    await apply(FeedText.dump(FeedText.football(100)))
    var outcome = await store.prices(of: 111).makeAsyncIterator()
    #expect(await outcome.next()?.isBettable == true)
    await apply(FeedText.update(FeedText.change("MARKET", 110, #""isAvailable":false"#)))
    #expect(await outcome.next()?.isBettable == false)
    await apply(FeedText.update(FeedText.change("MARKET", 110, #""isAvailable":true"#)))
    #expect(await outcome.next()?.isBettable == true)
  }

  @Test("Observers wait for the first dump, and end if it does not contain their match, market or outcome")
  func beforeTheDump() async {
    var here = await store.prices(of: 111).makeAsyncIterator()
    var market = await store.market(110).makeAsyncIterator()
    var missing = await store.prices(of: 999).makeAsyncIterator()
    var match = await store.match(999).makeAsyncIterator()
    await apply(FeedText.dump(FeedText.football(100)))
    #expect(await here.next()?.price == "2.45")
    #expect(await market.next()?.outcomes.count == 3)
    #expect(await missing.next() == nil)
    #expect(await match.next() == nil)
    #expect(await store.observerCount == 2)
  }

  @Test("An observer ends when the feed ends without a dump")
  func feedWithoutDump() async {
    var match = await store.match(999).makeAsyncIterator()
    await store.lineChanged(ConnectionUpdate(number: 1, connection: .ended, pulse: .over, time: 1))
    #expect(await match.next() == nil)
  }

  @Test("Of 10,000 observers, only those of changed ids are notified, with one lookup per id")
  func cost() {
    var observers = Observers<OutcomeID, Int>()
    var sequences: [AsyncLatestValue<Int>] = []
    for key in UInt64(0)..<10_000 {
      let (sequence, feed) = AsyncLatestValue<Int>.make {}
      sequences.append(sequence)
      observers.add(key, of: OutcomeID(raw: key / 2), now: 0, feed)
    }
    var requested: [OutcomeID] = []
    let conflated = observers.notify([7, 9, 60_000]) { id in
      requested.append(id)
      return 1
    }
    #expect(requested == [7, 9])
    #expect(conflated == 4)
    observers.remove(14, of: 7)
    observers.remove(14, of: 7)
    #expect(observers.count == 9999)
    #expect(observers.notify([7]) { _ in nil } == 0)
    #expect(observers.count == 9998)
  }

  @Test("Markets and outcomes are tracked only while one of them is observed")
  func tracking() async {
    await apply(FeedText.dump(FeedText.football(100)))
    do {
      let match = await store.match(100)
      #expect(await !store.state.tracksParts)
      let market = await store.market(110)
      #expect(await store.state.tracksParts)
      _ = (match, market)
    }
    #expect(await store.observerCount == 0)
    #expect(await !store.state.tracksParts)
  }

  @Test("When the channel is released, its sequences end, and a new sequence is empty")
  func released() async {
    await apply(FeedText.dump(FeedText.football(100)))
    var before = await store.market(110).makeAsyncIterator()
    _ = await before.next()
    await store.close(at: 0)
    #expect(await before.next() == nil)
    var after = await store.market(110).makeAsyncIterator()
    #expect(await after.next() == nil)
  }

  @Test("Observers of the channel's freshness receive each change once, and finally that the channel is closed")
  func freshness() async {
    var freshness = await store.freshnessChanges().makeAsyncIterator()
    #expect(await freshness.next() == Freshness(.locked, since: 0))
    await store.lineChanged(ConnectionUpdate(number: 1, connection: .live, pulse: .sound, time: 1))
    await store.apply(.of(FeedText.dump(FeedText.football(100))), at: 2)
    #expect(await freshness.next() == Freshness(.live, since: 2))
    await store.apply(.of(FeedText.update(FeedText.odds(121, "3"))), at: 3)
    await store.lineChanged(ConnectionUpdate(number: 2, connection: .live, pulse: .late, time: 4))
    #expect(await freshness.next() == Freshness(.delayed, since: 4))
    await store.close(at: 5)
    #expect(await freshness.next() == Freshness(.closed, since: 5))
    #expect(await freshness.next() == nil)
  }

  @Test("A cancelled task stops waiting")
  func cancellation() async throws {
    await apply(FeedText.dump(FeedText.football(100)))
    let match = await store.match(100)
    let task = Task {
      var count = 0
      for await _ in match { count += 1 }
      return count
    }
    task.cancel()
    #expect(try await task.cancellableValue <= 1)
  }
}
