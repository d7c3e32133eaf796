/// The election of one book among several processes by a lease: events in, actions out. It has no clock and no socket.
///
/// The lease is one key. A holder renews it by compare-and-set on the revision. A standby takes it by compare-and-set
/// when it has seen one revision for the whole TTL, or when it was given back.
///
/// Why two processes never hold it at one time: a holder ends at the *start* of its last confirmed write, plus the TTL,
/// minus a margin. A standby counts the TTL from when it has *seen* that write, which is later. Delays of messages only
/// lengthen that. If the holder writes again meanwhile, the standby's compare-and-set fails. A write that is not
/// confirmed extends nothing. Why an epoch has one holder: it comes from the record that the compare-and-set replaces,
/// so a second process that chose the same epoch replaced the same revision, and only one of both writes succeeds.
package struct LeaseMachine: Sendable {
  package enum Action: Hashable, Sendable {
    /// Read the lease. Answer with `didRead` or `readFailed`.
    case read
    /// Write the lease if it has that revision; 0: if it does not exist. Answer with `didWrite`.
    case write(LeaseRecord, expecting: UInt64)
    /// This process holds the lease until that time.
    case acquired(epoch: UInt64, until: Duration)
    case extended(epoch: UInt64, until: Duration)
    /// This process does not hold the lease any more.
    case lost(epoch: UInt64)
  }

  package enum WriteResult: Hashable, Sendable {
    case written(revision: UInt64)
    /// The lease had another revision.
    case conflict
    /// The write may have been done, or may still be.
    case unknown
  }

  private struct Held {
    let epoch: UInt64
    var revision: UInt64
    /// False after a write that was not confirmed: the lease is then read before it is renewed.
    var isRevisionKnown = true
    /// The time at which this process does not hold the lease any more.
    var end: Duration
  }

  private struct Seen {
    let entry: LeaseEntry?
    let time: Duration
  }

  private struct Write {
    let record: LeaseRecord
    let isRenewal: Bool
    let start: Duration
  }

  private let holder: UInt64
  private let timing: LeaseTiming
  private var held: Held?
  /// The lease as it was last read, and since when it has been the same.
  private var seen: Seen?
  private var write: Write?
  private var isReading = false
  private var isStopped = false
  /// The greatest epoch heard of: a lease whose bucket was lost does not begin below it.
  private var minEpoch: UInt64
  /// The time of the next read or renewal.
  private var due = Duration.zero

  /// - Parameters:
  ///   - holder: A random number of this process.
  ///   - minEpoch: The epoch before that of a lease which does not exist yet.
  package init(holder: UInt64, minEpoch: UInt64, timing: LeaseTiming = LeaseTiming()) {
    self.holder = holder
    self.minEpoch = minEpoch
    self.timing = timing
  }

  /// The epoch of this process while it holds the lease.
  package func epoch(now: Duration) -> UInt64? { held.flatMap { now < $0.end ? $0.epoch : nil } }

  /// Notes the epoch of a book that was heard.
  package mutating func observe(epoch: UInt64) { minEpoch = max(minEpoch, epoch) }

  // MARK: Events

  /// Notes that time has passed. Call it at `deadline` or earlier.
  package mutating func advance(to now: Duration) -> [Action] {
    var actions = expire(now)
    if isStopped || isReading || write != nil || now < due { return actions }
    if let held, held.isRevisionKnown {
      due = now + timing.renewInterval
      actions += begin(LeaseRecord(epoch: held.epoch, holder: holder), expecting: held.revision, now)
    } else {
      due = now + timing.readInterval
      isReading = true
      actions.append(.read)
    }
    return actions
  }

  /// Notes the answer to a read: nil if the lease does not exist.
  package mutating func didRead(_ entry: LeaseEntry?, now: Duration) -> [Action] {
    isReading = false
    if let epoch = entry?.record.epoch { observe(epoch: epoch) }
    var actions = expire(now)
    if isStopped || write != nil { return actions }
    if held != nil { return actions + check(entry, now) }
    if seen == nil || seen!.entry != entry { seen = Seen(entry: entry, time: now) }
    // NB: A lease that does not exist is not free at once: its bucket may have been lost while somebody holds it.
    let isFree = entry.map { $0.record.isReleased || $0.record.holder == holder } ?? false
    if isFree || now - seen!.time >= timing.ttl {
      seen = nil
      let record = LeaseRecord(epoch: minEpoch + 1, holder: holder)
      actions += begin(record, expecting: entry?.revision ?? 0, now)
    }
    return actions
  }

  package mutating func readFailed(now: Duration) -> [Action] {
    isReading = false
    return expire(now)
  }

  /// Notes the result of a write.
  package mutating func didWrite(_ result: WriteResult, now: Duration) -> [Action] {
    guard let write else { return [] }
    self.write = nil
    var actions = expire(now)
    let end = write.start + timing.ttl - timing.margin
    switch result {
    case .written(let revision):
      if isStopped, !write.record.isReleased {
        actions += release(write.record.epoch, expecting: revision, now)
      }
      observe(epoch: write.record.epoch)
      // NB: A renewal confirmed after the lease has ended does not begin it again: an epoch is one term. The next read
      // finds the record and takes it with another epoch.
      if isStopped || now >= end || write.isRenewal && held == nil { break }
      held = Held(epoch: write.record.epoch, revision: revision, end: end)
      due = now + timing.renewInterval
      actions.append(
        write.isRenewal
          ? .extended(epoch: write.record.epoch, until: end) : .acquired(epoch: write.record.epoch, until: end))
    case .conflict:
      // Somebody else has written, or a write of this process that was not confirmed.
      actions += endTerm()
    case .unknown:
      held?.isRevisionKnown = false
      due = now
    }
    return actions
  }

  /// Gives the lease back.
  package mutating func stop(now: Duration) -> [Action] {
    isStopped = true
    var actions = expire(now)
    guard let held else { return actions }
    actions += endTerm()
    if write == nil, held.isRevisionKnown { actions += release(held.epoch, expecting: held.revision, now) }
    return actions
  }

  // MARK: Steps

  private mutating func begin(_ record: LeaseRecord, expecting revision: UInt64, _ now: Duration) -> [Action] {
    write = Write(record: record, isRenewal: held != nil, start: now)
    return [.write(record, expecting: revision)]
  }

  private mutating func release(_ epoch: UInt64, expecting revision: UInt64, _ now: Duration) -> [Action] {
    begin(LeaseRecord(epoch: epoch, holder: holder, isReleased: true), expecting: revision, now)
  }

  /// Goes on with the lease of this process as it was read, or loses it if somebody else has it.
  private mutating func check(_ entry: LeaseEntry?, _ now: Duration) -> [Action] {
    guard let entry, let held, entry.record == LeaseRecord(epoch: held.epoch, holder: holder) else { return endTerm() }
    self.held = Held(epoch: held.epoch, revision: entry.revision, end: held.end)
    due = now
    return advance(to: now)
  }

  /// Ends holding once its time is over.
  private mutating func expire(_ now: Duration) -> [Action] {
    guard let held, now >= held.end else { return [] }
    return endTerm()
  }

  private mutating func endTerm() -> [Action] {
    guard let held else { return [] }
    self.held = nil
    seen = nil
    return [.lost(epoch: held.epoch)]
  }
}
