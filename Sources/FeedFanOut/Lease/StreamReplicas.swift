internal import CNATS

/// Keeps the streams of the lease and of the accounts on three servers each. A stream that was created while NATS had
/// fewer servers has one replica until then.
final class StreamReplicas: Sendable {
  /// The replicas of the streams.
  struct Status: Hashable, Sendable {
    /// The number of servers that run and keep the stream that the fewest keep; nil if no stream exists.
    var fewest: Int?
    /// The reason for which a stream has fewer than three replicas; nil if none has, and on a server without a cluster.
    var error: NATSError?
  }

  static let target = 3

  private let context: JetStreamContext
  private let streams: [String]

  init(_ connection: NATSConnection, _ subjects: Subjects) throws(NATSError) {
    streams = (subjects.leaseBuckets + [subjects.accountBucket]).map(LeaseStore.stream(ofBucket:))
    context = try JetStreamContext(connection, timeout: .seconds(1))
  }

  /// Adds the replicas that streams lack. Blocks for up to eight seconds.
  func complete() -> Status {
    var status = Status()
    for stream in streams { complete(stream, &status) }
    return status
  }

  private func complete(_ stream: String, _ status: inout Status) {
    var created: UnsafeMutablePointer<jsStreamInfo>?
    let result = js_GetStreamInfo(&created, context.pointer, stream, nil, nil)
    // A cluster without users has no stream of accounts.
    if result == NATS_NOT_FOUND { return }
    defer { jsStreamInfo_Destroy(created) }
    guard result == NATS_OK, let info = created?.pointee, let config = info.Config else {
      // The servers that keep it do not run.
      status.fewest = 0
      return
    }
    guard let cluster = info.Cluster?.pointee else {
      status.fewest = min(status.fewest ?? 1, 1)
      return
    }
    let others = UnsafeBufferPointer(start: cluster.Replicas, count: Int(cluster.ReplicasLen))
    let online = 1 + others.count { $0?.pointee.Offline == false }
    status.fewest = min(status.fewest ?? online, online)
    addReplicas(to: config, stream, &status)
  }

  /// NATS refuses it while the cluster does not have three servers.
  private func addReplicas(to config: UnsafeMutablePointer<jsStreamConfig>, _ stream: String, _ status: inout Status) {
    let count = config.pointee.Replicas
    if count >= Self.target { return }
    config.pointee.Replicas = Int64(Self.target)
    var updated: UnsafeMutablePointer<jsStreamInfo>?
    let result = js_UpdateStream(&updated, context.pointer, config, nil, nil)
    jsStreamInfo_Destroy(updated)
    if result == NATS_OK { return }
    status.error = NATSError(
      .other,
      "'\(stream)': on \(count) of \(Self.target) servers, and lost with it: run \(Self.target) NATS servers with "
        + "JetStream in the cluster")
  }
}
