import TestSupport
import Testing

@testable import OddsFeed
@testable import OddsModel
@testable import Platform

#if canImport(Glibc)
  import Glibc
#endif

@Suite(.timeLimit(.minutes(45)))
struct DroppingTests {
  private final class DroppedObject: Sendable {}

  @Test("Dropping the iterator and the sequence frees the pending value and calls the drop handler once")
  func latest() {
    weak var waiting: DroppedObject?
    let drops = Counter()
    let feed: AsyncLatestValue<DroppedObject>.Feed
    do {
      let (sequence, end) = AsyncLatestValue<DroppedObject>.make { drops.add() }
      let thing = DroppedObject()
      feed = end
      waiting = thing
      end.offer(thing)
      let iterator = sequence.makeAsyncIterator()
      _ = consume sequence
      #expect(drops.count == 0)
      withExtendedLifetime(iterator) { #expect(waiting != nil) }
    }
    #expect(waiting == nil)
    #expect(drops.count == 1)
    #expect(!feed.offer(DroppedObject()))
  }

  @Test("A sequence does not retain the store, and the store does not retain a sequence")
  func store() async {
    weak var store: ChannelStore?
    let match: AsyncLatestValue<Match>
    do {
      let held = ChannelStore(topic: Topic(path: "/a"))
      store = held
      await held.apply(.of(FeedText.dump(FeedText.football(100))), at: 0)
      match = await held.match(100)
      do { _ = await held.market(110) }
      #expect(await held.observerCount == 1)
    }
    #expect(store == nil)
    withExtendedLifetime(match) {}
  }

  @Test("The store removes a dropped observer even if the channel receives no message")
  func quietChannel() async {
    let store = ChannelStore(topic: Topic(path: "/a"))
    await store.apply(.of(FeedText.dump(FeedText.football(100))), at: 0)
    do { _ = await store.market(110) }
    while !Task.isCancelled, await !store.marketObservers.isEmpty { await Task.yield() }
    #expect(await !store.state.tracksParts)
  }

  #if canImport(Glibc)
    // Runs in a separate process, so that the memory of other tests does not count.
    @Test("100,000 rounds of subscribing and dropping do not increase the memory")
    func flatMemory() async {
      await #expect(processExitsWith: .success) {
        let provider = Provider(transport: ScriptedTransport())
        let share = await provider.subscribe(to: Topic(path: "/a"))
        let store = share.store
        await store.apply(.of(FeedText.dump(FeedText.football(100))), at: 0)
        var resident: [Int] = []
        for round in 0..<110_000 {
          var outcome = await store.prices(of: 111).makeAsyncIterator()
          _ = await outcome.next()
          _ = (await store.market(110), await store.match(100))
          if round % 10 == 0 { _ = await provider.subscribe(to: Topic(path: "/b")) }
          if round == 9_999 { resident.append(residentBytes()) }
        }
        resident.append(residentBytes())
        #expect(await store.observerCount == 0)
        // One leaked observer per round would take 30 MB. The thread sanitizer needs up to 8 MB for its own records.
        #expect(resident[1] - resident[0] < 16 << 20, "\(resident)")
      }
    }
  #endif
}

#if canImport(Glibc)
  /// Returns the resident size of the process in bytes.
  private func residentBytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var text = [UInt8](repeating: 0, count: 256)
    let count = fread(&text, 1, text.count, file)
    let fields = String(decoding: text[..<count], as: UTF8.self).split(separator: " ")
    guard fields.count > 1 else { return 0 }
    return (Int(fields[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
  }
#endif
