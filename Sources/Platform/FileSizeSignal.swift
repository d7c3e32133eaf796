import CLibrary

/// Calls `body` while this thread does not receive SIGXFSZ, so that a write beyond the limit of file sizes fails with
/// an error, as on a full disk. Other threads still receive the signal of their own writes.
package func withFileSizeErrors<Result>(_ body: () throws -> Result) rethrows -> Result {
  var signals = sigset_t()
  var before = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, SIGXFSZ)
  pthread_sigmask(SIG_BLOCK, &signals, &before)
  defer {
    // A signal that is pending would arrive when it is no longer blocked.
    var pending = sigset_t()
    var number: Int32 = 0
    while sigpending(&pending) == 0, sigismember(&pending, SIGXFSZ) == 1 { sigwait(&signals, &number) }
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }
  return try body()
}
