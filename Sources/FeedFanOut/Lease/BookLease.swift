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
    /// The lease cannot be read. Reported when the message changes.
    case unreachable(NATSError)
  }

  private struct State {
    var machine: LeaseMachine
    var heartbeats: NATSSubscription?
    var timer: RepeatingTimer?
    var error: NATSError?
  }

  private let store: LeaseStore
  private let connection: NATSConnection
  private let subjects: Subjects
  private let clock: ClientClock
  private let onEvent: @Sendable (Event) -> Void
  private let book = UInt64.random(in: 1 ... .max)
  /// The calls of the store block here, and on no other queue.
  private let queue = DispatchQueue(label: "toteboard.lease")
  private let state: Locked<State>

  /// - Parameter onEvent: Called in order, one call at a time. A call for `lost` must return after the last message was
  ///   published: the lease is given back after it.
  package init(
    _ connection: NATSConnection, _ subjects: Subjects, timing: LeaseTiming = LeaseTiming(),
    clock: ClientClock = .live, onEvent: @escaping @Sendable (Event) -> Void
  ) {
    self.connection = connection
    self.subjects = subjects
    self.clock = clock
    self.onEvent = onEvent
    store = LeaseStore(connection, subjects)
    // A lease that does not exist begins with the minutes since 1970, so that epochs increase even if the storage of
    // NATS was lost.
    let minutes = UInt64(clamping: clock.wall() / 60_000)
    state = Locked(State(machine: LeaseMachine(holder: book, minEpoch: minutes, timing: timing)))
  }

  package func start() throws(NATSError) {
    let heartbeats = try connection.subscribe(subjects.heartbeat, limit: 1 << 20) { [weak self] message in
      guard let frame = FeedFrame(message.payload), frame.kind == .heartbeat else { return }
      self?.state.withLock { $0.machine.observe(epoch: min(frame.identity.epoch, BookIdentity.maxEpoch - 1)) }
    }
    let timer = RepeatingTimer(every: .milliseconds(50), on: queue) { [weak self] in self?.step { $0.advance(to: $1) } }
    state.withLock { state in
      state.heartbeats = heartbeats
      state.timer = timer
    }
  }

  /// Gives the lease back, so that a standby takes it at once. Returns after that, or after a quarter of a second.
  package func stop() {
    let (timer, heartbeats) = state.withLock { ($0.timer.take(), $0.heartbeats.take()) }
    withExtendedLifetime(timer) { heartbeats?.cancel() }
    queue.sync { step { $0.stop(now: $1) } }
  }

  /// Feeds an event to the machine and performs its actions, and those that follow from them. Called on the queue.
  private func step(_ event: (inout LeaseMachine, _ now: Duration) -> [LeaseMachine.Action]) {
    var actions = change(event)[...]
    while let action = actions.popFirst() {
      switch action {
      case .read:
        do throws(NATSError) {
          let entry = try store.read()
          actions += change { $0.didRead(entry, now: $1) }
          state.withLock { $0.error = nil }
        } catch {
          actions += change { $0.readFailed(now: $1) }
          report(error)
        }
      case .write(let record, let revision):
        let result = store.write(record, expecting: revision)
        actions += change { $0.didWrite(result, now: $1) }
      case .acquired(let epoch, let end): onEvent(.acquired(BookIdentity(epoch: epoch, book: book), until: end))
      case .extended(let epoch, let end): onEvent(.extended(BookIdentity(epoch: epoch, book: book), until: end))
      case .lost(let epoch): onEvent(.lost(BookIdentity(epoch: epoch, book: book)))
      }
    }
  }

  private func change(
    _ event: (inout LeaseMachine, _ now: Duration) -> [LeaseMachine.Action]
  ) -> [LeaseMachine.Action] {
    // NB: The time is read under the lock, so that it never goes back between events.
    state.withLock { event(&$0.machine, clock.uptime()) }
  }

  private func report(_ error: NATSError) {
    let isNew = state.withLock { state in
      defer { state.error = error }
      return state.error != error
    }
    if isNew { onEvent(.unreachable(error)) }
  }
}
