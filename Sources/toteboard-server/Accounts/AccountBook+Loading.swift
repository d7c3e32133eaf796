import Dispatch
import FeedFanOut
import FeedSimulator
import Logging
import NIOCore
import Platform

/// The accounts as NATS has them. Everything here is called on the queue of the accounts.
extension AccountBook {
  /// Loads the accounts from NATS, and begins to answer and publish if that is the first time in the term. Tries again
  /// while the term lasts. Called on the queue.
  func load(_ identity: BookIdentity, isFirst: Bool) {
    guard state.withLock({ $0.term?.identity == identity }) else { return }
    do throws(NATSError) {
      let entries = try store.load(identity)
      let now = options.clock()
      let accounts = Self.restored(entries, options, now: now)
      let isBegun = state.withLock { state in
        guard let term = state.term, term.identity == identity else { return false }
        let sessions = accounts.openSessions(at: .min)
        if isFirst { state.outbox = AccountOutbox(sessions: sessions) } else { state.outbox.replace(with: sessions) }
        state.accounts = accounts
        state.isLoaded = true
        state.error = nil
        // NB: Under the lock, so that `deactivate` comes after it.
        if isFirst { publisher.activate(identity, until: term.end) }
        return isFirst
      }
      if isBegun { start(identity) }
    } catch {
      report(error)
      queue.asyncAfter(deadline: .now() + Self.delay(after: error)) { [weak self] in
        self?.load(identity, isFirst: isFirst)
      }
    }
  }

  /// Returns the delay before the next attempt to load. It is longer after too many entries, because each attempt reads
  /// as many as the limit.
  static func delay(after error: NATSError) -> DispatchTimeInterval {
    error.code == .tooManyEntries ? .seconds(30) : .milliseconds(250)
  }

  /// Loads the accounts again after a write that failed: the bucket has the truth. Called on the queue.
  func reload(after error: NATSError) {
    report(error)
    let identity = state.withLock { state in
      state.isLoaded = false
      return state.term?.identity
    }
    if let identity { queue.async { self.load(identity, isFirst: false) } }
  }

  private func report(_ error: NATSError) {
    let isNew = state.withLock { state in
      defer { state.error = error }
      return state.error != error
    }
    if isNew {
      logger.warning("the accounts cannot be loaded or saved: trying again", metadata: ["error": "\(error)"])
    }
  }

  private static func restored(
    _ entries: [(key: String, value: ByteBuffer)], _ options: Options, now: Int64
  ) -> SimulatedAccounts {
    var accounts = empty(options)
    func values<Value: Decodable>(_ prefix: String) -> [Value] {
      entries.filter { $0.key.hasPrefix(prefix) }.compactMap { AccountJSON.decode(Value.self, from: $0.value) }
    }
    let players: [SavedPlayer] = values(playerPrefix)
    for player in players where player.isValid { accounts.restore(player, now: now) }
    let sessions: [PlayerSession] = values(sessionPrefix)
    for session in sessions where session.isValid { accounts.restore(session, now: now) }
    return accounts
  }
}
