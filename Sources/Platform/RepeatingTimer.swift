package import Dispatch

/// A timer that calls a function on a queue at an interval, until it is released.
package final class RepeatingTimer: Sendable {
  private let source: Locked<any DispatchSourceTimer>

  /// Starts a timer. The first call comes after one interval.
  package init(every interval: Duration, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    let source = DispatchSource.makeTimerSource(queue: queue)
    source.setEventHandler(handler: body)
    source.schedule(every: interval)
    source.resume()
    self.source = Locked(source)
  }

  deinit { source.withLock { $0.cancel() } }

  /// Changes the interval and begins a new one.
  package func setInterval(_ interval: Duration) { source.withLock { $0.schedule(every: interval) } }
}

extension DispatchSourceTimer {
  fileprivate func schedule(every interval: Duration) {
    let (seconds, attoseconds) = interval.components
    let step = DispatchTimeInterval.nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    schedule(deadline: .now() + step, repeating: step, leeway: .milliseconds(1))
  }
}
