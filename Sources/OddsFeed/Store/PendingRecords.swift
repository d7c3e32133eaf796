import DequeModule

/// Who waits for whom in a channel: children for a parent that has not come, changes for a record that has not come, and
/// the ids of children that went with their parent, whose own DELETE may follow.
struct PendingRecords: Sendable {
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
    let key: Key
    let since: Int64
    let isChild: Bool
  }

  /// Since when children wait.
  private(set) var children: [Key: Int64] = [:]
  private(set) var changes: [Key: (since: Int64, held: [HeldChange])] = [:]
  private var changedCount = 0
  /// Everything that waits or waited, oldest first; what does not any more is passed over when it comes up.
  private var queue = Deque<Entry>()
  /// Since when children are gone with their parents.
  private var gone: [Key: Int64] = [:]
  private var goneQueue = Deque<(key: Key, since: Int64)>()
  /// Children and changes of the message being applied, which may yet come to their own before its end.
  var arrivals: [Key] = []

  /// True where nothing waits and nothing is left to forget.
  var isIdle: Bool { queue.isEmpty && goneQueue.isEmpty && arrivals.isEmpty }

  /// How many records wait.
  var count: Int { children.count + changedCount }

  /// How many entries stand in line, live or not.
  var backlog: Int { queue.count + goneQueue.count }

  mutating func begin(child key: Key, since: Int64) {
    children[key] = since
    queue.append(Entry(key: key, since: since, isChild: true))
  }

  mutating func end(child key: Key) { children[key] = nil }

  mutating func hold(_ change: HeldChange, _ key: Key, since: Int64) {
    changedCount += 1
    changes[key, default: (since, [])].held.append(change)
    if changes[key]!.held.count == 1 { queue.append(Entry(key: key, since: since, isChild: false)) }
  }

  mutating func takeChanges(_ key: Key) -> [HeldChange] {
    guard changedCount > 0, let found = changes.removeValue(forKey: key) else { return [] }
    changedCount -= found.held.count
    return found.held
  }

  /// A child goes with its parent. At most `limit` of them are remembered: forgetting one costs a count, no more.
  mutating func goes(_ key: Key, at time: Int64, limit: Int) {
    gone[key] = time
    goneQueue.append((key, time))
    while goneQueue.count > limit { forgetFirstGone() }
  }

  /// True where that record went with its parent, and its own DELETE has now come.
  func hasTombstone(_ key: Key) -> Bool { !gone.isEmpty && gone[key] != nil }

  /// A child that had gone is there anew.
  mutating func returns(_ key: Key) { if !gone.isEmpty { gone[key] = nil } }

  private mutating func forgetFirstGone() {
    let first = goneQueue.removeFirst()
    if gone[first.key] == first.since { gone[first.key] = nil }
  }

  private func isLive(_ entry: Entry) -> Bool {
    entry.isChild ? children[entry.key] == entry.since : changes[entry.key]?.since == entry.since
  }

  /// What of the oldest has waited too long, or is one too many: a child to be taken out, or changes dropped already.
  mutating func expire(before oldest: Int64, limit: Int) -> (child: Key?, changes: Int)? {
    while let first = goneQueue.first, first.since < oldest { forgetFirstGone() }
    while let entry = queue.first {
      if isLive(entry) {
        guard count > limit || entry.since < oldest else { break }
        queue.removeFirst()
        return entry.isChild ? (entry.key, 0) : (nil, takeChanges(entry.key).count)
      }
      queue.removeFirst()
    }
    // What has come to its own behind one that goes on waiting is thrown out now and then.
    if queue.count > 2 * count + 64 { queue = Deque(queue.filter(isLive)) }
    return nil
  }
}
