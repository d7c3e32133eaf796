import Dispatch
import Locking

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Calls back when the user, the system or the terminal asks for an end; the second time, the program ends there and then.
final class EndSignals: Sendable {
  private let sources: Locked<[any DispatchSourceSignal]>

  init(_ onFirst: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "toteboard.signals")
    let count = Locked(0)
    let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        let isFirst = count.withLock { count in
          count += 1
          return count == 1
        }
        if isFirst { onFirst() } else { _exit(128 + number) }
      }
      source.resume()
      return source
    }
    self.sources = Locked(sources)
  }

  func cancel() { sources.withLock { $0.forEach { $0.cancel() } } }
}
