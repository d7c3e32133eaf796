import DequeModule

/// The records that wait for another record: children whose parent has not arrived, and changes whose record has not
/// arrived.
///
/// Also remembers the ids of children that were removed with their parent, because their own deletion may follow.
struct PendingRecords: Sendable {
  struct Key: Hashable, Sendable {
    let kind: RecordKind
    let id: UInt64
  }

  /// An update or deletion of an unknown id.
  struct HeldChange: Sendable {
    let version: Int64?
    /// A batch of the one record, with its properties.
    let batch: FeedBatch
  }

  private struct Entry: Sendable {
    let key: Key
    let since: Int64
    let isChild: Bool
  }

  /// The time since which each child is pending, in milliseconds since 1970.
  private(set) var children: [Key: Int64] = [:]
  private(set) var changes: [Key: (since: Int64, held: [HeldChange])] = [:]
  private var changedCount = 0
  /// The entries of all pending records, oldest first. Obsolete entries are skipped when they reach the front.
  private var queue = Deque<Entry>()
  /// The time at which each child was removed with its parent, in milliseconds since 1970.
  private var gone: [Key: Int64] = [:]
  private var goneQueue = Deque<(key: Key, since: Int64)>()
  /// The children and changes of the message being applied that may still be resolved before its end.
  var arrivals: [Key] = []

  /// True if nothing is pending and no removed child is remembered.
  var isIdle: Bool { queue.isEmpty && goneQueue.isEmpty && arrivals.isEmpty }

  var count: Int { children.count + changedCount }

  /// The number of entries in both queues, current or obsolete.
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

  /// Remembers a child that is removed with its parent. Keeps at most `limit` children.
  ///
  /// Forgetting a child only means that its deletion counts as pending and later as expired.
  mutating func goes(_ key: Key, at time: Int64, limit: Int) {
    gone[key] = time
    goneQueue.append((key, time))
    while goneQueue.count > limit { forgetFirstGone() }
  }

  /// Returns true if a record was removed with its parent, has not been created again and is still remembered.
  func hasTombstone(_ key: Key) -> Bool { !gone.isEmpty && gone[key] != nil }

  /// Forgets that a child was removed, because it has been created again.
  mutating func returns(_ key: Key) { if !gone.isEmpty { gone[key] = nil } }

  private mutating func forgetFirstGone() {
    let first = goneQueue.removeFirst()
    if gone[first.key] == first.since { gone[first.key] = nil }
  }

  private func isLive(_ entry: Entry) -> Bool {
    entry.isChild ? children[entry.key] == entry.since : changes[entry.key]?.since == entry.since
  }

  /// Removes the oldest pending entry if it is from before `oldest`, or if more than `limit` records are pending. Also
  /// forgets the removed children from before `oldest`.
  ///
  /// - Parameter oldest: The time from which on records may stay pending, in milliseconds since 1970.
  /// - Returns: The child to remove, or the number of changes already dropped; nil if nothing expires.
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
    // Obsolete entries behind one that stays pending are removed from time to time, to bound the queue.
    if queue.count > 2 * count + 64 { queue = Deque(queue.filter(isLive)) }
    return nil
  }
}
