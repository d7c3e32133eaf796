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
/// The open sessions are copied from the book, so that a token is checked in memory. Everything that changes accounts is a
/// request to the book. Without a book for `GatewayTiming.bookTimeout` it is not known which sessions are open: streams
/// and dependents end, and no token is accepted.
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
    /// Tells apart the times that the topic was open.
    let number: UInt64
    /// The latest events; nil until the first dump.
    var log: AccountEventLog?
    /// The streams that are being opened.
    var opening: [CheckedContinuation<Void, Never>] = []
    var users = 0
  }

  struct Waiter: Sendable {
    let isMet: @Sendable (SessionReplica) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  struct State {
    var replica = SessionReplica()
    var streams: AccountStreams
    var players: [String: Player] = [:]
    var users: Set<String> = []
    var waiters: [UInt64: Waiter] = [:]
    var lastNumber: UInt64 = 0
    var isHeard = false
    /// The number of times that the topic of the sessions was opened, and whether it is open.
    var sessionsNumber: UInt64 = 0
    var isOpen = false
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
  private let subjects: Subjects
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
      queue.asyncAfter(deadline: .now() + .milliseconds(50)) { [weak self] in self?.start() }
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

  // MARK: What is known here

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

  // MARK: Requests to the book

  func attempt(of user: String, from address: String) async throws(AccountServiceError) -> LoginVerdict {
    switch try await ask(.attempt(user: user, address: address)) {
    case .refused(let wait): return .refused(wait: wait)
    case .counted(let number, let delay):
      return .attempt(
        LoginAttempt(delay: delay) { [self] in
          tell(.failed(attempt: number))
        } takeBack: { [self] in
          tell(.takenBack(attempt: number))
        })
    default: throw AccountServiceError()
    }
  }

  func logIn(user: String) async throws(AccountServiceError) -> PlayerSession? {
    guard state.withLock({ $0.users.contains(user) }) else { return nil }
    let session = try await session(.logIn(user: user, timeToLive: options.sessionTime))
    if let id = session?.id { await wait { $0.knows(id) } }
    return session
  }

  func renew(_ id: String) async throws(AccountServiceError) -> PlayerSession? {
    let session = try await session(.renew(session: id, timeToLive: options.sessionTime))
    if let session {
      await wait { replica in
        replica.hasEnded(id) || replica.sessions[id].map { $0.expiresAt >= session.expiresAt } ?? false
      }
    }
    return session
  }

  func logOut(_ id: String) async throws(AccountServiceError) {
    guard case .ended = try await ask(.end(session: id, .logout)) else { throw AccountServiceError() }
    await wait { $0.sessions[id] == nil }
  }

  func endAll(of user: String?, _ cause: SessionEnd.Cause) async throws(AccountServiceError) -> Int {
    guard case .ended(let count) = try await ask(.endAll(user: user, EndCause(cause))) else {
      throw AccountServiceError()
    }
    return count
  }

  func wallet(of playerID: String) async throws(AccountServiceError) -> Wallet? {
    guard case .wallet(let record) = try await ask(.wallet(player: playerID)) else { throw AccountServiceError() }
    return record?.wallet
  }

  func post(_ hundredths: Int64, to user: String) async throws(AccountServiceError) -> AccountHub.Posted {
    guard state.withLock({ $0.users.contains(user) }) else { return .unknown }
    switch try await ask(.post(user: user, hundredths: hundredths)) {
    case .posted(let record): return .posted(record.wallet)
    case .unknown: return .unknown
    case .tooMuch: return .tooMuch
    default: throw AccountServiceError()
    }
  }

  private func session(_ request: BookRequest) async throws(AccountServiceError) -> PlayerSession? {
    guard case .session(let session) = try await ask(request) else { throw AccountServiceError() }
    return session
  }

  private func ask(_ request: BookRequest) async throws(AccountServiceError) -> BookReply {
    let answer = await withCheckedContinuation { continuation in
      connection.request(
        request.encoded, to: subjects.accountRequest, timeout: options.requestTimeout
      ) { continuation.resume(returning: try? $0.get()) }
    }
    guard let answer, let reply = BookReply(answer), reply != .unavailable else { throw AccountServiceError() }
    return reply
  }

  /// Sends a request that is not answered.
  private func tell(_ request: BookRequest) { try? connection.publish(request.encoded, to: subjects.accountRequest) }

  /// Returns once the copy of the sessions meets a condition, is lost, or the time for a request is over.
  private func wait(until isMet: @escaping @Sendable (SessionReplica) -> Bool) async {
    await withCheckedContinuation { continuation in
      let number: UInt64? = state.withLock { state in
        if !state.replica.isCurrent || isMet(state.replica) { return nil }
        let number = state.nextNumber()
        state.waiters[number] = Waiter(isMet: isMet, continuation: continuation)
        return number
      }
      guard let number else { return continuation.resume() }
      let timeout = Int(options.requestTimeout / .milliseconds(1))
      queue.asyncAfter(deadline: .now() + .milliseconds(timeout)) { [weak self] in
        self?.state.withLock { $0.waiters.removeValue(forKey: number) }?.continuation.resume()
      }
    }
  }
}
