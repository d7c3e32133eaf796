package import NIOCore

/// A gateway's copy of the message sequence of one topic: events in, actions out. It has no clock and no socket.
///
/// It asks for a dump, keeps the messages that arrive meanwhile, and applies them by offset after the dump. What it
/// hands on is always a dump and the messages that follow it without a gap, of one term of one book. It asks for a new
/// dump after a gap, after dropped messages and for a newer term. It ignores older terms.
package struct TopicReplica: Sendable {
  package enum Action: Hashable, Sendable {
    /// Ask the book for a dump that includes message `minimum`. Answer with `receive(dump:…)` or `dumpFailed`.
    case requestDump(attempt: UInt64, minimum: UInt64)
    /// Call `retry(attempt)` later. `failures` is the number of failures in a row, at least 1.
    case retryLater(attempt: UInt64, failures: Int)
    /// Drop all messages: the sequence goes on after the dump, with message `after` + 1.
    case restart(after: UInt64, dump: ByteBuffer)
    /// Messages that follow what was handed on before, the first one with offset `first`.
    case append([ByteBuffer], first: UInt64)
  }

  package struct Counters: Hashable, Sendable {
    /// The number of times that messages were missing.
    package var gaps = 0
    /// The number of dumps applied, the first one included.
    package var dumps = 0
    /// The number of dumps applied after the first one of a topic.
    package var redumps = 0
    /// The number of messages ignored, because they were known or of an older term.
    package var ignored = 0

    mutating func add(_ other: Counters) {
      gaps += other.gaps
      dumps += other.dumps
      redumps += other.redumps
      ignored += other.ignored
    }
  }

  private struct Pending {
    let first: UInt64
    let messages: [ByteBuffer]
    var end: UInt64 { first + UInt64(messages.count) }
  }

  /// The newest term heard of.
  package private(set) var identity: BookIdentity?
  /// The offset of the last message handed on.
  package private(set) var last: UInt64 = 0
  /// True while what was handed on is complete as far as known.
  package private(set) var isCurrent = false
  package private(set) var counters = Counters()

  private var attempt: UInt64 = 0
  private var failures = 0
  /// The least offset that the next dump must include.
  private var minimum: UInt64 = 0
  /// The updates of `identity` that wait for the dump.
  private var pending: [Pending] = []
  private var pendingBytes = 0
  private let maxPendingBytes: Int

  /// - Parameter maxPendingBytes: The maximum number of bytes of updates that wait for a dump. Beyond it they are
  ///   dropped, and the next dump must include them.
  package init(maxPendingBytes: Int = 32 << 20) { self.maxPendingBytes = maxPendingBytes }

  // MARK: Events

  /// Begins. Call once, after subscribing.
  package mutating func start() -> [Action] { request() }

  /// Notes that a book is alive.
  package mutating func follow(_ identity: BookIdentity) -> [Action] { adopt(identity) ? request() : [] }

  /// Notes that messages were dropped on the way, or that nothing came for too long, so that what comes can be old.
  package mutating func messagesLost() -> [Action] {
    guard isCurrent else { return [] }
    counters.gaps += 1
    return request()
  }

  /// Applies messages of an update: those from `offset` on, or none if `offset` is the next one.
  package mutating func receive(_ messages: [ByteBuffer], _ identity: BookIdentity, offset: UInt64) -> [Action] {
    let isOld = self.identity.map { identity < $0 } ?? false
    if isOld || offset == 0 {
      counters.ignored += messages.count
      return []
    }
    var actions = follow(identity)
    let update = Pending(first: offset, messages: messages)
    if !isCurrent {
      hold(update)
    } else if update.first > last + 1 {
      counters.gaps += 1
      hold(update)
      actions += request()
    } else {
      actions += append(update)
    }
    return actions
  }

  /// Notes that a book cannot have the topic any more: messages before `offset`, and dumps of them, are out of date.
  ///
  /// - Returns: The actions; nil if the end is that of an older term, or known.
  package mutating func ended(_ identity: BookIdentity, offset: UInt64) -> [Action]? {
    if let known = self.identity, identity < known || offset <= minimum { return nil }
    adopt(identity)
    clearPending()
    minimum = max(minimum, offset)
    return isCurrent ? request() : []
  }

  /// Applies the dump that was asked for with that attempt, which includes message `last` and those before it.
  package mutating func receive(
    dump: ByteBuffer, _ identity: BookIdentity, last: UInt64, attempt: UInt64
  ) -> [Action] {
    guard attempt == self.attempt, !isCurrent else { return [] }
    if let known = self.identity, identity < known { return fail() }
    adopt(identity)
    // Older than what is needed: the book had kept it.
    if last < minimum || last < self.last { return fail() }
    failures = 0
    minimum = 0
    isCurrent = true
    self.last = last
    if counters.dumps > 0 { counters.redumps += 1 }
    counters.dumps += 1
    var actions = [Action.restart(after: last, dump: dump)]
    let waiting = pending.sorted { $0.first < $1.first }
    clearPending()
    for update in waiting {
      if isCurrent, update.first <= self.last + 1 {
        actions += append(update)
      } else {
        hold(update)
        if isCurrent {
          counters.gaps += 1
          actions += request()
        }
      }
    }
    return actions
  }

  /// Notes that a dump could not be had.
  package mutating func dumpFailed(attempt: UInt64) -> [Action] {
    attempt == self.attempt && !isCurrent ? fail() : []
  }

  /// Asks again, after `retryLater`.
  package mutating func retry(_ attempt: UInt64) -> [Action] { attempt == self.attempt && !isCurrent ? request() : [] }

  // MARK: Steps

  /// Follows a term if it is newer than the one before. Returns true if it is.
  @discardableResult
  private mutating func adopt(_ identity: BookIdentity) -> Bool {
    if let known = self.identity, identity <= known { return false }
    self.identity = identity
    clearPending()
    minimum = 0
    return true
  }

  private mutating func request() -> [Action] {
    isCurrent = false
    attempt += 1
    let least = pending.map(\.first).max().map { $0 - 1 } ?? 0
    minimum = max(minimum, least, last)
    // NB: Offsets of a newer term are greater than `last`, so its dumps satisfy this too.
    return [.requestDump(attempt: attempt, minimum: minimum)]
  }

  private mutating func fail() -> [Action] {
    failures += 1
    return [.retryLater(attempt: attempt, failures: failures)]
  }

  private mutating func hold(_ update: Pending) {
    pending.append(update)
    pendingBytes += update.messages.reduce(0) { $0 + $1.readableBytes }
    guard pendingBytes > maxPendingBytes else { return }
    minimum = max(minimum, (pending.map(\.end).max() ?? 1) - 1)
    clearPending()
  }

  private mutating func clearPending() {
    pending = []
    pendingBytes = 0
  }

  /// Appends the messages of an update that are new. It begins at or before the next message.
  private mutating func append(_ update: Pending) -> [Action] {
    let known = min(UInt64(update.messages.count), last + 1 - update.first)
    counters.ignored += Int(known)
    let new = Array(update.messages.dropFirst(Int(known)))
    if new.isEmpty { return [] }
    defer { last += UInt64(new.count) }
    return [.append(new, first: last + 1)]
  }
}
