import Dispatch
import Locking

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Calls back when the user, the system or the terminal asks for an end. NB: `timeout` and some shells ask twice at once,
/// so a second time asks for no more than the first; whoever cannot wait has SIGQUIT.
final class EndSignals: Sendable {
  private let sources: Locked<[any DispatchSourceSignal]>

  init(_ onSignal: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "toteboard.signals")
    let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler(handler: onSignal)
      source.resume()
      return source
    }
    self.sources = Locked(sources)
  }

  func cancel() { sources.withLock { $0.forEach { $0.cancel() } } }
}
