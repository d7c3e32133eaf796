import AccountModel
import FeedFanOut
import FeedServer
import FeedSimulator
import NIOCore
import Platform

/// The work of the book of the accounts. Everything here is called on its queue.
extension AccountBook {
  static let sessionPrefix = "session."
  static let playerPrefix = "player."

  /// The parts of a change to save before it is published.
  struct Saves {
    var sessions: [PlayerSession] = []
    /// The ids of the players.
    var players: [String] = []
  }

  /// Carries a request out. Returns nil if it is not answered.
  func perform(_ request: BookRequest) -> BookReply? {
    let now = options.clock()
    switch request {
    case .attempt(let user, let address):
      return state.withLock { $0.logins.attempt(of: user, from: address, now: now) }
    case .failed(let attempt):
      state.withLock { $0.logins.failed(attempt, now: now) }
      return nil
    case .takenBack(let attempt):
      state.withLock { $0.logins.takeBack(attempt, now: now) }
      return nil
    case .wallet(let player):
      return .wallet(state.withLock { $0.accounts.wallet(of: player) }.map { WalletRecord($0) })
    case .logIn(let user, let time):
      return change { accounts, saves in
        guard let id = Self.player(user, &accounts, &saves, now),
          let begun = accounts.logIn(id, timeToLive: time, now: now)
        else { return (.session(nil), []) }
        saves.sessions.append(begun.session)
        return (.session(begun.session), begun.news)
      }
    case .renew(let id, let time):
      return change { accounts, saves in
        guard let session = accounts.renew(id, timeToLive: time, now: now) else { return (.session(nil), []) }
        saves.sessions.append(session)
        return (.session(session), [])
      }
    case .end(let id, let cause):
      return change { accounts, _ in
        let news = accounts.end(id, cause.cause, now: now)
        return (.ended(news.isEmpty ? 0 : 1), news)
      }
    case .endAll(let user, let cause):
      return change { accounts, _ in
        let ended = accounts.openSessions(at: now).filter { user == nil || $0.user == user }
        return (.ended(ended.count), ended.flatMap { accounts.end($0.id, cause.cause, now: now) })
      }
    case .post(let user, let hundredths, let key):
      return change { accounts, saves in
        guard let id = Self.player(user, &accounts, &saves, now) else { return (.unknown, []) }
        switch accounts.post(hundredths, to: id, key: key) {
        case .posted(let wallet, let news):
          saves.players = [id]
          return (.posted(WalletRecord(wallet)), [news])
        case .repeated(let wallet): return (.posted(WalletRecord(wallet)), [])
        case .differs: return (.differs, [])
        case .tooMuch: return (.tooMuch, [])
        }
      }
    }
  }

  /// Returns the id of a user's player. A new one is saved, so that it has the same id after a takeover.
  private static func player(
    _ user: String, _ accounts: inout SimulatedAccounts, _ saves: inout Saves, _ now: Int64
  ) -> String? {
    let known = accounts.playerID(named: user)
    accounts.addPlayer(named: user, now: now)
    let id = accounts.playerID(named: user)
    if known == nil, let id { saves.players = [id] }
    return id
  }

  /// Ends expired sessions, lets players bet, and saves some of them.
  func tick() {
    guard isActive else { return }
    let now = options.clock()
    _ = change { accounts, _ in (.unknown, accounts.advance(to: now)) }
    if isActive { savePlayers() }
  }

  /// Changes the accounts, saves the changed players and sessions, and publishes the changes. If they cannot be saved,
  /// loads the accounts again.
  private func change(
    _ body: (inout SimulatedAccounts, inout Saves) -> (BookReply, [SimulatedAccounts.News])
  ) -> BookReply {
    var saves = Saves()
    let (reply, news) = state.withLock { body(&$0.accounts, &saves) }
    do throws(NATSError) {
      for player in saves.players { try save(player) }
      for session in saves.sessions { try put(session, for: Self.sessionPrefix + session.id) }
      for case .ended(let session, _) in news { try store.remove(Self.sessionPrefix + session.id) }
    } catch {
      reload(after: error)
      return .unavailable
    }
    state.withLock { state in
      for session in saves.sessions { state.outbox.add(session) }
      state.outbox.add(news)
      for case .event(_, let player) in news where state.unsavedSet.insert(player).inserted {
        state.unsaved.append(player)
      }
    }
    return reply
  }

  /// Saves the wallets that have waited longest.
  func savePlayers() {
    let players = state.withLock { state in
      let players = Array(state.unsaved.prefix(options.savesPerInterval))
      state.unsaved.removeFirst(players.count)
      state.unsavedSet.subtract(players)
      return players
    }
    do throws(NATSError) { for player in players { try save(player) } } catch { reload(after: error) }
  }

  private func save(_ player: String) throws(NATSError) {
    if let saved = state.withLock({ $0.accounts.saved(player) }) { try put(saved, for: Self.playerPrefix + player) }
  }

  private func put(_ value: some Encodable, for key: String) throws(NATSError) {
    try store.put(ByteBuffer(bytes: AccountJSON.encode(value)), for: key)
  }
}

/// Counts the failed logins at all gateways.
struct LoginCounter: Sendable {
  /// The maximum number of attempts whose outcome is awaited.
  static let maxAttempts = 4096

  private var limit: LoginLimit
  private var attempts: [UInt64: LoginLimit.Attempt] = [:]
  /// The number of the last attempt. NB: Begins at a random number, so that a number of another term is not known in
  /// this one.
  private var last = UInt64.random(in: UInt64(maxAttempts)...1 << 62)

  init(rates: LoginLimit.Rates) { limit = LoginLimit(rates: rates) }

  mutating func attempt(of user: String, from address: String, now: Int64) -> BookReply {
    switch limit.attempt(of: user, from: address, now: now) {
    case .refused(let wait): return .refused(wait: wait)
    case .attempt(let attempt):
      last += 1
      attempts[last] = attempt
      // The outcome of the oldest attempt counts as a failure at its address.
      attempts[last - UInt64(Self.maxAttempts)] = nil
      return .counted(attempt: last, delay: attempt.delay)
    }
  }

  /// Has no effect if the number is not known.
  mutating func failed(_ number: UInt64, now: Int64) {
    if let attempt = attempts.removeValue(forKey: number) { limit.failed(attempt, now: now) }
  }

  mutating func takeBack(_ number: UInt64, now: Int64) {
    if let attempt = attempts.removeValue(forKey: number) { limit.takeBack(attempt, now: now) }
  }
}
