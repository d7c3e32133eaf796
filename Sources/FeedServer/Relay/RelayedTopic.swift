import EveryMatrix
import OddsFeed

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
  /// The time since which a dump is awaited, because the connection was lost or the topic was requested without one. Nil
  /// while the topic is current, or the first dump is awaited on a connection.
  private(set) var staleSince: Duration?
  /// Changes with each change of the state.
  private(set) var moment: UInt64
  private var awaitsDump = true
  private var state = RecordedState()
  /// The updates that arrived before the dump, which can be older or newer than it.
  private var waiting: [Waiting] = []
  private var waitingBytes = 0
  /// True if a dump was made since the last message: it lacks the changes of records that do not exist yet.
  private var owesPending = false

  init(_ subscription: Subscription, staleSince: Duration?, moment: UInt64) {
    self.subscription = subscription
    self.staleSince = staleSince
    self.moment = moment
  }

  /// True if the state is that of the upstream feed.
  var isCurrent: Bool { isOpen && !awaitsDump }

  /// Notes that the connection is lost. The topic is requested again on the next one, and its dump follows.
  mutating func connectionLost(now: Duration) {
    staleSince = staleSince ?? now
    awaitsDump = true
    waiting = []
    waitingBytes = 0
  }

  /// Notes that the topic is requested on a new connection.
  mutating func connected() { if !isOpen { staleSince = nil } }

  /// Applies a message of the upstream feed. `moment` is a number that was not used before.
  mutating func receive(_ bytes: [UInt8], moment: UInt64, maxWaitingBytes: Int) -> Outcome {
    let head = bytes.withUnsafeBufferPointer { EveryMatrixFormat().head(of: $0) }
    if head.isDump { return receive(dump: bytes, head.version, moment: moment) }
    if awaitsDump {
      waiting.append(Waiting(bytes: bytes, version: head.version))
      waitingBytes += bytes.count
      return waitingBytes > maxWaitingBytes ? .overflows : .waits
    }
    let pending = takePending()
    apply(bytes)
    self.moment = moment
    return .sends(pending + [bytes])
  }

  /// Applies a dump and the updates that waited for it, except those that are older (StoreRules.md, rule 1).
  private mutating func receive(dump: [UInt8], _ version: Int64?, moment: UInt64) -> Outcome {
    let newer = waiting.filter { waiting in
      guard let version, let other = waiting.version else { return true }
      return other >= version
    }
    waiting = []
    waitingBytes = 0
    owesPending = false
    awaitsDump = false
    staleSince = nil
    state = RecordedState()
    self.moment = moment
    apply(dump)
    for update in newer { apply(update.bytes) }
    if isOpen { return .sends([dump] + newer.map(\.bytes)) }
    isOpen = true
    return .opens
  }

  private mutating func apply(_ message: [UInt8]) { message.withUnsafeBufferPointer { state.apply($0) } }

  /// Returns a function that builds an INITIAL_DUMP of the state as it is now. A client that gets it also needs the
  /// messages of `takePending`, before any other.
  mutating func dump() -> @Sendable () -> [UInt8] {
    owesPending = true
    let state = state
    return {
      var state = state
      return state.dump()
    }
  }

  /// Returns the messages that a client needs in addition to the dumps made so far. Other clients know them already, and
  /// they change nothing there.
  mutating func takePending() -> [[UInt8]] {
    defer { owesPending = false }
    return owesPending ? state.pendingUpdates : []
  }
}
