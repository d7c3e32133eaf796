/// A thread that waits for input and runs tasks in between, as that of a terminal does.
///
/// A quiet feed is read and applied on such a thread, so that an update wakes one thread, not two.
package protocol InputThread: Sendable {
  /// The executor of tasks on the thread. They must not block it.
  var tasks: any TaskExecutor { get }
  /// True while the thread may block. A task that waits for a descriptor is woken before, to continue elsewhere.
  var mayBlock: Bool { get }
  /// Suspends until a descriptor is readable or has hung up, the time has come, or the thread may block. Only one task
  /// may wait at a time. Ignores a negative descriptor.
  ///
  /// - Parameters:
  ///   - data: The descriptor that carries the data.
  ///   - stop: The descriptor that tells to stop.
  ///   - time: The latest end of the wait; nil for none.
  func waitForInput(data: Int32, stop: Int32, until time: ContinuousClock.Instant?) async -> ReadyInput
}

/// The descriptors that ended a wait. Empty if none did.
package struct ReadyInput: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package init(data: Bool, stop: Bool) { rawValue = (data ? 1 : 0) | (stop ? 2 : 0) }

  package static let data = ReadyInput(rawValue: 1)
  package static let stop = ReadyInput(rawValue: 2)
}
