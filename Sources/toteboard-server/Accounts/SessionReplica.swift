import FeedServer
import FeedSimulator

/// A gateway's copy of the open sessions of a cluster.
///
/// A value: it has no clock and no connection. It is current from a dump on, until it is marked as unknown.
struct SessionReplica: Sendable {
  /// The number of ended sessions that are remembered.
  static let maxEnded = 4096
  /// For this time after a token was issued, its session may not have arrived yet. In milliseconds. Includes the
  /// difference of the clocks of two gateways.
  static let arrivalTime: Int64 = 10_000

  private(set) var isCurrent = false
  private(set) var sessions: [String: PlayerSession] = [:]
  private var ended: Set<String> = []
  /// The ids of `ended`, the oldest first.
  private var endedOrder: [String] = []

  /// Returns the status of a session; `unknown` if the session may still arrive.
  ///
  /// - Parameter issuedAt: The time of issue of a token of the session, in milliseconds since 1970.
  func status(of id: String, issuedAt: Int64, now: Int64) -> SessionStatus {
    guard isCurrent else { return .unknown }
    if let session = sessions[id] { return now < session.expiresAt ? .open(session) : .over }
    return !ended.contains(id) && issuedAt > now - Self.arrivalTime ? .unknown : .over
  }

  /// True if the copy has the session, or had it.
  func knows(_ id: String) -> Bool { sessions[id] != nil || ended.contains(id) }

  func hasEnded(_ id: String) -> Bool { ended.contains(id) }

  /// Replaces the copy. Returns the sessions that have ended since.
  mutating func apply(_ dump: SessionDump) -> [(session: PlayerSession, end: EndedSession)] {
    let new = Dictionary(dump.sessions.filter(\.isValid).map { ($0.id, $0) }) { $1 }
    let ends = Dictionary(dump.ended.map { ($0.id, $0) }) { $1 }
    let gone = sessions.values.filter { new[$0.id] == nil }.sorted { $0.id < $1.id }
    sessions = new
    isCurrent = true
    for end in dump.ended { remember(end.id) }
    return gone.map { session in
      remember(session.id)
      return (session, ends[session.id] ?? EndedSession(id: session.id, cause: .logout, event: nil))
    }
  }

  /// Applies a change. Returns the session if it has ended.
  mutating func apply(_ change: SessionChange) -> (session: PlayerSession, end: EndedSession)? {
    switch change {
    case .open(let session):
      if session.isValid, !ended.contains(session.id) { sessions[session.id] = session }
      return nil
    case .ended(let end):
      remember(end.id)
      return sessions.removeValue(forKey: end.id).map { ($0, end) }
    }
  }

  /// Notes that changes may be missing from now on.
  mutating func markUnknown() {
    isCurrent = false
    sessions = [:]
  }

  private mutating func remember(_ id: String) {
    guard ended.insert(id).inserted else { return }
    endedOrder.append(id)
    guard endedOrder.count > 2 * Self.maxEnded else { return }
    let old = endedOrder.count - Self.maxEnded
    ended.subtract(endedOrder.prefix(old))
    endedOrder.removeFirst(old)
  }
}
