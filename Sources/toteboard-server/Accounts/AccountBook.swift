import Dispatch
import FeedFanOut
import FeedServer
import FeedSimulator
import FoundationCore
import Logging
import NIOCore
import Platform

/// The accounts of a cluster, while this process is its book.
///
/// Requests, postings and expiry happen on one serial queue. Sessions are saved in NATS before they are published or
/// answered, so that a takeover changes none of them. Wallets are saved a little later, except after a posting by the
/// administrator.
final class AccountBook: Sendable {
  struct Options: Sendable {
    /// The mean time between two postings of a player, in milliseconds.
    var pace = SimulatedAccounts.usualPace
    /// The interval at which sessions expire and players are saved.
    var interval = Duration.milliseconds(250)
    /// The interval at which changes are published.
    var publishInterval = Duration.milliseconds(20)
    /// The maximum number of players that are saved in an interval.
    var savesPerInterval = 25
    /// The maximum number of requests that wait. Beyond it they are not answered.
    var waitingRequests = 1024
    var rates = LoginLimit.Rates()
    var clock: @Sendable () -> Int64 = ClientClock.wallTime
  }

  struct Term {
    let identity: BookIdentity
    /// The uptime from which nothing may be answered or published.
    var end: Duration
  }

  struct State {
    var term: Term?
    /// The accounts as they were loaded and have changed since.
    var accounts: SimulatedAccounts
    /// True if the bucket has the sessions of `accounts`.
    var isLoaded = false
    var outbox = AccountOutbox()
    var logins: LoginCounter
    /// The players whose wallets are to be saved, the longest waiting first, and the same as a set.
    var unsaved: [String] = []
    var unsavedSet: Set<String> = []
    var waitingRequests = 0
    /// The last error of loading or saving, which is logged once.
    var error: NATSError?
    var subscription: NATSSubscription?
    var timer: RepeatingTimer?
  }

  let options: Options
  let state: Locked<State>
  let store: AccountStore
  private let connection: NATSConnection
  private let subjects: Subjects
  let publisher: BookPublisher
  let queue = DispatchQueue(label: "toteboard.accounts")
  private let systemClock = ClientClock.live
  let logger: Logger

  init(_ connection: NATSConnection, _ subjects: Subjects, options: Options = Options(), logger: Logger) {
    let state = Locked(State(accounts: Self.empty(options), logins: LoginCounter(rates: options.rates)))
    self.connection = connection
    self.subjects = subjects
    self.options = options
    self.logger = logger
    self.state = state
    store = AccountStore(connection, subjects)
    var timing = BookTiming()
    // One topic for each player with a stream.
    timing.maxTopics = 1 << 16
    timing.markerInterval = .seconds(2)
    publisher = BookPublisher(
      connection, subjects.accounts, origin: BookOrigin(accounts: state, interval: options.publishInterval),
      timing: timing)
  }

  static func empty(_ options: Options) -> SimulatedAccounts {
    SimulatedAccounts(seed: .random(in: 0 ... .max), timeToLive: BookRequest.maxTimeToLive, pace: options.pace)
  }

  // MARK: The term

  /// Begins a term: loads the accounts, then answers and publishes until `end`.
  func activate(_ identity: BookIdentity, until end: Duration) {
    state.withLock { state in
      state.term = Term(identity: identity, end: end)
      state.isLoaded = false
      state.logins = LoginCounter(rates: options.rates)
    }
    queue.async { self.load(identity, isFirst: true) }
  }

  func extend(_ identity: BookIdentity, until end: Duration) {
    state.withLock { if $0.term?.identity == identity { $0.term!.end = end } }
    publisher.extend(identity, until: end)
  }

  /// Ends the term. After this function returns, nothing is published. A request in progress is answered with
  /// `unavailable`.
  func deactivate() {
    let (subscription, timer) = state.withLock { state in
      state.term = nil
      state.isLoaded = false
      return (state.subscription.take(), state.timer.take())
    }
    withExtendedLifetime(timer) { subscription?.cancel() }
    publisher.deactivate()
  }

  /// Saves as many unsaved wallets as it can within half a second. Called when the process shuts down.
  func save() {
    if !isActive { return }
    let end = systemClock.uptime() + .milliseconds(500)
    let done = DispatchSemaphore(value: 0)
    // NB: The queue may wait for NATS.
    queue.async {
      while self.systemClock.uptime() < end, self.isActive, self.state.withLock({ !$0.unsaved.isEmpty }) {
        self.savePlayers()
      }
      done.signal()
    }
    _ = done.wait(timeout: .now() + .milliseconds(500))
  }

  /// True while this process may answer.
  var isActive: Bool {
    let now = systemClock.uptime()
    return state.withLock { state in state.isLoaded && state.term.map { now < $0.end } ?? false }
  }

  /// Begins to answer. Tries again while the term lasts: without a connection it may fail.
  func start(_ identity: BookIdentity) {
    guard state.withLock({ $0.term?.identity == identity }) else { return }
    do throws(NATSError) {
      let subscription = try connection.subscribe(subjects.accountRequest, limit: 16 << 20) { [weak self] message in
        self?.receive(message)
      }
      let timer = RepeatingTimer(every: options.interval, on: queue) { [weak self] in self?.tick() }
      state.withLock { state in
        guard state.term?.identity == identity else { return }
        state.subscription = subscription
        state.timer = timer
      }
    } catch {
      queue.retryConnecting { [weak self] in self?.start(identity) }
    }
  }

  // MARK: Requests

  /// Queues a call. Ignores a message that is not a call.
  private func receive(_ message: NATSMessage) {
    guard let call = BookCall(message.payload) else { return }
    let hasRoom = state.withLock { state in
      if state.waitingRequests >= options.waitingRequests { return false }
      state.waitingRequests += 1
      return true
    }
    guard hasRoom else { return }
    queue.async { [weak self] in
      guard let self else { return }
      state.withLock { $0.waitingRequests -= 1 }
      guard let epoch = state.withLock({ $0.term?.identity.epoch }), let answer = answer(call, epoch) else { return }
      if let reply = message.reply { try? connection.publish(answer.encoded, to: reply) }
    }
  }

  /// Carries a call out in the term of an epoch. Returns nil if it is not answered: also if the gateway has given it
  /// up, because the client may have repeated it meanwhile.
  private func answer(_ call: BookCall, _ epoch: UInt64) -> BookReply? {
    let now = systemClock.wall()
    if let deadline = call.deadline {
      if deadline.epoch != epoch { return .otherTerm(BookTime(epoch: epoch, time: now)) }
      if deadline.time <= now { return nil }
    }
    guard isActive else { return .unavailable }
    let reply = perform(call.request)
    // The term may have ended meanwhile: the request may have waited for NATS.
    return isActive ? reply : .unavailable
  }
}
