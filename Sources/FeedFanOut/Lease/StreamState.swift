internal import CNATS

/// The servers of a JetStream stream, as NATS tells them.
enum StreamState: Hashable, Sendable {
  /// The stream does not exist.
  case missing
  /// The stream does not answer or has no leader: the servers that keep it do not run.
  case unanswered
  /// The stream is on a server without a cluster.
  case alone
  /// `followers` run, have what the leader has, and could lead the stream at once. `target` is the number of servers
  /// that are to keep the stream.
  case led(by: String, followers: [String], target: Int)

  /// Returns the state of a stream. Blocks for up to the timeout of the context.
  init(_ stream: String, _ context: JetStreamContext) {
    var created: UnsafeMutablePointer<jsStreamInfo>?
    let status = js_GetStreamInfo(&created, context.pointer, stream, nil, nil)
    defer { jsStreamInfo_Destroy(created) }
    if status == NATS_NOT_FOUND {
      self = .missing
    } else if status == NATS_OK, let info = created?.pointee {
      self.init(info)
    } else {
      self = .unanswered
    }
  }

  private init(_ info: jsStreamInfo) {
    guard let cluster = info.Cluster?.pointee else {
      self = .alone
      return
    }
    guard let leader = cluster.Leader else {
      self = .unanswered
      return
    }
    let replicas = UnsafeBufferPointer(start: cluster.Replicas, count: Int(cluster.ReplicasLen))
    let followers = replicas.compactMap { replica -> String? in
      guard let peer = replica?.pointee, peer.Current, !peer.Offline, let name = peer.Name else { return nil }
      return String(cString: name)
    }
    self = .led(by: String(cString: leader), followers: followers, target: Int(info.Config?.pointee.Replicas ?? 0))
  }

  /// The number of servers that have the whole stream; nil if it does not exist.
  var replicas: Int? {
    switch self {
    case .missing: nil
    case .unanswered: 0
    case .alone: 1
    case .led(_, let followers, _): 1 + followers.count
    }
  }
}
