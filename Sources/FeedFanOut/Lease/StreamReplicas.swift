internal import CNATS

/// Keeps the streams of the lease and of the accounts on three servers each. A stream that was created while NATS had
/// fewer servers has one replica until then.
final class StreamReplicas: Sendable {
  /// The replicas of the streams.
  struct Status: Hashable, Sendable {
    /// The lowest number of servers with a complete copy, of all streams; nil if no stream exists.
    var fewestCopies: Int?
    /// The reason for which a stream has fewer than three replicas; nil if none has, and on a server without a cluster.
    var error: NATSError?
  }

  static let target = 3

  private let context: JetStreamContext
  private let streams: [String]

  init(_ context: JetStreamContext, streams: [String]) {
    self.context = context
    self.streams = streams
  }

  /// Adds the replicas that streams lack.
  func complete(_ states: [StreamState]) -> Status {
    // A cluster without users has no stream of accounts.
    var status = Status(fewestCopies: states.compactMap(\.replicas).min())
    for (stream, state) in zip(streams, states) {
      guard case .led(_, _, let count) = state, count < Self.target else { continue }
      if addReplicas(to: stream) == false { status.error = Self.error(stream, count) }
    }
    return status
  }

  /// Returns false if NATS refuses it, as it does while the cluster does not have three servers; nil if it does not
  /// answer.
  private func addReplicas(to stream: String) -> Bool? {
    var created: UnsafeMutablePointer<jsStreamInfo>?
    let status = js_GetStreamInfo(&created, context.pointer, stream, nil, nil)
    defer { jsStreamInfo_Destroy(created) }
    guard status == NATS_OK, let config = created?.pointee.Config else { return nil }
    config.pointee.Replicas = Int64(Self.target)
    var updated: UnsafeMutablePointer<jsStreamInfo>?
    defer { jsStreamInfo_Destroy(updated) }
    switch js_UpdateStream(&updated, context.pointer, config, nil, nil) {
    case NATS_OK: return true
    case NATS_TIMEOUT, NATS_NO_RESPONDERS, NATS_CONNECTION_CLOSED, NATS_CONNECTION_DISCONNECTED: return nil
    default: return false
    }
  }

  private static func error(_ stream: String, _ count: Int) -> NATSError {
    NATSError(
      .other,
      "'\(stream)': on \(count) of \(target) servers, and lost with it: run \(target) NATS servers with "
        + "JetStream in the cluster")
  }
}
