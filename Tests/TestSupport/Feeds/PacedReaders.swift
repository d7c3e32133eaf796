package import OddsFeed
import OddsModel

/// Readers of a store, each at its own random pace, with the matches that they have received.
package struct PacedReaders {
  private let store: ChannelStore
  private var random: SeededRandom
  private var readers: [(reader: ChannelReader, seen: [MatchID: Match])] = []
  private var steps = 0
  /// Changes without effect, and readers that do not end with the store's matches.
  package private(set) var faults: [String] = []

  package init(_ store: ChannelStore, seed: UInt64) {
    self.store = store
    random = SeededRandom(seed: seed)
  }

  /// Applies a batch to the store. Then some of the readers drain the changes. Sometimes a reader is added.
  package mutating func apply(_ batch: FeedBatch) async {
    if steps % 60 == 0 {
      let reader = ChannelReader(share: nil) {}
      await store.add(reader)
      readers.append((reader, [:]))
    }
    await store.apply(batch, at: Int64(steps))
    steps += 1
    for index in readers.indices where Int.random(in: 0...index * 4, using: &random) == 0 { drain(index) }
  }

  /// Lets all readers drain the rest, and compares their matches with the store. Returns the number of its matches.
  package mutating func finish() async -> Int {
    let truth = await store.snapshot()
    for index in readers.indices {
      drain(index)
      let seen = readers[index].seen.values.sorted(by: Match.boardOrder)
      if seen != truth { faults.append("reader \(index) has \(seen), not \(truth)") }
    }
    return truth.count
  }

  private mutating func drain(_ index: Int) {
    guard let changes = readers[index].reader.drain() else { return }
    if changes.changed.count != changes.changedFreshness.count { faults.append("a match without its freshness") }
    for (match, freshness) in zip(changes.changed, changes.changedFreshness) {
      if readers[index].seen.updateValue(match, forKey: match.id) == match { faults.append("no change of \(match.id)") }
      if freshness.grade != match.tradingStatus { faults.append("\(match.id) is not \(freshness.grade)") }
    }
    for id in changes.removed where readers[index].seen.removeValue(forKey: id) == nil {
      faults.append("\(id) was never seen")
    }
  }
}
