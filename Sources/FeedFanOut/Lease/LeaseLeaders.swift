internal import CNATS
internal import Dispatch
internal import NIOCore
internal import Platform

/// Keeps the leaders of the lease's three streams on three servers, so that the loss of one server costs one key.
///
/// It asks a stream that shares the server of its leader with another one to elect a new leader. NATS chooses that
/// server, so this may take several attempts.
final class LeaseLeaders: Sendable {
  /// The servers of one stream.
  struct Placement: Hashable, Sendable {
    let leader: String
    /// The servers that could lead it at once.
    let followers: [String]
  }

  private let connection: NATSConnection
  private let context: JetStreamContext
  private let streams: [String]
  private let lastMove = Locked<ContinuousClock.Instant?>(nil)

  init(_ connection: NATSConnection, _ subjects: Subjects) throws(NATSError) {
    self.connection = connection
    streams = subjects.leaseBuckets.map(LeaseStore.stream(ofBucket:))
    context = try JetStreamContext(connection, timeout: .seconds(1))
  }

  /// Moves a leader if two of them share a server. Does nothing if it has done so less than `interval` ago. Blocks for up
  /// to three seconds.
  func spread(interval: Duration) {
    let now = ContinuousClock.now
    if let last = lastMove.withLock(\.self), now - last < interval { return }
    guard let stream = Self.streamToMove(streams.map(placement)) else { return }
    lastMove.withLock { $0 = now }
    connection.request(
      ByteBuffer(), to: "$JS.API.STREAM.LEADER.STEPDOWN.\(streams[stream])", timeout: .seconds(1)
    ) { _ in }
  }

  /// Returns the index of a stream whose leader shares its server with another one's, while one of its followers leads
  /// nothing; nil if there is none, or if a stream did not answer.
  static func streamToMove(_ placements: [Placement?]) -> Int? {
    let known = placements.compactMap(\.self)
    guard known.count == placements.count else { return nil }
    let leaders = known.map(\.leader)
    return known.indices.first { index in
      leaders.count { $0 == leaders[index] } > 1 && known[index].followers.contains { !leaders.contains($0) }
    }
  }

  /// Returns the servers of a stream; nil if it does not answer, has no leader, or is on a server without a cluster.
  private func placement(of stream: String) -> Placement? {
    var created: UnsafeMutablePointer<jsStreamInfo>?
    let status = js_GetStreamInfo(&created, context.pointer, stream, nil, nil)
    guard status == NATS_OK, let info = created else { return nil }
    defer { jsStreamInfo_Destroy(info) }
    guard let cluster = info.pointee.Cluster?.pointee, let leader = cluster.Leader else { return nil }
    let replicas = UnsafeBufferPointer(start: cluster.Replicas, count: Int(cluster.ReplicasLen))
    let followers = replicas.compactMap { replica -> String? in
      guard let peer = replica?.pointee, peer.Current, !peer.Offline, let name = peer.Name else { return nil }
      return String(cString: name)
    }
    return Placement(leader: String(cString: leader), followers: followers)
  }
}
