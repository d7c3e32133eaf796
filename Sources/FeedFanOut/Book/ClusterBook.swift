package import NIOCore
package import Platform

/// A process that publishes the feed of a cluster while it holds the lease, and stands by while another one does.
package final class ClusterBook: Sendable {
  package let publisher: BookPublisher
  private let lease: BookLease

  /// - Parameter onEvent: Called in order, one call at a time: after publishing has ended for `lost`.
  package init(
    _ connection: NATSConnection, _ subjects: Subjects, origin: BookOrigin, announcement: ByteBuffer = ByteBuffer(),
    timing: BookTiming = BookTiming(), leaseTiming: LeaseTiming = LeaseTiming(), clock: ClientClock = .live,
    onEvent: @escaping @Sendable (BookLease.Event) -> Void
  ) {
    // NB: One clock: the end of a term is an uptime of the lease's clock.
    let publisher = BookPublisher(
      connection, subjects, origin: origin, announcement: announcement, timing: timing, clock: clock)
    self.publisher = publisher
    lease = BookLease(connection, subjects, timing: leaseTiming, clock: clock) { event in
      switch event {
      case .acquired(let identity, let end): publisher.activate(identity, until: end)
      case .extended(let identity, let end): publisher.extend(identity, until: end)
      case .lost: publisher.deactivate()
      case .unreachable, .unreplicated: break
      }
      onEvent(event)
    }
  }

  package func start() throws(NATSError) { try lease.start() }

  /// Stops publishing, then gives the lease back, so that a standby takes over at once. Blocks for up to half a second.
  package func stop() { lease.stop() }
}
