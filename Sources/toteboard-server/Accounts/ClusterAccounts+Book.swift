import Dispatch
import FeedFanOut
import FeedSimulator
import Logging
import NIOCore
import OddsModel
import Platform

/// The events of the book of the accounts that a gateway receives.
extension ClusterAccounts {
  func receive(_ event: BookSubscriber.Event) {
    switch event {
    case .announcement, .book(.replaced): break
    case .book(.found):
      state.withLock { $0.isHeard = true }
      queue.async { [weak self] in self?.openSessions() }
    case .book(.lost):
      logger.error("no book of the accounts is heard: account streams end, and no login token is accepted until one is")
      state.withLock { $0.isHeard = false }
      handleSessionLoss()
    case .book(.late):
      logger.error("messages of accounts are late: account streams end, and no login token is accepted meanwhile")
      state.withLock { $0.isHeard = false }
      handleSessionLoss()
    case .dropped(let topic, let count):
      logger.warning(
        "NATS dropped messages of accounts, because this process was too slow",
        metadata: ["topic": "\(topic)", "count": "\(count)"])
    case .lost(let topic):
      logger.warning("a topic of accounts was lost", metadata: ["topic": "\(topic)"])
      if let player = AccountTopics.player(of: topic) { handlePlayerLoss(player) } else { handleSessionLoss() }
    }
  }

  /// Called on the queue.
  func tick() {
    openSessions()
    change { $0.streams.keepAlive($2, &$1) }
    closeUnusedTopics()
  }

  // MARK: The topic of the sessions

  /// Opens the topic of the sessions, if a book is heard and it is not open. Called on the queue.
  private func openSessions() {
    let number: UInt64? = state.withLock { state in
      if !state.isHeard || state.isOpen { return nil }
      state.isOpen = true
      state.sessionsNumber += 1
      return state.sessionsNumber
    }
    guard let number else { return }
    let sink = TopicSink { [weak self] _, payload in
      guard let self else { return }
      let dump = AccountJSON.decode(SessionDump.self, from: payload)
      let wasMalformed = state.withLock { state in
        defer { state.isMalformed = dump == nil }
        return state.isMalformed
      }
      if let dump { return change { $0.restart(number, dump, &$1, now: $2) } }
      if !wasMalformed { logger.error("a dump of the sessions is malformed: asking for others") }
      handleSessionLoss(number)
    } append: { [weak self] messages, _ in
      let changes = messages.map { AccountJSON.decode(SessionChange.self, from: $0) }
      self?.change { $0.append(changes, number, &$1, now: $2) }
    }
    // It may still be open: one that was lost is closed on this queue later.
    subscriber.close(AccountTopics.sessions)
    subscriber.open(AccountTopics.sessions, sink: sink) { [weak self] error in
      // The next tick tries again.
      if error != nil { self?.state.withLock { if $0.sessionsNumber == number { $0.isOpen = false } } }
    }
  }

  /// Ends all streams and dependents, because it is not known which sessions are open. The next tick opens the topic of
  /// the sessions again.
  ///
  /// - Parameter number: The opening of the topic that is lost; nil for any. Has no effect if there was another one
  ///   since.
  private func handleSessionLoss(_ number: UInt64? = nil) {
    let lost: [String: Player]? = state.withLock { state in
      if let number, state.sessionsNumber != number { return nil }
      defer { state.players = [:] }
      state.isOpen = false
      state.sessionsNumber += 1
      return state.players
    }
    guard let players = lost else { return }
    change { state, effects, _ in
      state.replica.markUnknown()
      state.streams.endAll(&effects)
    }
    for player in players.values { for continuation in player.opening { continuation.resume() } }
    queue.async { [state, subscriber] in
      if state.withLock({ !$0.isOpen }) { subscriber.close(AccountTopics.sessions) }
      for id in players.keys where state.withLock({ $0.players[id] == nil }) {
        subscriber.close(AccountTopics.player(id))
      }
    }
  }

  /// Ends the streams of a player whose events cannot be had. The next stream opens the topic again.
  ///
  /// - Parameter number: The opening of the topic that is lost; nil for any. Has no effect if there was another one
  ///   since.
  func handlePlayerLoss(_ playerID: String, _ number: UInt64? = nil) {
    let player: Player? = state.withLock { state in
      if let number, state.players[playerID]?.number != number { return nil }
      return state.players.removeValue(forKey: playerID)
    }
    if number != nil, player == nil { return }
    change { state, effects, _ in state.streams.end(&effects) { $0.playerID == playerID } }
    for continuation in player?.opening ?? [] { continuation.resume() }
    queue.async { [state, subscriber] in
      if state.withLock({ $0.players[playerID] == nil }) { subscriber.close(AccountTopics.player(playerID)) }
    }
  }
}

extension ClusterAccounts.State {
  /// Replaces the copy of the sessions by a dump.
  mutating func restart(
    _ number: UInt64, _ dump: SessionDump, _ effects: inout AccountStreams.Effects, now: Int64
  ) {
    guard number == sessionsNumber else { return }
    for (session, end) in replica.apply(dump) { publish(session, end, &effects, now) }
  }

  /// Applies changes. Nil stands for a message that is no change.
  mutating func append(
    _ changes: [SessionChange?], _ number: UInt64, _ effects: inout AccountStreams.Effects, now: Int64
  ) {
    guard number == sessionsNumber, replica.isCurrent else { return }
    for case let change? in changes {
      if let (session, end) = replica.apply(change) { publish(session, end, &effects, now) }
    }
  }

  /// Ends the streams and dependents of a session, after its last event.
  private mutating func publish(
    _ session: PlayerSession, _ end: EndedSession, _ effects: inout AccountStreams.Effects, _ now: Int64
  ) {
    // The topic of the player has the event too, and may be ahead.
    if let event = end.event?.event, event.session == session.id,
      event.id > players[session.playerID]?.log?.lastID ?? 0
    {
      streams.publish(.event(event, playerID: session.playerID), now, &effects)
    }
    streams.publish(.ended(session, end.cause.cause), now, &effects)
  }
}
