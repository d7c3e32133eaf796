internal import Dispatch
internal import Platform

/// A timer that calls a function on a queue at an interval, until it is released.
final class RepeatingTimer: Sendable {
  private let source: Locked<any DispatchSourceTimer>

  init(every interval: Duration, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    let source = DispatchSource.makeTimerSource(queue: queue)
    let interval = DispatchTimeInterval.milliseconds(Int(interval.milliseconds))
    source.schedule(deadline: .now() + interval, repeating: interval, leeway: .milliseconds(5))
    source.setEventHandler(handler: body)
    source.resume()
    self.source = Locked(source)
  }

  deinit { source.withLock { $0.cancel() } }
}
