import EveryMatrix
import NIOCore
import OddsFeed
import OddsModel

/// The state of one topic of an upstream feed.
struct RelayedTopic {
  /// The result of a message from upstream.
  enum Outcome: Equatable {
    /// The message waits for the dump.
    case waits
    /// The first dump: the topic is open.
    case opens
    /// Messages for the clients, in order.
    case sends([[UInt8]])
    /// Too many bytes wait for the dump.
    case overflows
  }

  private struct Waiting {
    let bytes: [UInt8]
    let version: Int64?
  }

  let subscription: Subscription
  /// True once the first dump has arrived.
  private(set) var isOpen = false
  /// The time since which a dump is awaited, because the connection was lost or the topic was requested without one.
  /// Nil while the topic is current, or the first dump is awaited on a connection.
  private(set) var staleSince: Duration?
  /// The time before which the upstream feed sent nothing that clients lack, if the connection was lost and an open
  /// topic awaits a dump since then; nil otherwise.
  private(set) var knownUntil: Duration?
  /// Changes with each change of the state.
  private(set) var moment: UInt64
  private var awaitsDump = true
  private var state = RecordedState()
  /// The updates that arrived before the dump, which can be older or newer than it.
  private var waiting: [Waiting] = []
  private var waitingBytes = 0
  /// The latest messages, oldest first, which a fresh dump may lack.
  private var recent = CircularBuffer<Waiting>()
  private var recentBytes = 0
  /// The greatest version of the messages that are no longer among `recent`, if any had one.
  private var forgottenVersion: Int64?
  /// The time of the next request for a fresh dump.
  var auditTime: Duration
  /// The number of fresh dumps that differed from the state.
  private(set) var divergences = 0

  init(_ subscription: Subscription, staleSince: Duration?, moment: UInt64, auditTime: Duration) {
    self.auditTime = auditTime
    self.subscription = subscription
    self.staleSince = staleSince
    self.moment = moment
  }

  /// True if the state is that of the upstream feed.
  var isCurrent: Bool { isOpen && !awaitsDump }

  /// Notes that the connection is lost. The topic is requested again on the next one, and its dump follows.
  mutating func connectionLost(completeUntil: Duration, now: Duration) {
    if isOpen { knownUntil = knownUntil ?? completeUntil }
    staleSince = staleSince ?? now
    awaitsDump = true
    waiting = []
    waitingBytes = 0
  }

  /// True if the dump is awaited for too long, or what clients have meanwhile is too old.
  func isExpired(now: Duration, _ limits: RelayLimits) -> Bool {
    let isTooOld = knownUntil.map { now - $0 >= limits.maxDataAge } ?? false
    return isTooOld || staleSince.map { now - $0 >= limits.grace } ?? false
  }

  /// Notes that the topic is requested on a new connection.
  mutating func connected() { if !isOpen { staleSince = nil } }

  /// Applies a message of the upstream feed. `moment` is a number that was not used before.
  ///
  /// - Parameter isAnswer: True if the message answers a request for a dump.
  mutating func receive(_ bytes: [UInt8], isAnswer: Bool, moment: UInt64, limits: RelayLimits) -> Outcome {
    let head = bytes.withUnsafeBufferPointer { EveryMatrixFormat().head(of: $0) }
    if head.isDump {
      // NB: A dump that nobody requested replaces the state, also if it is older: a recording that is played in a loop
      // begins again, or another book has taken over.
      if isAnswer, !awaitsDump { return receive(audit: bytes, head.version, moment: moment) }
      return receive(dump: bytes, head.version, moment: moment)
    }
    let message = Waiting(bytes: bytes, version: head.version)
    if awaitsDump {
      waiting.append(message)
      waitingBytes += bytes.count
      return waitingBytes > limits.maxWaitingBytes ? .overflows : .waits
    }
    let pending = state.takePending()
    apply(bytes)
    remember(message, limits)
    self.moment = moment
    return .sends(pending + [bytes])
  }

  private mutating func remember(_ message: Waiting, _ limits: RelayLimits) {
    recent.append(message)
    recentBytes += message.bytes.count
    while recent.count > limits.recentMessages || recentBytes > limits.recentBytes, let oldest = recent.popFirst() {
      recentBytes -= oldest.bytes.count
      forgottenVersion = [forgottenVersion, oldest.version].compactMap(\.self).max()
    }
  }

  /// Compares the state with a fresh dump and the messages that it lacks. A difference replaces the state.
  private mutating func receive(audit dump: [UInt8], _ version: Int64?, moment: UInt64) -> Outcome {
    guard let version else { return .waits }
    // A dump that is older than all known messages cannot be compared. An upstream server may send the messages after
    // it again.
    if let forgottenVersion, forgottenVersion >= version { return .waits }
    let newer = recent.filter { $0.version.map { $0 >= version } ?? true }
    var fresh = RecordedState()
    for message in [dump] + newer.map(\.bytes) { message.withUnsafeBufferPointer { fresh.apply($0) } }
    if fresh.hasSameRecords(as: state) { return .waits }
    divergences += 1
    state = fresh
    self.moment = moment
    return .sends([dump] + newer.map(\.bytes))
  }

  /// Applies a dump and the updates that waited for it, except those that are older (StoreRules.md, rule 1).
  private mutating func receive(dump: [UInt8], _ version: Int64?, moment: UInt64) -> Outcome {
    let newer = waiting.filter { waiting in
      guard let version, let other = waiting.version else { return true }
      return other >= version
    }
    waiting = []
    waitingBytes = 0
    awaitsDump = false
    recent = CircularBuffer(newer)
    recentBytes = newer.reduce(0) { $0 + $1.bytes.count }
    // The dump includes all earlier messages.
    forgottenVersion = version.map { $0 &- 1 }
    staleSince = nil
    knownUntil = nil
    state = RecordedState()
    self.moment = moment
    apply(dump)
    for update in newer { apply(update.bytes) }
    if isOpen { return .sends([dump] + newer.map(\.bytes)) }
    isOpen = true
    return .opens
  }

  private mutating func apply(_ message: [UInt8]) { message.withUnsafeBufferPointer { state.apply($0) } }

  /// Returns a function that builds a dump, as `RecordedState.dumpBuilder` does.
  mutating func dump() -> @Sendable () -> [UInt8] { state.dumpBuilder() }

  /// Returns the messages that a client needs in addition to the dumps, as `RecordedState.takePending` does.
  mutating func takePending() -> [[UInt8]] { state.takePending() }
}

extension TopicState {
  /// True if another request for the topic would be refused too.
  var isPermanent: Bool {
    switch self {
    case .refused: true
    case .retrying(let error, _): error.isPermanent
    case .requested, .live, .overdue, .maintenance, .late: false
    }
  }
}
