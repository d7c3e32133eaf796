import CLibrary

/// SIGTERM and SIGINT: the first of them shuts the server down. The process ends when the server has shut down, and
/// within 5 s in any case.
///
/// NB: A thread of its own waits for the signal and for the deadline. Under load, the threads that run tasks and
/// dispatch queues can all be busy.
enum ShutdownSignals {
  /// The pipe from the signal handler to the thread. Empty if the process is out of file descriptors.
  private static let ends: [Int32] = {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return [] }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    return ends
  }()
  private static let signals = AsyncStream.makeStream(of: Void.self)

  /// Begins to wait for a signal. Returns a sequence with one element, for the first signal. Call once.
  ///
  /// A second signal has no effect: `timeout` and some shells send a signal twice. A signal that the parent process
  /// ignores stays ignored. If there is no pipe or no thread, the signals keep their effect and end the process at
  /// once.
  ///
  /// - Parameter deadline: The time from the signal to the end of the process, in milliseconds. Less than the 5 s that
  ///   are documented, because the thread may have to wait for a processor.
  static func start(deadline: Int = 4700) -> AsyncStream<Void> {
    guard !ends.isEmpty, startThread(deadline) else { return signals.stream }
    for number in [SIGTERM, SIGINT] {
      // NB: The handler calls only `write`, which is safe in a signal handler. `ends` has its value already.
      let previous = signal(number) { _ in
        let error = errno
        var byte: UInt8 = 0
        _ = write(ShutdownSignals.ends[1], &byte, 1)
        errno = error
      }
      // Swift cannot compare C function pointers. The addresses, as large as an Int, are compared and never called.
      let isIgnored = unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
      if isIgnored { signal(number, SIG_IGN) }
    }
    return signals.stream
  }

  private static func startThread(_ deadline: Int) -> Bool {
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    return pthread_create(
      &thread, nil,
      { deadline in
        ShutdownSignals.run(deadline: Int(bitPattern: deadline))
        return nil
      }, UnsafeMutableRawPointer(bitPattern: deadline)) == 0
  }

  private static func run(deadline: Int) {
    var byte: UInt8 = 0
    while read(ends[0], &byte, 1) < 0, errno == EINTR {}
    signals.continuation.yield()
    signals.continuation.finish()
    let start = uptime()
    var left = deadline
    while left > 0 {
      poll(nil, 0, Int32(clamping: left))
      left = deadline - (uptime() - start)
    }
    FileDescriptorOutput.error("toteboard-server: connections were still open 5 s after the signal\n")
    _exit(0)
  }

  /// Returns the time since the start of the machine, in milliseconds.
  private static func uptime() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
  }
}
