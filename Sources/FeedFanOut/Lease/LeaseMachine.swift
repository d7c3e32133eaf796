/// The election of one book among several processes by a lease: events in, actions out. It has no clock and no socket.
///
/// The lease is three keys, each in a store of its own. A process holds the lease while at least two keys confirm its
/// writes, so the loss of one store stops nobody. It writes a key by compare-and-set on the revision. It may write a
/// key that has its own record, that was given back, or that it has seen with one revision for the whole TTL.
///
/// **One process has a key at a time.** A process has a key until the *start* of its last confirmed write, plus the
/// TTL, minus a margin. Another process counts the TTL from when it has *seen* that write, which is later. Delays of
/// messages only lengthen that. A read that returns an old revision does no harm: the compare-and-set on it fails. So
/// does one that comes after another write of the first process. A write that is not confirmed extends nothing. A
/// process that gives a key back does not count it from before that write on.
///
/// **One process holds the lease at a time.** Two processes with two of three keys each would share a key.
///
/// **An epoch has one term, and epochs increase.** The epochs of a key never decrease, and increase when another
/// process writes it. A process chooses an epoch above all that it has seen or tried, and acquires the lease only when
/// two keys confirm this very epoch. Two terms have a key in common among those with which they began. The later term
/// wrote this key later: had it written it before, the other process could have replaced its record only after it was
/// released or its time was over. So the later term has the greater epoch. While a process holds the lease, it may
/// write a key with an epoch above that of its term, to replace the record of a process that has failed. That only
/// increases the key's.
///
/// **Somebody gets it.** A process begins to take keys when at least two are free, so that it does not disturb a holder
/// that misses one. If it cannot get two, it gives back what it has, and waits for a random time.
package struct LeaseMachine: Sendable {
  package enum Action: Hashable, Sendable {
    /// Read a key. Answer with `didRead` or `readFailed`.
    case read(key: Int)
    /// Write a key if it has that revision; 0: if it does not exist. Answer with `didWrite`.
    case write(key: Int, LeaseRecord, expecting: UInt64)
    /// This process holds the lease until that time.
    case acquired(epoch: UInt64, until: Duration)
    case extended(epoch: UInt64, until: Duration)
    /// This process does not hold the lease any more.
    case lost(epoch: UInt64)
  }

  package enum WriteResult: Hashable, Sendable {
    case written(revision: UInt64)
    /// The key had another revision.
    case conflict
    /// The write may have been done, or may still be.
    case unknown
  }

  private struct Term {
    let epoch: UInt64
    /// The time at which this process does not hold the lease any more.
    var end: Duration
  }

  package static let keyCount = 3
  private static let majority = 2

  private let holder: UInt64
  private let timing: LeaseTiming
  private var keys: [LeaseKey]
  private var term: Term?
  /// The epoch with which this process takes keys: while it holds the lease, or tries to get it.
  private var epoch: UInt64?
  /// The time at which an attempt to get the lease ends, or before which no other begins.
  private var attemptDeadline = Duration.zero
  private var isStopped = false
  /// The greatest epoch seen, heard or tried, at first that of the initializer. A new term has a greater one.
  private var minEpoch: UInt64
  private var random: UInt64

  /// - Parameters:
  ///   - holder: A random number of this process.
  ///   - minEpoch: The epoch before that of a lease which does not exist yet.
  package init(holder: UInt64, minEpoch: UInt64, timing: LeaseTiming = LeaseTiming()) {
    self.holder = holder
    self.minEpoch = minEpoch
    self.timing = timing
    random = holder
    keys = Array(repeating: LeaseKey(holder: holder, timing: timing), count: Self.keyCount)
  }

  /// The number of keys that confirm the writes of this process.
  package func confirmedKeys(now: Duration) -> Int { keys.count { $0.confirmedEnd(now: now) != nil } }

  /// Notes the epoch of a book that was heard.
  package mutating func observe(epoch: UInt64) { minEpoch = max(minEpoch, epoch) }

  // MARK: Events

  /// Notes that time has passed.
  package mutating func advance(to now: Duration) -> [Action] {
    var actions = expire(now)
    updateAttempt(now)
    for key in keys.indices { actions += beginOperation(key, now) }
    return actions
  }

  /// Notes the answer to a read: nil if the key does not exist.
  package mutating func didRead(_ entry: LeaseEntry?, key: Int, now: Duration) -> [Action] {
    if let entry { observe(epoch: entry.record.epoch) }
    keys[key].didRead(entry, now: now)
    return advance(to: now)
  }

  /// Notes that a key could not be read.
  package mutating func readFailed(key: Int, now: Duration) -> [Action] {
    keys[key].readFailed(now: now)
    return advance(to: now)
  }

  /// Notes the result of a write.
  package mutating func didWrite(_ result: WriteResult, key: Int, now: Duration) -> [Action] {
    keys[key].didWrite(result, now: now)
    return expire(now) + updateTerm(now) + advance(to: now)
  }

  /// Gives the lease back.
  package mutating func stop(now: Duration) -> [Action] {
    isStopped = true
    return endTerm() + advance(to: now)
  }

  // MARK: Terms

  /// Begins a term, or extends it, by what the keys confirm.
  private mutating func updateTerm(_ now: Duration) -> [Action] {
    guard let epoch else { return [] }
    // NB: A term begins with keys of one epoch. It goes on with any that this process has.
    let isHolder = term != nil
    let ends = keys.compactMap { $0.confirmedEnd(epoch: isHolder ? nil : epoch, now: now) }.sorted(by: >)
    guard ends.count >= Self.majority else { return [] }
    let end = ends[Self.majority - 1]
    if let term, end <= term.end { return [] }
    term = Term(epoch: epoch, end: end)
    return [isHolder ? .extended(epoch: epoch, until: end) : .acquired(epoch: epoch, until: end)]
  }

  /// Ends the term once its time is over.
  private mutating func expire(_ now: Duration) -> [Action] {
    guard let term, now >= term.end else { return [] }
    return endTerm()
  }

  /// Ends the term, or the attempt to begin one.
  private mutating func endTerm() -> [Action] {
    epoch = nil
    return term.take().map { [.lost(epoch: $0.epoch)] } ?? []
  }

  // MARK: Attempts

  /// Begins an attempt to get the lease if enough keys are free, or ends one that does not succeed.
  private mutating func updateAttempt(_ now: Duration) {
    if isStopped || term != nil { return }
    if let epoch {
      if now < attemptDeadline, keys.count(where: { $0.mayConfirm(epoch: epoch) }) >= Self.majority { return }
      self.epoch = nil
      attemptDeadline = now + randomDelay()
    } else if now >= attemptDeadline, keys.count(where: \.isFree) >= Self.majority {
      minEpoch += 1
      epoch = minEpoch
      attemptDeadline = now + timing.attemptLimit
    }
  }

  private mutating func randomDelay() -> Duration {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return timing.attemptLimit * (Double(random >> 32) / Double(1 << 32 as UInt64))
  }

  // MARK: Keys

  private mutating func beginOperation(_ index: Int, _ now: Duration) -> [Action] {
    let key = keys[index]
    if key.operation != nil { return [] }
    if let record = nextRecord(key, now) {
      observe(epoch: record.epoch)
      keys[index].beginWrite(record, now)
      return [.write(key: index, record, expecting: key.entry?.revision ?? 0)]
    }
    if isStopped || now < key.due || epoch != nil && key.isOwn { return [] }
    keys[index].beginRead(now)
    return [.read(key: index)]
  }

  /// Returns the record to write to a key now; nil for none.
  private func nextRecord(_ key: LeaseKey, _ now: Duration) -> LeaseRecord? {
    let written = key.entry?.record
    guard let epoch else {
      // A key that this process has and does not need is released.
      return key.isOwn ? written.map { LeaseRecord(epoch: $0.epoch, holder: holder, isReleased: true) } : nil
    }
    let isRenewal = key.isOwn && written!.epoch >= epoch
    if isRenewal ? now < key.due : !key.isFree { return nil }
    if term == nil, !key.canTake(epoch: epoch) { return nil }
    let minEpoch = written.map { key.isOwn ? $0.epoch : $0.epoch + 1 } ?? 0
    return LeaseRecord(epoch: max(epoch, minEpoch), holder: holder)
  }
}
