internal import NIOCore
internal import Platform

/// Keeps the leaders of the lease's three streams on three servers, so that the loss of one server costs one key.
///
/// It asks a stream that shares the server of its leader with another one to elect a new leader. NATS chooses that
/// server, so this may take several attempts.
final class LeaseLeaders: Sendable {
  private let connection: NATSConnection
  private let streams: [String]
  private let lastMove = Locked<ContinuousClock.Instant?>(nil)

  init(_ connection: NATSConnection, streams: [String]) {
    self.connection = connection
    self.streams = streams
  }

  /// Moves a leader if two of them share a server. Does nothing if it has done so less than `interval` ago.
  func spread(_ states: some Collection<StreamState>, interval: Duration) {
    let now = ContinuousClock.now
    if let last = lastMove.withLock(\.self), now - last < interval { return }
    guard let stream = Self.streamToMove(states) else { return }
    lastMove.withLock { $0 = now }
    connection.request(
      ByteBuffer(), to: "$JS.API.STREAM.LEADER.STEPDOWN.\(streams[stream])", timeout: .seconds(1)
    ) { _ in }
  }

  /// Returns the index of a stream whose leader shares its server with another one's, while one of its followers leads
  /// nothing; nil if there is none, or if a stream has no leader.
  static func streamToMove(_ states: some Collection<StreamState>) -> Int? {
    let known = states.compactMap { state -> (leader: String, followers: [String])? in
      guard case .led(let leader, let followers, _) = state else { return nil }
      return (leader, followers)
    }
    guard known.count == states.count else { return nil }
    let leaders = known.map(\.leader)
    return known.indices.first { index in
      leaders.count { $0 == leaders[index] } > 1 && known[index].followers.contains { !leaders.contains($0) }
    }
  }
}
