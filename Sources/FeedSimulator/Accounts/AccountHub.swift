package import AccountModel
import Dispatch
import Platform

/// The accounts of a server, for all who ask: streams hear of what happens, and time runs while one of them, or anything else
/// that hangs on a session, is open.
package final class AccountHub: Sendable {
  /// What an open stream may take, and how often the hub looks.
  package struct Limits: Hashable, Sendable {
    /// The most streams at a time.
    package var streams = 1_000
    /// The most of them of one session, so that one user does not have all.
    package var streamsOfSession = 16
    /// The most bytes that wait for a stream's reader; one that is further behind is ended.
    package var unreadBytes = 1 << 16
    /// A stream of which nothing has come for so long tells that it lives, in milliseconds.
    package var keepAlive: Int64 = 15_000
    /// From one tick to the next, in nanoseconds.
    package var interval: UInt64 = 250_000_000

    package init() {}
  }

  /// Why there is no stream.
  package enum Refusal: Error, Hashable, Sendable {
    /// The session is over.
    case noSession
    /// As many are open as may be.
    case tooMany
  }

  /// What the server's figures tell.
  package struct Counts: Hashable, Sendable {
    package var sessions = 0
    package var streams = 0
    package var streamsBegun = 0
    /// Streams that were ended because their reader was too far behind.
    package var streamsBehind = 0
  }

  private let state: Locked<State>
  private let limits: Limits
  private let clock: @Sendable () -> Int64
  private let ticks = DispatchQueue(label: "toteboard.accounts")

  /// The clock tells milliseconds since 1970.
  package init(_ accounts: SimulatedAccounts, limits: Limits = Limits(), clock: @escaping @Sendable () -> Int64) {
    state = Locked(State(accounts: accounts))
    (self.limits, self.clock) = (limits, clock)
  }

  deinit {
    state.withLock { state in
      state.timer.take()?.cancel()
      for stream in state.streams.values { stream.queue?.end() }
    }
  }

  package var counts: Counts {
    let now = clock()
    return state.withLock { state in
      var counts = state.counts
      counts.sessions = state.accounts.openSessions(at: now).count
      counts.streams = state.streams.count
      return counts
    }
  }

  // MARK: Sessions

  /// From now on that user can log in; his account is made where it is not there.
  package func addPlayer(named name: String) { state.withLock { $0.accounts.addPlayer(named: name, now: clock()) } }

  /// Begins a session of a user who was added. Nil where too many are open.
  package func logIn(user: String) -> PlayerSession? {
    change { accounts, now in
      guard let id = accounts.playerID(named: user), let begun = accounts.logIn(id, now: now) else { return (nil, []) }
      return (begun.session, begun.news)
    }
  }

  package func session(_ id: String) -> PlayerSession? { state.withLock { $0.accounts.session(id, at: clock()) } }

  package var sessions: [PlayerSession] { state.withLock { $0.accounts.openSessions(at: clock()) } }

  package func wallet(of playerID: String) -> Wallet? { state.withLock { $0.accounts.wallet(of: playerID) } }

  /// Has a session last longer; nil where it is over.
  package func renew(_ id: String) -> PlayerSession? { change { ($0.renew(id, now: $1), []) } }

  package func logOut(_ id: String) { change { ((), $0.end(id, nil, now: $1)) } }

  /// Ends one session; false where it is over.
  @discardableResult
  package func end(_ id: String, _ cause: SessionEnd.Cause) -> Bool {
    change { accounts, now in
      let news = accounts.end(id, cause, now: now)
      return (!news.isEmpty, news)
    }
  }

  /// Ends all sessions of a user, or of everybody; how many they were.
  @discardableResult
  package func endAll(of user: String? = nil, _ cause: SessionEnd.Cause) -> Int {
    change { accounts, now in
      let ended = accounts.openSessions(at: now).filter { user == nil || $0.user == user }
      return (ended.count, ended.flatMap { accounts.end($0.id, cause, now: now) })
    }
  }

  /// What came of a posting.
  package enum Posted: Hashable, Sendable {
    case posted(Wallet)
    case unknown
    /// The user has less.
    case tooMuch
  }

  /// Credits a user's real money with hundredths, or debits it.
  @discardableResult
  package func post(_ hundredths: Int64, to user: String) -> Posted {
    change { accounts, now in
      guard let id = accounts.playerID(named: user) else { return (.unknown, []) }
      guard let news = accounts.post(hundredths, to: id) else { return (.tooMuch, []) }
      return (accounts.wallet(of: id).map { .posted($0) } ?? .unknown, [news])
    }
  }

  /// Lets time pass up to now; the timer calls it.
  package func tick() { change(tellsThatItLives: true) { accounts, now in ((), accounts.advance(to: now)) } }

  // MARK: What hangs on a session

  /// Opens a session's stream: what was missed since that event comes first, where it is known, and no more of it than half
  /// of what may wait. `onBehind` is called where
  /// the stream is ended because its reader is too far behind.
  package func open(
    _ id: String, after lastEvent: UInt64? = nil, onBehind: @escaping @Sendable () -> Void = {}
  ) throws(Refusal) -> EventStreamQueue {
    let now = clock()
    return try state.withLock { state throws(Refusal) in
      guard let session = state.accounts.session(id, at: now) else { throw .noSession }
      guard state.streams.count < limits.streams, !state.isDraining,
        state.streams.values.count(where: { $0.session.id == id }) < limits.streamsOfSession
      else { throw .tooMany }
      state.lastNumber += 1
      let number = state.lastNumber
      let queue = EventStreamQueue(bound: limits.unreadBytes) { [weak self] in self?.close(number) }
      state.streams[number] = Stream(queue: queue, session: session, lastTold: now, onBehind: onBehind)
      state.counts.streamsBegun += 1
      _ = queue.push(Array("retry: 200\n\n".utf8))
      if let lastEvent {
        for text in state.missed(by: session, since: lastEvent, most: limits.unreadBytes / 2) { _ = queue.push(text) }
      }
      run(&state)
      return queue
    }
  }

  /// Hears of a session's end; nil where it is over. What is returned keeps it so, and is given to `detach`.
  package func attach(_ id: String, onEnd: @escaping @Sendable (SessionEnd.Cause?) -> Void) -> UInt64? {
    let now = clock()
    return state.withLock { state in
      guard state.accounts.session(id, at: now) != nil else { return nil }
      state.lastNumber += 1
      state.dependents[state.lastNumber] = Dependent(sessionID: id, onEnd: onEnd)
      run(&state)
      return state.lastNumber
    }
  }

  package func detach(_ number: UInt64) {
    state.withLock { state in
      state.dependents[number] = nil
      rest(&state)
    }
  }

  /// Ends all streams, and opens none any more. Sessions stay.
  package func drain() {
    let queues = state.withLock { state in
      state.isDraining = true
      return state.streams.values.compactMap(\.queue)
    }
    for queue in queues { queue.close() }
  }

  private func change<Result: Sendable>(
    tellsThatItLives: Bool = false,
    _ body: (inout SimulatedAccounts, _ now: Int64) -> (Result, [SimulatedAccounts.News])
  ) -> Result {
    let now = clock()
    let (result, aftermath) = state.withLock { state in
      let (result, news) = body(&state.accounts, now)
      var aftermath = DeferredEffects()
      for news in news { state.tell(news, now, &aftermath) }
      if tellsThatItLives { state.keepAlive(after: limits.keepAlive, now, &aftermath) }
      rest(&state)
      return (result, aftermath)
    }
    for call in aftermath.calls { call() }
    return result
  }

  private func close(_ number: UInt64) {
    state.withLock { state in
      state.streams[number] = nil
      rest(&state)
    }
  }

  private func run(_ state: inout State) {
    guard state.timer == nil else { return }
    state.timer = ticks.timer(every: limits.interval) { [weak self] in self?.tick() }
  }

  private func rest(_ state: inout State) {
    if state.streams.isEmpty, state.dependents.isEmpty { state.timer.take()?.cancel() }
  }
}
