import AccountModel
import Dispatch
import FeedFanOut
import FeedServer
import FeedSimulator
import Logging
import NIOCore
import Platform

/// The streams and dependents of sessions at a gateway.
extension ClusterAccounts {
  func open(
    _ id: String, after lastEvent: UInt64?, onBehind: @escaping @Sendable () -> Void
  ) async throws(AccountHub.Refusal) -> EventStreamQueue {
    let playerID = try state.withLock { state throws(AccountHub.Refusal) in
      let session = try openSession(id, state)
      try state.streams.check(session)
      return session.playerID
    }
    let number = await follow(playerID)
    defer { state.withLock { if $0.players[playerID]?.number == number { $0.players[playerID]!.users -= 1 } } }
    let now = options.clock()
    return try state.withLock { state throws(AccountHub.Refusal) in
      let session = try openSession(id, state)
      guard let log = state.players[playerID]?.log else { throw .unavailable }
      let missed = lastEvent.map { log.events(after: $0, of: id) } ?? []
      return try state.streams.open(session, missed: missed, now: now, onBehind: onBehind) { [weak self] in
        self?.detach($0)
      }
    }
  }

  private func openSession(_ id: String, _ state: borrowing State) throws(AccountHub.Refusal) -> PlayerSession {
    // The session was open when its token was checked, so one that is not known is over.
    switch state.replica.status(of: id, issuedAt: 0, now: options.clock()) {
    case .open(let session): return session
    case .over: throw .noSession
    case .unknown: throw .unavailable
    }
  }

  func attach(
    _ id: String, onLoss: @escaping @Sendable () -> Void, onEnd: @escaping @Sendable (SessionEnd.Cause?) -> Void
  ) -> UInt64? {
    state.withLock { state in
      guard (try? openSession(id, state)) != nil else { return nil }
      return state.streams.attach(id, onLoss: onLoss, onEnd: onEnd)
    }
  }

  func detach(_ number: UInt64) { state.withLock { $0.streams.detach(number) } }

  func drain() { for queue in state.withLock({ $0.streams.drain() }) { queue.close() } }

  // MARK: The topics of players

  /// Counts a user of a player's topic, and opens it unless it is open. Returns the number of the player once the topic
  /// is open or could not be opened.
  private func follow(_ playerID: String) async -> UInt64 {
    let (number, isNew) = state.withLock { state in
      let isNew = state.players[playerID] == nil
      if isNew { state.players[playerID] = Player(number: state.nextNumber()) }
      state.players[playerID]!.users += 1
      return (state.players[playerID]!.number, isNew)
    }
    if isNew { queue.async { [weak self] in self?.openTopic(of: playerID, number) } }
    await withCheckedContinuation { continuation in
      let isOpening = state.withLock { state in
        guard let player = state.players[playerID], player.number == number, player.log == nil else { return false }
        state.players[playerID]!.opening.append(continuation)
        return true
      }
      if !isOpening { continuation.resume() }
    }
    return number
  }

  /// Called on the queue.
  private func openTopic(of playerID: String, _ number: UInt64) {
    guard state.withLock({ $0.players[playerID]?.number == number }) else { return }
    let sink = TopicSink { [weak self] _, payload in
      guard let log = AccountJSON.decode(PlayerDump.self, from: payload)?.log else {
        self?.logger.error("a dump of a player's events is malformed", metadata: ["player": "\(playerID)"])
        self?.handlePlayerLoss(playerID, number)
        return
      }
      self?.change { $0.restart(playerID, number, log, &$1, now: $2) }
    } append: { [weak self] messages, _ in
      let events = messages.map { AccountJSON.decode(EventRecord.self, from: $0)?.event }
      self?.change { $0.append(events, to: playerID, number, &$1, now: $2) }
    }
    // It may still be open for those who had it before.
    subscriber.close(AccountTopics.player(playerID))
    subscriber.open(AccountTopics.player(playerID), sink: sink) { [weak self] error in
      guard let self else { return }
      let opening: [CheckedContinuation<Void, Never>] = state.withLock { state in
        guard state.players[playerID]?.number == number else { return [] }
        let opening = state.players[playerID]!.opening
        state.players[playerID]!.opening = []
        // NB: The subscriber has closed the topic.
        if error != nil { state.players[playerID] = nil }
        return opening
      }
      for continuation in opening { continuation.resume() }
    }
  }

  /// Closes the topics of players who have no stream here any more. Called on the queue.
  func closeUnusedTopics() {
    let unused: [String] = state.withLock { state in
      if state.players.isEmpty { return [] }
      let used = state.streams.playerIDs
      let unused = state.players.filter { $0.value.users == 0 && !used.contains($0.key) }.map(\.key)
      for player in unused { state.players[player] = nil }
      return unused
    }
    for player in unused { subscriber.close(AccountTopics.player(player)) }
  }

  /// Changes the state at the current time and performs the effects.
  func change(_ body: (inout State, inout AccountStreams.Effects, _ now: Int64) -> Void) {
    let now = options.clock()
    let (effects, waiters) = state.withLock { state in
      var effects = AccountStreams.Effects()
      body(&state, &effects, now)
      let isCurrent = state.replica.isCurrent
      let ready = state.waiters.filter { !isCurrent || $0.value.isMet(state.replica) }
      for number in ready.keys { state.waiters[number] = nil }
      return (effects, ready.values.map(\.continuation))
    }
    effects.perform()
    for waiter in waiters { waiter.resume() }
  }
}

extension ClusterAccounts.State {
  /// Goes on with the events of a dump. Ends the player's streams if events are missing before it, as after a takeover:
  /// the clients open them again and fetch the wallet.
  mutating func restart(
    _ playerID: String, _ number: UInt64, _ new: AccountEventLog, _ effects: inout AccountStreams.Effects, now: Int64
  ) {
    guard var player = players[playerID], player.number == number else { return }
    if let old = player.log, new.lastID != old.lastID {
      let missed = new.events.filter { $0.id > old.lastID }
      if missed.first?.id == old.lastID + 1 {
        for event in missed { streams.publish(.event(event, playerID: playerID), now, &effects) }
      } else {
        streams.end(&effects) { $0.playerID == playerID }
      }
    }
    player.log = new
    players[playerID] = player
  }

  /// Delivers the events that are new. Nil stands for a message that is no event.
  mutating func append(
    _ events: [AccountEvent?], to playerID: String, _ number: UInt64, _ effects: inout AccountStreams.Effects,
    now: Int64
  ) {
    guard var player = players[playerID], player.number == number, var log = player.log else { return }
    for case let event? in events where event.id > log.lastID {
      if event.id != log.lastID + 1 {
        streams.end(&effects) { $0.playerID == playerID }
        log = AccountEventLog(after: event.id - 1)
      }
      log.append(event)
      streams.publish(.event(event, playerID: playerID), now, &effects)
    }
    player.log = log
    players[playerID] = player
  }
}

extension PlayerDump {
  /// The log with the events; nil if the dump is not valid.
  var log: AccountEventLog? {
    let events = events.compactMap(\.event)
    guard 0...UInt64(1) << 53 ~= last, events.count == self.events.count else { return nil }
    var log = AccountEventLog(after: events.first.map { $0.id - 1 } ?? last)
    for event in events {
      guard event.id == log.lastID + 1 else { return nil }
      log.append(event)
    }
    return log.lastID == last ? log : nil
  }
}
