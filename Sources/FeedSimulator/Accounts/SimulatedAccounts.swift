package import AccountModel

/// The accounts of some players: who is logged in, and what each has, which changes while he is. A value; whoever holds it
/// decides when time passes. Times are in milliseconds since 1970.
package struct SimulatedAccounts: Sendable {
  /// What has happened, for whoever listens.
  package enum News: Hashable, Sendable {
    case event(AccountEvent, playerID: String)
    /// A session is over; its last event, where it has one, came before. Nil is a logout.
    case ended(PlayerSession, SessionEnd.Cause?)
  }

  /// A session more ends the oldest of the player.
  static let mostSessionsOfPlayer = 8
  /// How often a player posts something, in milliseconds: on the average, while he is logged in.
  package static let usualPace: Int64 = 3_000
  /// What was missed is made up for by so many postings at most.
  private static let mostPostings = 16

  private let pace: Int64
  private let timeToLive: Int64
  private let mostSessions: Int
  var random: SeededGenerator
  private var players: [String: SimulatedPlayer] = [:]
  private var idsByName: [String: String] = [:]
  private var sessions: [String: PlayerSession] = [:]

  /// Accounts without players. The same seed gives the same postings and ids.
  /// - Parameters:
  ///   - timeToLive: How long a session lasts from its login or renewal, in milliseconds.
  ///   - pace: From one posting of a player to the next, in milliseconds, on the average.
  ///   - mostSessions: Of all players together.
  package init(seed: UInt64, timeToLive: Int64, pace: Int64 = usualPace, mostSessions: Int = 10_000) {
    random = SeededGenerator(seed: seed)
    (self.timeToLive, self.pace, self.mostSessions) = (timeToLive, max(pace, 2), mostSessions)
  }

  // MARK: Players

  /// Adds a player who logs in with that name; nothing where he is there. His events are numbered from `now` on, so that
  /// none has an id of an earlier run.
  package mutating func addPlayer(named name: String, now: Int64) {
    if idsByName[name] != nil { return }
    let id = String(4_000_000 + 7_919 * players.count + random.index(below: 7_919))
    idsByName[name] = id
    players[id] = SimulatedPlayer(id: id, firstEvent: UInt64(max(0, now)), &random)
  }

  package func playerID(named name: String) -> String? { idsByName[name] }

  /// What a player has; nil where there is none of that id.
  package func wallet(of playerID: String) -> Wallet? { players[playerID]?.wallet }

  /// Credits a player's real money with hundredths, or debits it. Nil where he has less.
  package mutating func post(_ hundredths: Int64, to playerID: String) -> News? {
    players[playerID]?.adjust(by: hundredths, &random).map { .event($0, playerID: playerID) }
  }

  // MARK: Sessions

  /// Sessions by login time, those that are over without an end told not among them.
  package func openSessions(at now: Int64) -> [PlayerSession] {
    sessions.values.filter { now < $0.expiresAt }.sorted { ($0.loginTime, $0.id) < ($1.loginTime, $1.id) }
  }

  /// Nil where there is none of that id, or it is over.
  package func session(_ id: String, at now: Int64) -> PlayerSession? {
    sessions[id].flatMap { now < $0.expiresAt ? $0 : nil }
  }

  /// Begins a session; the oldest of a player who has too many ends. Nil where there is no such player, or too many
  /// sessions are open.
  package mutating func logIn(_ playerID: String, now: Int64) -> (session: PlayerSession, news: [News])? {
    guard players[playerID] != nil, openSessions(at: now).count < mostSessions else { return nil }
    var news = expire(now)
    let own = openSessions(at: now).filter { $0.playerID == playerID }
    if own.count >= Self.mostSessionsOfPlayer { news += end(own[0].id, .terminated, now: now) }
    let session = PlayerSession(
      id: String(random.next(), radix: 16), playerID: playerID, user: idsByName.first { $0.value == playerID }!.key,
      loginTime: now, expiresAt: now + timeToLive)
    sessions[session.id] = session
    if own.isEmpty { players[playerID]!.schedule(from: now, pace: pace, &random) }
    return (session, news)
  }

  /// Has a session last longer. Nil where it is over.
  package mutating func renew(_ id: String, now: Int64) -> PlayerSession? {
    guard session(id, at: now) != nil else { return nil }
    sessions[id]!.expiresAt = now + timeToLive
    return sessions[id]
  }

  /// Ends a session; nil is a logout, of which no event tells.
  package mutating func end(_ id: String, _ cause: SessionEnd.Cause?, now: Int64) -> [News] {
    guard let session = sessions.removeValue(forKey: id) else { return [] }
    guard let cause else { return [.ended(session, nil)] }
    let message = AccountMessage.sessionEnd(
      SessionEnd(
        cause, userID: session.playerID, sessionID: id, loginTime: session.loginTime, logoutTime: now,
        sourceName: cause == .kicked ? "operator" : "session-service"))
    let event = players[session.playerID]!.tell(message.json(isV2: random.chance(0.5)), to: id)
    return [.event(event, playerID: session.playerID), .ended(session, cause)]
  }

  // MARK: Time

  /// Lets time pass: sessions expire, and the players that are logged in bet and win.
  package mutating func advance(to now: Int64) -> [News] {
    var news = expire(now)
    for id in Set(sessions.values.map(\.playerID)).sorted() {
      for event in players[id]!.play(to: now, pace: pace, most: Self.mostPostings, &random) {
        news.append(.event(event, playerID: id))
      }
    }
    return news
  }

  /// Ends the sessions whose time is up.
  private mutating func expire(_ now: Int64) -> [News] {
    let over = sessions.values.filter { $0.expiresAt <= now }.sorted { $0.id < $1.id }
    return over.flatMap { end($0.id, .expired, now: now) }
  }

  /// What a session's streams have missed since that event; nothing where it is not known.
  package func events(after id: UInt64, of session: PlayerSession) -> [AccountEvent] {
    players[session.playerID]?.log.events(after: id, of: session.id) ?? []
  }
}
