/// One of the keys of the lease, as one process knows it: when it may be written, and for how long a write counts.
/// `LeaseMachine` decides what to write.
struct LeaseKey: Sendable {
  enum Operation: Hashable, Sendable {
    case read
    case write(LeaseRecord, start: Duration)
  }

  /// A write of this process that the store has confirmed.
  struct Confirmation: Hashable, Sendable {
    let epoch: UInt64
    /// From this time on, another process may have the key.
    let end: Duration
  }

  private struct Seen {
    let entry: LeaseEntry?
    let first: Duration
    var last: Duration
  }

  private let holder: UInt64
  private let timing: LeaseTiming
  /// The entry as it was last read or written, and when it was seen first and last.
  private var seen: Seen?
  /// True while the last read or write has succeeded, so that the revision is known.
  private var isCurrent = false
  /// The epoch of the last write that was begun.
  private var attempt: UInt64 = 0
  private(set) var operation: Operation?
  private(set) var confirmation: Confirmation?
  /// The time of the next read or renewal.
  private(set) var due = Duration.zero

  init(holder: UInt64, timing: LeaseTiming) {
    self.holder = holder
    self.timing = timing
  }

  /// The entry that a write would replace; nil if the key does not exist, or is not known.
  var entry: LeaseEntry? { seen?.entry }

  /// True if the last record was written by this process and is not released.
  var isOwn: Bool {
    guard isCurrent, let record = entry?.record else { return false }
    return record.holder == holder && !record.isReleased
  }

  /// True if this process may write the key: nobody else has it.
  var isFree: Bool {
    guard isCurrent, let seen else { return false }
    // NB: A key that does not exist is not free at once: its bucket may have been lost while somebody has it. It has no
    // revision that shows whether it existed meanwhile. So `didRead` counts its time while the reads follow closely.
    return isOwn || seen.entry?.record.isReleased == true || seen.last - seen.first >= timing.ttl
  }

  /// True if this process may write the key with this epoch. Epochs of a key never decrease, and increase whenever
  /// another process takes it.
  func canTake(epoch: UInt64) -> Bool {
    guard isFree else { return false }
    guard let record = entry?.record else { return true }
    return isOwn ? record.epoch <= epoch : record.epoch < epoch
  }

  /// True unless it is known that this process cannot get the key with this epoch.
  func mayConfirm(epoch: UInt64) -> Bool {
    isCurrent ? canTake(epoch: epoch) : seen != nil && attempt == epoch
  }

  /// The time until which the key is confirmed; nil if it is not. With an epoch: if it is confirmed with this epoch.
  func confirmedEnd(epoch: UInt64? = nil, now: Duration) -> Duration? {
    guard let confirmation, now < confirmation.end, epoch == nil || epoch == confirmation.epoch else { return nil }
    return confirmation.end
  }

  // MARK: Operations

  mutating func beginRead(_ now: Duration) {
    operation = .read
    due = now + timing.readInterval
  }

  mutating func beginWrite(_ record: LeaseRecord, _ now: Duration) {
    // NB: Before the key is given back, because it can be taken from then on.
    if record.isReleased { confirmation = nil }
    operation = .write(record, start: now)
    attempt = record.epoch
    due = now + timing.renewInterval
  }

  mutating func didRead(_ entry: LeaseEntry?, now: Duration) {
    let isSame = seen.map { $0.entry == entry && (entry != nil || now - $0.last < timing.ttl / 2) } ?? false
    seen = Seen(entry: entry, first: isSame ? seen!.first : now, last: now)
    operation = nil
    isCurrent = true
    // A record of its own whose write was not confirmed is renewed at once.
    if isOwn { due = now }
  }

  mutating func readFailed(now: Duration) {
    operation = nil
    isCurrent = false
    due = now + timing.retryInterval
  }

  mutating func didWrite(_ result: LeaseMachine.WriteResult, now: Duration) {
    guard case .write(let record, let start) = operation else { return }
    operation = nil
    switch result {
    case .written(let revision):
      isCurrent = true
      seen = Seen(entry: LeaseEntry(record: record, revision: revision), first: now, last: now)
      let end = start + timing.ttl - timing.margin
      if !record.isReleased { confirmation = Confirmation(epoch: record.epoch, end: end) }
    case .conflict:
      // Somebody else has written, or a write of this process that was not confirmed. What was confirmed before stays
      // so until its end.
      isCurrent = false
      seen = nil
      due = now + timing.retryInterval
    case .unknown:
      isCurrent = false
      due = now
    }
  }
}
