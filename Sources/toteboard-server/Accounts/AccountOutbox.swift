import AccountModel
import FeedFanOut
import FeedSimulator
import OddsModel

/// The messages that a book publishes about its accounts: the open sessions, and the events of players whose topic is
/// open.
///
/// A dump has the changes that were drained so far, and none of later messages.
struct AccountOutbox: Sendable {
  /// The number of ended sessions in a dump.
  static let maxEnded = 256

  private var sessions: [String: PlayerSession] = [:]
  private var ended: [EndedSession] = []
  private var changes: [SessionChange] = []
  private var events: [Topic: [EventRecord]] = [:]
  private var openPlayers: Set<String> = []
  /// The players whose topics have ended since the last `drain`.
  private var lostPlayers: Set<String> = []

  /// Begins with these sessions. No topic is open.
  init(sessions: [PlayerSession] = []) {
    self.sessions = Dictionary(sessions.map { ($0.id, $0) }) { $1 }
  }

  mutating func open(player id: String) { openPlayers.insert(id) }

  mutating func close(player id: String) {
    openPlayers.remove(id)
    lostPlayers.remove(id)
    events[AccountTopics.player(id)] = nil
  }

  mutating func add(_ session: PlayerSession) { changes.append(.open(session)) }

  mutating func add(_ news: [SimulatedAccounts.News]) {
    var lastEvents: [String: EventRecord] = [:]
    for news in news {
      switch news {
      case .event(let event, let playerID):
        let record = EventRecord(event)
        if let session = event.session { lastEvents[session] = record }
        if openPlayers.contains(playerID) { events[AccountTopics.player(playerID), default: []].append(record) }
      case .ended(let session, let cause):
        changes.append(.ended(EndedSession(id: session.id, cause: EndCause(cause), event: lastEvents[session.id])))
      }
    }
  }

  /// Publishes the difference to these sessions. Ends the topics of players: events that were published may never have
  /// happened, so clients must fetch the wallet again.
  mutating func replace(with new: [PlayerSession]) {
    var published = self
    published.apply(changes)
    var gone = published.sessions
    for session in new where gone.removeValue(forKey: session.id) != session { add(session) }
    for id in gone.keys.sorted() { changes.append(.ended(EndedSession(id: id, cause: .logout, event: nil))) }
    lostPlayers.formUnion(openPlayers)
    openPlayers = []
    events = [:]
  }

  /// Returns the topics that have ended and the messages since the last call. A topic that has ended is closed.
  mutating func drain() -> [BookOrigin.News] {
    apply(changes)
    var news = lostPlayers.sorted().map { BookOrigin.News.lost(AccountTopics.player($0)) }
    if !changes.isEmpty { news.append(.messages(AccountTopics.sessions, changes.map { AccountJSON.encode($0) })) }
    for (topic, records) in events { news.append(.messages(topic, records.map { AccountJSON.encode($0) })) }
    lostPlayers = []
    changes = []
    events = [:]
    return news
  }

  /// A dump of the sessions.
  var dump: SessionDump { SessionDump(sessions: Array(sessions.values), ended: ended) }

  private mutating func apply(_ changes: [SessionChange]) {
    for change in changes {
      switch change {
      case .open(let session): sessions[session.id] = session
      case .ended(let end):
        sessions[end.id] = nil
        ended.append(end)
      }
    }
    if ended.count > 2 * Self.maxEnded { ended.removeFirst(ended.count - Self.maxEnded) }
  }
}
