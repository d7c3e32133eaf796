import TestSupport
import Testing

@testable import OddsFeed
@testable import OddsModel
@testable import Platform

/// A reader with more pending changes than it drains at once.
@Suite(.timeLimit(.minutes(45)))
struct ReaderOverloadTests {
  private let store = ChannelStore(topic: Topic(path: "/a"))
  private let notifications = Locked(0)
  private let reader: ChannelReader

  init() {
    reader = ChannelReader(share: nil) { [notifications] in notifications.withLock { $0 += 1 } }
  }

  /// Applies a dump of ten matches and drains it.
  private func begin() async {
    await store.add(reader)
    await store.lineChanged(ConnectionUpdate(number: 1, connection: .live, pulse: .sound, time: 0))
    let dump = FeedText.dump((1...10).map { FeedText.football($0 * 100) }.joined(separator: ","))
    await store.apply(.of(dump), at: 0)
    #expect(reader.drain()?.changed.count == 10)
  }

  private func move(_ numbers: Int..., to odds: String = "5") async {
    let changes = numbers.map { FeedText.odds($0 * 100 + 21, odds) }
    await store.apply(.of(FeedText.update(changes.joined(separator: ","))), at: 1)
  }

  private func drain(_ wanted: MatchID..., most: Int) -> (ids: [UInt64], hasMore: Bool)? {
    reader.drain(first: wanted, most: most).map { set in
      ((set.changed.map(\.id) + set.removed).map { $0.raw / 100 }, set.hasMore)
    }
  }

  @Test("Prioritized matches are drained first, then the longest pending; the rest needs no new notification")
  func order() async throws {
    await begin()
    let before = notifications.withLock { $0 }
    for number in [3, 1, 9, 7, 5] { await move(number) }
    #expect(try #require(drain(900, 800, most: 2)) == ([9, 3, 1], true))
    await move(3, to: "6")
    await move(9, to: "6")
    #expect(try #require(drain(900, most: 2)) == ([9, 7, 5], true))
    #expect(try #require(drain(900, most: 2)) == ([3], false))
    #expect(drain(900, most: 2) == nil)
    #expect(notifications.withLock { $0 } == before + 1)
  }

  @Test("After reading the status without draining, a reader is notified of the next change")
  func look() async throws {
    await begin()
    await move(3)
    let before = notifications.withLock { $0 }
    await move(4)
    #expect(notifications.withLock { $0 } == before)
    #expect(reader.look().isLoaded)
    await move(5)
    #expect(notifications.withLock { $0 } == before + 1)
    #expect(Set(try #require(drain(most: 5)).ids) == [3, 4, 5])
  }

  @Test("A removed match is pending in the same way as a changed one")
  func removed() async throws {
    await begin()
    await store.apply(
      .of(FeedText.update(FeedText.delete("MATCH", 200), FeedText.delete("MATCH", 300), FeedText.odds(421, "7"))), at: 1
    )
    #expect(try #require(drain(300, most: 0)) == ([3], true))
    #expect(Set(try #require(drain(most: 5)).ids) == [2, 4])
  }

  @Test("All changes are drained at once when the channel becomes live, because earlier prices are outdated")
  func trust() async throws {
    await begin()
    await store.lineChanged(ConnectionUpdate(number: 2, connection: .idle, pulse: .down, time: 1))
    #expect(drain(most: 0)?.hasMore == false)
    let dump = FeedText.dump(
      (1...10).map { FeedText.football($0 * 100, odds: ["9", "9", "9"]) }.joined(separator: ","))
    await store.lineChanged(ConnectionUpdate(number: 3, connection: .live, pulse: .sound, time: 2))
    await store.apply(.of(dump), at: 2)
    #expect(try #require(drain(100, most: 1)).ids.count == 10)
  }

  @Test(
    "All changes are drained at once when the provider's prices and list are in time again, and when they no longer are",
    arguments: [Freshness.Cause.sourceStale, .catalogueStale])
  func source(cause: Freshness.Cause) async throws {
    await begin()
    for (source, odds, count) in [
      (.impaired(cause), "7", 10), (.impaired(cause), "8", 1), (.live, "9", 10), (.live, "10", 1),
    ] as [(SourceState, String, Int)] {
      let changes = (1...10).map { FeedText.odds($0 * 100 + 21, odds) }
      var batch = FeedBatch.of(FeedText.update(changes.joined(separator: ",")))
      batch.messages[0].source = source
      await store.apply(batch, at: 1)
      #expect(try #require(drain(most: 1)).ids.count == count, "\(source) \(odds)")
    }
  }

  @Test("All changes are drained at once if the connection was lost and is back since the last drain")
  func shortLoss() async throws {
    await begin()
    await store.lineChanged(ConnectionUpdate(number: 2, pulse: .down, time: 1))
    await store.lineChanged(ConnectionUpdate(number: 3, connection: .live, pulse: .sound, time: 1))
    let dump = FeedText.dump((1...10).map { FeedText.football($0 * 100) }.joined(separator: ","))
    await store.apply(.of(dump), at: 1)
    for (odds, count) in [("7", 10), ("8", 1)] {
      for number in 1...10 { await move(number, to: odds) }
      #expect(await store.freshness.grade == .live)
      #expect(try #require(drain(most: 1)).ids.count == count, "\(odds)")
    }
  }

  @Test("At any pace and priority, each match is drained in bounded time, in its newest state", arguments: 0..<20)
  func law(seed: UInt64) async {
    var random = SeededRandom(seed: seed)
    await begin()
    var seen: [MatchID: Match] = [:]
    for match in await store.snapshot() { seen[match.id] = match }
    /// The number of drains since each match became pending.
    var waits: [MatchID: Int] = [:]
    func drain(_ wanted: [MatchID], most: Int) {
      for id in waits.keys { waits[id]! += 1 }
      guard let set = reader.drain(first: wanted, most: most) else { return }
      for match in set.changed {
        #expect(seen.updateValue(match, forKey: match.id) != match, "seed \(seed)")
        waits[match.id] = nil
      }
      #expect(set.changed.count <= wanted.count + most, "seed \(seed)")
    }
    for step in 1000..<1400 {
      let number = Int.random(in: 1...10, using: &random)
      await move(number, to: "2.\(step)")
      let id = MatchID(raw: UInt64(number * 100))
      if waits[id] == nil { waits[id] = 0 }
      if Bool.random(using: &random) {
        let wanted = (1...10).filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
        drain(wanted.map { MatchID(raw: UInt64($0 * 100)) }, most: Int.random(in: 1...3, using: &random))
      }
      #expect(waits.values.allSatisfy { $0 <= 20 }, "seed \(seed)")
    }
    while let set = reader.drain(first: [], most: 1) { for match in set.changed { seen[match.id] = match } }
    #expect(seen.values.sorted(by: Match.boardOrder) == (await store.snapshot()), "seed \(seed)")
  }
}
