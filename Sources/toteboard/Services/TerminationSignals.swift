import CLibrary
import Dispatch
import Platform

/// A handler of SIGINT, SIGTERM and SIGHUP. NB: `timeout` and some shells send a signal twice. A second signal calls
/// `onSignal` again, which must then have no effect. SIGQUIT ends the program immediately. Signals that the parent
/// ignores (nohup) stay ignored.
final class TerminationSignals: Sendable {
  private let sources: Locked<[any DispatchSourceSignal]>
  /// The first signal that arrived.
  private let received: Locked<Int32?>

  init(_ onSignal: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "toteboard.signals")
    let received = Locked<Int32?>(nil)
    // Swift cannot compare C function pointers. The addresses, as large as an Int, are compared and never called.
    let numbers = [SIGINT, SIGTERM, SIGHUP].filter { number in
      unsafeBitCast(signal(number, SIG_IGN), to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self)
    }
    let sources = numbers.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        received.withLock { $0 = $0 ?? number }
        onSignal()
      }
      source.resume()
      return source
    }
    self.sources = Locked(sources)
    self.received = received
  }

  func cancel() { sources.withLock { $0.forEach { $0.cancel() } } }

  /// Throws the first signal, so that the program ends by it. Does nothing if none arrived.
  func rethrow() throws(EndedBySignal) {
    if let number = received.withLock({ $0 }) { throw EndedBySignal(number: number) }
  }
}

struct EndedBySignal: Error {
  let number: Int32

  /// Ends the process by the signal, so that its parent sees the exit status 128 + its number.
  func end() -> Never {
    signal(number, SIG_DFL)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(number)
    exit(128 + number)
  }
}
