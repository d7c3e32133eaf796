package import AccountModel
import Dispatch
import Platform

/// The accounts of a server, shared by all connections. Publishes account events to streams. A timer advances the
/// accounts while a stream is open or another object depends on a session.
package final class AccountHub: Sendable {
  /// The limits of streams, and the intervals of the hub.
  package struct Limits: Hashable, Sendable {
    /// The maximum number of open streams.
    package var streams = 1_000
    /// The maximum number of open streams of one session, so that one user cannot use them all.
    package var streamsOfSession = 16
    /// The maximum number of unread bytes of a stream. A stream that exceeds it is ended.
    package var unreadBytes = 1 << 16
    /// The time without data after which a stream gets a keep-alive comment, in milliseconds.
    package var keepAlive: Int64 = 15_000
    /// The interval between ticks, in nanoseconds.
    package var interval: UInt64 = 250_000_000

    package init() {}
  }

  /// The reason for which a stream cannot be opened.
  package enum Refusal: Error, Hashable, Sendable {
    case noSession
    /// The maximum number of streams is open, or the hub is draining.
    case tooMany
    /// The accounts are in another process, which cannot be reached.
    case unavailable
  }

  /// The counts for the server's metrics.
  package struct Counts: Hashable, Sendable {
    package var sessions = 0
    package var streams = 0
    package var streamsBegun = 0
    /// The number of streams that were ended because their reader was too far behind.
    package var streamsBehind = 0
  }

  private struct State {
    var accounts: SimulatedAccounts
    var streams: AccountStreams
    /// Active while there is a stream or a dependent.
    var timer: RepeatingTimer?
  }

  private let state: Locked<State>
  private let interval: Duration
  private let clock: @Sendable () -> Int64
  private let ticks = DispatchQueue(label: "toteboard.accounts")

  /// Creates a hub. `clock` returns the time in milliseconds since 1970.
  package init(_ accounts: SimulatedAccounts, limits: Limits = Limits(), clock: @escaping @Sendable () -> Int64) {
    state = Locked(State(accounts: accounts, streams: AccountStreams(limits: limits)))
    interval = .nanoseconds(Int64(limits.interval))
    self.clock = clock
  }

  deinit {
    state.withLock { state in
      state.timer = nil
      for queue in state.streams.queues { queue.end() }
    }
  }

  package var counts: Counts {
    let now = clock()
    return state.withLock { state in
      var counts = state.streams.counts
      counts.sessions = state.accounts.openSessions(at: now).count
      return counts
    }
  }

  // MARK: Sessions

  /// Allows a user to log in. Creates the user's account if there is none.
  package func addPlayer(named name: String) { state.withLock { $0.accounts.addPlayer(named: name, now: clock()) } }

  /// Begins a session of a known user. Returns nil if the user is unknown or too many sessions are open.
  package func logIn(user: String) -> PlayerSession? {
    change { accounts, now in
      guard let id = accounts.playerID(named: user), let begun = accounts.logIn(id, now: now) else { return (nil, []) }
      return (begun.session, begun.news)
    }
  }

  package func session(_ id: String) -> PlayerSession? { state.withLock { $0.accounts.session(id, at: clock()) } }

  package var sessions: [PlayerSession] { state.withLock { $0.accounts.openSessions(at: clock()) } }

  package func wallet(of playerID: String) -> Wallet? { state.withLock { $0.accounts.wallet(of: playerID) } }

  /// Extends a session by its full lifetime, counted from now. Returns the session, or nil if it is over.
  package func renew(_ id: String) -> PlayerSession? { change { ($0.renew(id, now: $1), []) } }

  package func logOut(_ id: String) { change { ((), $0.end(id, nil, now: $1)) } }

  /// Ends a session. Returns false if it was already over.
  @discardableResult
  package func end(_ id: String, _ cause: SessionEnd.Cause) -> Bool {
    change { accounts, now in
      let news = accounts.end(id, cause, now: now)
      return (!news.isEmpty, news)
    }
  }

  /// Ends all sessions of a user, or of all users if `user` is nil. Returns the number of ended sessions.
  @discardableResult
  package func endAll(of user: String? = nil, _ cause: SessionEnd.Cause) -> Int {
    change { accounts, now in
      let ended = accounts.openSessions(at: now).filter { user == nil || $0.user == user }
      return (ended.count, ended.flatMap { accounts.end($0.id, cause, now: now) })
    }
  }

  /// The result of a posting.
  package enum Posted: Hashable, Sendable {
    case posted(Wallet)
    case unknown
    /// The debit is larger than the user's balance of real money.
    case tooMuch
    /// The key was used for another amount.
    case differs
  }

  /// The largest amount of a posting, in hundredths.
  package static let maxPosting: Int64 = 100_000_000

  /// Credits an amount to a user's real money, or debits it if negative. The amount is in hundredths.
  ///
  /// - Parameter key: The idempotency key of the client. See `SimulatedAccounts.post`.
  @discardableResult
  package func post(_ hundredths: Int64, to user: String, key: String? = nil) -> Posted {
    change { accounts, now in
      guard let id = accounts.playerID(named: user) else { return (.unknown, []) }
      switch accounts.post(hundredths, to: id, key: key) {
      case .posted(let wallet, let news): return (.posted(wallet), [news])
      case .repeated(let wallet): return (.posted(wallet), [])
      case .differs: return (.differs, [])
      case .tooMuch: return (.tooMuch, [])
      }
    }
  }

  /// Advances the accounts to the current time and sends keep-alive comments. The timer calls it.
  package func tick() { change(sendsKeepAlives: true) { accounts, now in ((), accounts.advance(to: now)) } }

  // MARK: Streams and dependents

  /// Opens a stream of a session.
  ///
  /// - Parameters:
  ///   - id: The session's id.
  ///   - lastEvent: The id of the last event that the client has. The stream begins with the later ones that are still
  ///     known, up to half of `Limits.unreadBytes`; of more, the newest.
  ///   - onBehind: Called when the stream is ended because its reader is too far behind.
  /// - Throws: A `Refusal` if the session is over or no more streams are allowed.
  package func open(
    _ id: String, after lastEvent: UInt64? = nil, onBehind: @escaping @Sendable () -> Void = {}
  ) throws(Refusal) -> EventStreamQueue {
    let now = clock()
    return try state.withLock { state throws(Refusal) in
      guard let session = state.accounts.session(id, at: now) else { throw .noSession }
      let missed = lastEvent.map { state.accounts.events(after: $0, of: session) } ?? []
      let queue = try state.streams.open(session, missed: missed, now: now, onBehind: onBehind) { [weak self] in
        self?.detach($0)
      }
      startTimer(&state)
      return queue
    }
  }

  /// Calls `onEnd` when a session ends, with nil for a logout. Returns a number for `detach(_:)`, or nil if it is over.
  package func attach(
    _ id: String, onLoss: @escaping @Sendable () -> Void = {}, onEnd: @escaping @Sendable (SessionEnd.Cause?) -> Void
  ) -> UInt64? {
    let now = clock()
    return state.withLock { state in
      guard state.accounts.session(id, at: now) != nil else { return nil }
      startTimer(&state)
      return state.streams.attach(id, onLoss: onLoss, onEnd: onEnd)
    }
  }

  /// Removes a stream or a dependent by its number.
  package func detach(_ number: UInt64) {
    state.withLock { state in
      state.streams.detach(number)
      stopTimerIfIdle(&state)
    }
  }

  /// Ends all streams and refuses new ones. Sessions continue.
  package func drain() {
    for queue in state.withLock({ $0.streams.drain() }) { queue.close() }
  }

  private func change<Result: Sendable>(
    sendsKeepAlives: Bool = false,
    _ body: (inout SimulatedAccounts, _ now: Int64) -> (Result, [SimulatedAccounts.News])
  ) -> Result {
    let now = clock()
    let (result, effects) = state.withLock { state in
      let (result, news) = body(&state.accounts, now)
      var effects = AccountStreams.Effects()
      for news in news { state.streams.publish(news, now, &effects) }
      if sendsKeepAlives { state.streams.keepAlive(now, &effects) }
      stopTimerIfIdle(&state)
      return (result, effects)
    }
    effects.perform()
    return result
  }

  private func startTimer(_ state: inout State) {
    guard state.timer == nil else { return }
    state.timer = RepeatingTimer(every: interval, on: ticks) { [weak self] in self?.tick() }
  }

  private func stopTimerIfIdle(_ state: inout State) {
    if state.streams.isEmpty { state.timer = nil }
  }
}
