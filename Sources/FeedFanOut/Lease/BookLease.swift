internal import Dispatch
package import Platform

/// Takes part in the election of a cluster's book, until it is stopped.
package final class BookLease: Sendable {
  package enum Event: Hashable, Sendable {
    /// This process is the book until that uptime of its clock, unless `extended` follows.
    case acquired(BookIdentity, until: Duration)
    case extended(BookIdentity, until: Duration)
    /// This process must not publish any more.
    case lost(BookIdentity)
    /// A key of the lease cannot be read. Reported when the message changes.
    case unreachable(NATSError)
    /// A key of the lease, or the accounts, would be lost with one NATS server. Reported when the message changes.
    case unreplicated(NATSError)
  }

  private struct State {
    var machine: LeaseMachine
    var heartbeats: NATSSubscription?
    var timers: [RepeatingTimer] = []
    var stores: [LeaseStore] = []
    var errors = [NATSError?](repeating: nil, count: LeaseMachine.keyCount)
    var replicas = StreamReplicas.Status()
  }

  private let connection: NATSConnection
  private let subjects: Subjects
  private let timing: LeaseTiming
  private let clock: ClientClock
  private let onEvent: @Sendable (Event) -> Void
  private let book = UInt64.random(in: 1 ... .max)
  /// The queue on which the machine's events are handled and `onEvent` is called. Nothing on it waits for NATS.
  private let queue = DispatchQueue(label: "toteboard.lease")
  /// A store's calls block on its own queue, so that a key that does not answer delays no other.
  private let storeQueues = (1...LeaseMachine.keyCount).map { DispatchQueue(label: "toteboard.lease.\($0)") }
  private let streamsQueue = DispatchQueue(label: "toteboard.lease.streams")
  /// The calls of the stores that have not returned.
  private let calls = DispatchGroup()
  private let state: Locked<State>

  /// - Parameter onEvent: Called in order, one call at a time. A call for `lost` must not return before publishing has
  ///   ended, because the lease is given back after it.
  package init(
    _ connection: NATSConnection, _ subjects: Subjects, timing: LeaseTiming = LeaseTiming(),
    clock: ClientClock = .live, onEvent: @escaping @Sendable (Event) -> Void
  ) {
    self.connection = connection
    self.subjects = subjects
    self.timing = timing
    self.clock = clock
    self.onEvent = onEvent
    // A lease that does not exist begins with the minutes since 1970, so that epochs increase even if the storage of
    // NATS was lost.
    let minutes = UInt64(clamping: clock.wall() / 60_000)
    state = Locked(State(machine: LeaseMachine(holder: book, minEpoch: minutes, timing: timing)))
  }

  /// Begins to take part. Has no effect if it throws, as it may without a connection.
  package func start() throws(NATSError) {
    var stores: [LeaseStore] = []
    for bucket in subjects.leaseBuckets { stores.append(try LeaseStore(connection, bucket: bucket)) }
    let streams = try LeaseStreams(connection, subjects, timing: timing)
    let heartbeats = try connection.subscribe(subjects.heartbeat, limit: 1 << 20) { [weak self] message in
      guard let frame = FeedFrame(message.payload), frame.kind == .heartbeat else { return }
      self?.state.withLock { $0.machine.observe(epoch: min(frame.identity.epoch, BookIdentity.maxEpoch - 1)) }
    }
    // Set before the timers, which use the stores.
    state.withLock { $0.stores = stores }
    let timers = [
      RepeatingTimer(every: timing.retryInterval, on: queue) { [weak self] in self?.step { $0.advance(to: $1) } },
      RepeatingTimer(every: timing.leaderCheckInterval, on: streamsQueue) { [weak self] in
        guard self?.confirmedKeys == LeaseMachine.keyCount, let replicas = streams.maintain() else { return }
        self?.report(replicas)
      },
    ]
    state.withLock { state in
      state.heartbeats = heartbeats
      state.timers = timers
    }
  }

  /// The number of the lease's keys that this process has. At least two while it is the book.
  package var confirmedKeys: Int { state.withLock { $0.machine.confirmedKeys(now: clock.uptime()) } }

  /// The number of NATS servers with a complete copy of a bucket: the lowest of all buckets of the lease and the
  /// accounts. Nil unless this process has all keys of the lease.
  package var replicas: Int? {
    confirmedKeys == LeaseMachine.keyCount ? state.withLock { $0.replicas.fewestCopies } : nil
  }

  /// Releases the lease, so that a standby takes it at once. Returns after that, or after a quarter of a second.
  package func stop() {
    let (timers, heartbeats) = state.withLock { state in
      defer { state.timers = [] }
      return (state.timers, state.heartbeats.take())
    }
    withExtendedLifetime(timers) { heartbeats?.cancel() }
    queue.sync { step { $0.stop(now: $1) } }
    _ = calls.wait(timeout: .now() + .milliseconds(250))
  }

  /// Feeds an event to the machine and performs its actions. Called on the queue.
  private func step(_ event: (inout LeaseMachine, _ now: Duration) -> [LeaseMachine.Action]) {
    // NB: The time is read under the lock, so that it never goes back between events.
    let (actions, stores) = state.withLock { state in (event(&state.machine, clock.uptime()), state.stores) }
    for action in actions {
      switch action {
      case .read(let key): call(key) { [store = stores[key]] in self.read(key, store) }
      case .write(let key, let record, let revision):
        call(key) { [store = stores[key]] in
          let result = store.write(record, expecting: revision)
          return { $0.didWrite(result, key: key, now: $1) }
        }
      case .acquired(let epoch, let end): onEvent(.acquired(BookIdentity(epoch: epoch, book: book), until: end))
      case .extended(let epoch, let end): onEvent(.extended(BookIdentity(epoch: epoch, book: book), until: end))
      case .lost(let epoch): onEvent(.lost(BookIdentity(epoch: epoch, book: book)))
      }
    }
  }

  private typealias Outcome = @Sendable (inout LeaseMachine, _ now: Duration) -> [LeaseMachine.Action]

  /// Calls the store of a key, then feeds the outcome to the machine.
  private func call(_ key: Int, _ body: @escaping @Sendable () -> Outcome) {
    calls.enter()
    storeQueues[key].async { [self] in
      let outcome = body()
      queue.async { [self] in
        step(outcome)
        calls.leave()
      }
    }
  }

  private func read(_ key: Int, _ store: LeaseStore) -> Outcome {
    do throws(NATSError) {
      let entry = try store.read()
      queue.async { [self] in report(nil, key) }
      return { $0.didRead(entry, key: key, now: $1) }
    } catch {
      queue.async { [self] in report(error, key) }
      return { $0.readFailed(key: key, now: $1) }
    }
  }

  private func report(_ error: NATSError?, _ key: Int) {
    let isNew = state.withLock { state in
      defer { state.errors[key] = error }
      return state.errors[key] != error
    }
    if isNew, let error { onEvent(.unreachable(error)) }
  }

  private func report(_ replicas: StreamReplicas.Status) {
    queue.async { [self] in
      let known = state.withLock { state in
        defer { state.replicas = replicas }
        return state.replicas.error
      }
      if let error = replicas.error, error != known { onEvent(.unreplicated(error)) }
    }
  }
}
