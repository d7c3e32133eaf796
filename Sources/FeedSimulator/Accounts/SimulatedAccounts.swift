package import AccountModel

/// The accounts and sessions of simulated players. The balance of a player changes while the player is logged in.
///
/// A value type: its owner advances the time. Times are in milliseconds since 1970.
package struct SimulatedAccounts: Sendable {
  /// A change to publish.
  package enum News: Hashable, Sendable {
    case event(AccountEvent, playerID: String)
    /// A session ended; its last event, if it has one, precedes this. The cause is nil for a logout.
    case ended(PlayerSession, SessionEnd.Cause?)
  }

  /// The maximum number of sessions of a player. Another login ends the oldest session.
  static let maxSessionsOfPlayer = 8
  /// The default mean time between two postings of a player who is logged in, in milliseconds.
  package static let usualPace: Int64 = 3_000
  /// The maximum number of turns played at once to catch up.
  private static let maxPostings = 16

  private let pace: Int64
  private let timeToLive: Int64
  private let maxSessions: Int
  var random: SeededGenerator
  private var players: [String: SimulatedPlayer] = [:]
  private var idsByName: [String: String] = [:]
  private var namesByID: [String: String] = [:]
  private var sessions: [String: PlayerSession] = [:]

  /// Creates accounts without players. The same seed gives the same postings and ids.
  ///
  /// - Parameters:
  ///   - timeToLive: The lifetime of a session, counted from its login or last renewal, in milliseconds.
  ///   - pace: The mean time between two postings of a player, in milliseconds; at least 2.
  ///   - maxSessions: The maximum number of open sessions of all players.
  package init(seed: UInt64, timeToLive: Int64, pace: Int64 = usualPace, maxSessions: Int = 10_000) {
    random = SeededGenerator(seed: seed)
    self.timeToLive = timeToLive
    self.pace = max(pace, 2)
    self.maxSessions = maxSessions
  }

  // MARK: Players

  /// Adds a player with a login name, unless there already is one. The player's event ids start after `now`, so that
  /// they do not repeat those of an earlier run.
  package mutating func addPlayer(named name: String, now: Int64) {
    if idsByName[name] != nil { return }
    var id: String
    var index = players.count
    repeat {
      id = String(4_000_000 + 7_919 * index + random.index(below: 7_919))
      index += 1
    } while players[id] != nil
    insert(SimulatedPlayer(id: id, firstEvent: UInt64(max(0, now)), &random), named: name)
  }

  private mutating func insert(_ player: SimulatedPlayer, named name: String) {
    idsByName[name] = player.id
    namesByID[player.id] = name
    players[player.id] = player
  }

  package func playerID(named name: String) -> String? { idsByName[name] }

  package func wallet(of playerID: String) -> Wallet? { players[playerID]?.wallet }

  /// The result of a posting, with the wallet after it.
  package enum Posting: Hashable, Sendable {
    case posted(Wallet, News)
    /// The posting with that key was done before.
    case repeated(Wallet)
    /// The posting with that key was done before with another amount.
    case differs
    /// The balance is too low, or the player is unknown.
    case tooMuch
  }

  /// Credits an amount to a player's real money, or debits it if negative. The amount is in hundredths.
  ///
  /// - Parameter key: The idempotency key of the client. A posting is done once for each key of a player; the latest 32
  ///   of them are remembered.
  package mutating func post(_ hundredths: Int64, to playerID: String, key: String? = nil) -> Posting {
    if let key, let player = players[playerID], let known = player.postings.first(where: { $0.key == key }) {
      return known.hundredths == hundredths ? .repeated(player.wallet) : .differs
    }
    guard let event = players[playerID]?.adjust(by: hundredths, &random) else { return .tooMuch }
    if let key { players[playerID]!.remember(KeyedPosting(key: key, hundredths: hundredths)) }
    return .posted(players[playerID]!.wallet, .event(event, playerID: playerID))
  }

  // MARK: Sessions

  /// Returns the open sessions, by login time. Expired sessions are left out even if their end is not published yet.
  package func openSessions(at now: Int64) -> [PlayerSession] {
    sessions.values.filter { now < $0.expiresAt }.sorted { ($0.loginTime, $0.id) < ($1.loginTime, $1.id) }
  }

  package func session(_ id: String, at now: Int64) -> PlayerSession? {
    sessions[id].flatMap { now < $0.expiresAt ? $0 : nil }
  }

  /// Begins a session. May end the player's oldest one. Returns nil if the player is unknown or too many are open.
  ///
  /// - Parameter timeToLive: The lifetime of the session in milliseconds, if it differs from that of the others.
  package mutating func logIn(
    _ playerID: String, timeToLive: Int64? = nil, now: Int64
  ) -> (session: PlayerSession, news: [News])? {
    guard let user = namesByID[playerID], openSessions(at: now).count < maxSessions else { return nil }
    var news = expire(now)
    let own = openSessions(at: now).filter { $0.playerID == playerID }
    if own.count >= Self.maxSessionsOfPlayer { news += end(own[0].id, .terminated, now: now) }
    let session = PlayerSession(
      id: String(random.next(), radix: 16), playerID: playerID, user: user, loginTime: now,
      expiresAt: now + (timeToLive ?? self.timeToLive))
    sessions[session.id] = session
    if own.isEmpty { players[playerID]!.schedule(from: now, pace: pace, &random) }
    return (session, news)
  }

  /// Extends a session by its full lifetime, counted from `now`. Returns nil if it is over.
  package mutating func renew(_ id: String, timeToLive: Int64? = nil, now: Int64) -> PlayerSession? {
    guard session(id, at: now) != nil else { return nil }
    sessions[id]!.expiresAt = now + (timeToLive ?? self.timeToLive)
    return sessions[id]
  }

  /// Ends a session. A nil cause is a logout, which has no event.
  package mutating func end(_ id: String, _ cause: SessionEnd.Cause?, now: Int64) -> [News] {
    guard let session = sessions.removeValue(forKey: id) else { return [] }
    guard let cause else { return [.ended(session, nil)] }
    let message = AccountMessage.sessionEnd(
      SessionEnd(
        cause, userID: session.playerID, sessionID: id, loginTime: session.loginTime, logoutTime: now,
        sourceName: cause == .kicked ? "operator" : "session-service"))
    let event = players[session.playerID]!.log.append(message.json(isV2: random.chance(0.5)), to: id)
    return [.event(event, playerID: session.playerID), .ended(session, cause)]
  }

  // MARK: Time

  /// Advances to a time: sessions expire, and players who are logged in bet and win.
  package mutating func advance(to now: Int64) -> [News] {
    var news = expire(now)
    for id in Set(sessions.values.map(\.playerID)).sorted() {
      for event in players[id]!.play(to: now, pace: pace, most: Self.maxPostings, &random) {
        news.append(.event(event, playerID: id))
      }
    }
    return news
  }

  /// Ends the sessions that have expired.
  private mutating func expire(_ now: Int64) -> [News] {
    let over = sessions.values.filter { $0.expiresAt <= now }.sorted { $0.id < $1.id }
    return over.flatMap { end($0.id, .expired, now: now) }
  }

  /// The latest events of a player; nil if the player is unknown.
  package func log(of playerID: String) -> AccountEventLog? { players[playerID]?.log }

  // MARK: Saving

  /// The state of a player to save; nil if the player is unknown.
  package func saved(_ playerID: String) -> SavedPlayer? {
    players[playerID].flatMap { player in namesByID[playerID].map { SavedPlayer(player, user: $0) } }
  }

  /// Restores a player, unless the id or the name is known. The event log begins anew, with greater ids.
  package mutating func restore(_ saved: SavedPlayer, now: Int64) {
    guard players[saved.id] == nil, idsByName[saved.user] == nil else { return }
    insert(SimulatedPlayer(saved, now: now, &random), named: saved.user)
  }

  /// Restores a session of a known player.
  package mutating func restore(_ session: PlayerSession, now: Int64) {
    guard namesByID[session.playerID] == session.user else { return }
    sessions[session.id] = session
    players[session.playerID]!.schedule(from: now, pace: pace, &random)
  }

  /// Returns the events of a session's streams after event `id`, or none if not all of them are kept.
  package func events(after id: UInt64, of session: PlayerSession) -> [AccountEvent] {
    players[session.playerID]?.log.events(after: id, of: session.id) ?? []
  }
}
