import DequeModule

/// Who waits for whom in a channel: children for a parent that has not come, changes for a record that has not come, and
/// the ids of children that went with their parent, whose own DELETE may follow.
struct WaitingRecords: Sendable {
  struct Key: Hashable, Sendable {
    let kind: EntityKind
    let id: UInt64
  }

  /// An UPDATE or DELETE of an id that is not there.
  struct HeldChange: Sendable {
    let version: Int64?
    /// The one record, with its properties.
    let batch: FeedBatch
  }

  private struct Entry: Sendable {
    enum What { case child, changes, gone }

    let what: What
    let key: Key
    let since: Int64
  }

  /// Since when children wait.
  private(set) var children: [Key: Int64] = [:]
  private(set) var changes: [Key: (since: Int64, held: [HeldChange])] = [:]
  private(set) var gone: [Key: Int64] = [:]
  /// Everything that waits or waited, oldest first; what does not any more is passed over when it comes up.
  private var queue = Deque<Entry>()
  /// Children and changes of the message being applied, which may yet come to their own before its end.
  var arrivals: [Key] = []

  /// True where nothing waits and nothing is left to forget.
  var isIdle: Bool { queue.isEmpty && arrivals.isEmpty }

  /// How many records wait.
  var count: Int { children.count + changedCount }

  private var changedCount = 0

  mutating func begin(child key: Key, since: Int64) {
    children[key] = since
    queue.append(Entry(what: .child, key: key, since: since))
  }

  mutating func end(child key: Key) { children[key] = nil }

  mutating func hold(_ change: HeldChange, _ key: Key, since: Int64) {
    changedCount += 1
    changes[key, default: (since, [])].held.append(change)
    if changes[key]!.held.count == 1 { queue.append(Entry(what: .changes, key: key, since: since)) }
  }

  mutating func takeChanges(_ key: Key) -> [HeldChange] {
    guard changedCount > 0, let found = changes.removeValue(forKey: key) else { return [] }
    changedCount -= found.held.count
    return found.held
  }

  mutating func goes(_ key: Key, at time: Int64, limit: Int) {
    gone[key] = time
    queue.append(Entry(what: .gone, key: key, since: time))
    // NB: forgotten ones only cost a count; entries of what no longer waits go with them.
    while queue.count > 2 * limit + count, queue.first?.what == .gone { dropGone(queue.removeFirst()) }
  }

  /// True where that record went with its parent, and its own DELETE has now come.
  mutating func forgetGone(_ key: Key) -> Bool { !gone.isEmpty && gone[key] != nil }

  /// A child that had gone is there anew.
  mutating func returns(_ key: Key) { if !gone.isEmpty { gone[key] = nil } }

  mutating func forgetAllGone() { gone = [:] }

  private mutating func dropGone(_ entry: Entry) {
    if gone[entry.key] == entry.since { gone[entry.key] = nil }
  }

  /// What of the oldest has waited too long, or is one too many: a child to be taken out, or changes dropped already.
  mutating func expire(before oldest: Int64, limit: Int) -> (child: Key?, changes: Int)? {
    while let entry = queue.first {
      let isTooMany = count > limit
      switch entry.what {
      case .child where children[entry.key] == entry.since:
        guard isTooMany || entry.since < oldest else { return nil }
        queue.removeFirst()
        return (entry.key, 0)
      case .changes where changes[entry.key]?.since == entry.since:
        guard isTooMany || entry.since < oldest else { return nil }
        queue.removeFirst()
        return (nil, takeChanges(entry.key).count)
      case .gone where gone[entry.key] == entry.since:
        guard entry.since < oldest else {
          guard isTooMany else { return nil }
          queue.removeFirst()
          dropGone(entry)
          continue
        }
        dropGone(entry)
        queue.removeFirst()
      default: queue.removeFirst()
      }
    }
    return nil
  }
}
