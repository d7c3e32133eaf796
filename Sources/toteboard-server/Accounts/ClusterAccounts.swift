import AccountModel
import Dispatch
import FeedFanOut
import FeedServer
import FeedSimulator
import FoundationCore
import Logging
import NIOCore
import OddsModel
import Platform

/// The accounts of a cluster, at a gateway.
///
/// The open sessions are copied from the book, so that a token is checked in memory. Everything that changes accounts
/// is a request to the book. Without a book for `GatewayTiming.bookTimeout` it is not known which sessions are open:
/// streams and dependents end, and no token is accepted.
final class ClusterAccounts: AccountService, LoginLimiter {
  struct Options: Sendable {
    /// The lifetime of a session, counted from its login or last renewal, in milliseconds.
    var sessionTime: Int64 = 12 * 3_600_000
    var limits = AccountHub.Limits()
    var timing = GatewayTiming.server
    /// The time to wait for the book's answer, and for a change to arrive.
    var requestTimeout = Duration.seconds(3)
    var clock: @Sendable () -> Int64 = ClientClock.wallTime
  }

  /// The events of a player, while the player has a stream here.
  struct Player: Sendable {
    /// The number of this opening of the topic. Callbacks of an earlier one are ignored.
    let number: UInt64
    /// The latest events; nil until the first dump.
    var log: AccountEventLog?
    /// The calls that wait until the topic is open.
    var opening: [CheckedContinuation<Void, Never>] = []
    /// The number of streams that are being opened. The topic stays open for them.
    var users = 0
  }

  struct Waiter: Sendable {
    let isMet: @Sendable (SessionReplica) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  struct State {
    var replica = SessionReplica()
    var streams: AccountStreams
    /// The players with a stream, by id.
    var players: [String: Player] = [:]
    /// The names of the users who can log in.
    var users: Set<String> = []
    var waiters: [UInt64: Waiter] = [:]
    var lastNumber: UInt64 = 0
    /// True while the messages of a book arrive in time.
    var isHeard = false
    /// Grows with each opening and each loss of the topic of the sessions. Callbacks of an earlier opening are ignored.
    var sessionsNumber: UInt64 = 0
    /// True while the topic of the sessions is open or is being opened.
    var isOpen = false
    /// True if the last dump of the sessions was malformed.
    var isMalformed = false
    var timer: RepeatingTimer?

    mutating func nextNumber() -> UInt64 {
      lastNumber += 1
      return lastNumber
    }
  }

  let options: Options
  let state: Locked<State>
  let subscriber: BookSubscriber
  let connection: NATSConnection
  let logger: Logger
  let subjects: Subjects
  private let receiver = Locked<(@Sendable (BookSubscriber.Event) -> Void)?>(nil)
  /// The order in which topics are opened and closed.
  let queue = DispatchQueue(label: "toteboard.gateway.accounts")

  init(_ connection: NATSConnection, _ subjects: Subjects, options: Options = Options(), logger: Logger) {
    self.connection = connection
    self.subjects = subjects
    self.options = options
    self.logger = logger
    state = Locked(State(streams: AccountStreams(limits: options.limits)))
    subscriber = BookSubscriber(connection, subjects.accounts, timing: options.timing) { [receiver] event in
      receiver.withLock(\.self)?(event)
    }
    receiver.withLock { $0 = { [weak self] event in self?.receive(event) } }
  }

  /// Begins to follow the book. Without a connection it may fail: then it tries again.
  func start() {
    do throws(NATSError) { try subscriber.start {} } catch {
      queue.retryConnecting { [weak self] in self?.start() }
      return
    }
    let interval = Duration.nanoseconds(Int64(clamping: options.limits.interval))
    let timer = RepeatingTimer(every: interval, on: queue) { [weak self] in self?.tick() }
    state.withLock { $0.timer = timer }
  }

  func stop() {
    state.withLock { $0.timer = nil }
    subscriber.stop()
  }

  // MARK: State of the replica

  var isAvailable: Bool { state.withLock { $0.replica.isCurrent } }

  var counts: AccountHub.Counts {
    state.withLock { state in
      var counts = state.streams.counts
      counts.sessions = state.replica.sessions.count
      return counts
    }
  }

  var sessions: [PlayerSession] {
    let now = options.clock()
    let sessions = state.withLock { $0.replica.sessions.values.filter { now < $0.expiresAt } }
    return sessions.sorted { ($0.loginTime, $0.id) < ($1.loginTime, $1.id) }
  }

  func addPlayer(named name: String) { state.withLock { _ = $0.users.insert(name) } }

  func status(of id: String, issuedAt: Int64) -> SessionStatus {
    let now = options.clock()
    return state.withLock { $0.replica.status(of: id, issuedAt: issuedAt, now: now) }
  }
}
