internal import Platform

/// The streams of the lease's keys and of the accounts: one query for all that looks after them.
final class LeaseStreams: Sendable {
  private let context: JetStreamContext
  private let streams: [String]
  private let leaders: LeaseLeaders
  private let replicas: StreamReplicas
  private let timing: LeaseTiming
  private let lastCompletion = Locked<ContinuousClock.Instant?>(nil)

  init(_ connection: NATSConnection, _ subjects: Subjects, timing: LeaseTiming) throws(NATSError) {
    let keys = subjects.leaseBuckets.map(LeaseStore.stream(ofBucket:))
    self.timing = timing
    streams = keys + [LeaseStore.stream(ofBucket: subjects.accountBucket)]
    context = try JetStreamContext(connection, timeout: .seconds(1))
    leaders = LeaseLeaders(connection, streams: keys)
    replicas = StreamReplicas(context, streams: streams)
  }

  /// Moves a leader if two keys have theirs on one server, and adds the replicas that streams lack. Each of this
  /// happens at most once in `LeaseTiming.leaderMoveInterval`. Blocks for up to a second for each stream, and for up to
  /// two more for each that lacks replicas.
  ///
  /// - Returns: The replicas of the streams; nil if nothing was added because that is not due.
  func maintain() -> StreamReplicas.Status? {
    let states = streams.map { StreamState($0, context) }
    leaders.spread(states.dropLast(), interval: timing.leaderMoveInterval)
    let now = ContinuousClock.now
    if let last = lastCompletion.withLock(\.self), now - last < timing.leaderMoveInterval { return nil }
    lastCompletion.withLock { $0 = now }
    return replicas.complete(states)
  }
}
