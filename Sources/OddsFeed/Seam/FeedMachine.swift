package import Platform

/// A session with a provider as a state machine without a connection or a clock. `SessionDriver` runs it.
package protocol FeedMachine: Sendable {
  associatedtype Event: FeedMachineEvent
  associatedtype Action

  /// Applies an event. Returns the actions to perform, in order.
  mutating func apply(_ event: Event, at now: SessionMoment) -> [Action]
  /// The time at which elapsed time next changes something; nil if it never does.
  var deadline: Duration? { get }
  /// Returns the time for which data that arrives now may have waited on its way (Freshness.md). Zero, the default, if
  /// the machine does not measure it.
  func delay(at now: Duration) -> Duration
}

extension FeedMachine {
  package func delay(at now: Duration) -> Duration { .zero }
}

/// An event of a machine. The driver itself applies these; the others come from the session.
package protocol FeedMachineEvent: Sendable {
  /// Time has passed, at `deadline` at the latest.
  static var time: Self { get }
  /// A connection is not read because the reader lags behind, so its silence is not evidence that it is dead.
  static func unread(link: Int) -> Self
  /// The session ends. The machine closes all connections.
  static var disconnect: Self { get }
}
