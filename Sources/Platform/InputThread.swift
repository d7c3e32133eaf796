import CLibrary

/// A thread that waits for input and runs tasks in between, as that of a terminal does.
///
/// A quiet feed is read and applied on such a thread, so that an update wakes one thread, not two. While the thread may
/// block, the tasks run and wait on a thread of their own instead.
package protocol InputThread: Sendable {
  /// The executor of the tasks.
  var tasks: any TaskExecutor { get }
  /// Suspends until a descriptor is ready or the time of the input has come; at times ends early. Only one task may
  /// wait at a time.
  func wait(for input: AwaitedInput) async -> ReadyInput
  /// Moves the tasks to a thread of their own, even while this one does not block, or back to this one. A caller that
  /// moves the tasks away has left this thread on return.
  func useOwnThread(_ isOwn: Bool) async
}

/// The input that a task waits for.
package struct AwaitedInput: Sendable {
  /// The descriptor that carries the data; negative for none.
  package let data: Int32
  /// The descriptor that is readable after a stop; negative for none.
  package let stop: Int32
  /// The latest end of the wait; nil for none.
  package let time: ContinuousClock.Instant?

  package init(data: Int32, stop: Int32, until time: ContinuousClock.Instant?) {
    self.data = data
    self.stop = stop
    self.time = time
  }

  /// Blocks the caller's thread until a descriptor is readable or has hung up, the time has come or a signal arrives.
  package func block() -> ReadyInput {
    let timeout = time.map { time in
      // Rounded up, because the last part of a millisecond would pass in a busy loop.
      let left = (ContinuousClock.now.duration(to: time) / .milliseconds(1)).rounded(.up)
      return Int32(max(0, min(left, Double(Int32.max))))
    }
    return withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 2) { files in
      files[0] = pollfd(fd: data, events: Int16(POLLIN), revents: 0)
      files[1] = pollfd(fd: stop, events: Int16(POLLIN), revents: 0)
      guard poll(files.baseAddress, 2, timeout ?? -1) > 0 else { return [] }
      return ReadyInput(data: files[0].revents != 0, stop: files[1].revents != 0)
    }
  }
}

/// The descriptors that ended a wait. Empty if none did.
package struct ReadyInput: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package init(data: Bool, stop: Bool) { rawValue = (data ? 1 : 0) | (stop ? 2 : 0) }

  package static let data = ReadyInput(rawValue: 1)
  package static let stop = ReadyInput(rawValue: 2)
}
