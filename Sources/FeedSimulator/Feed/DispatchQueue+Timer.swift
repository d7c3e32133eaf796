package import Dispatch

extension DispatchQueue {
  /// Returns a running timer that calls `tick` on this queue every `interval` nanoseconds until it is cancelled.
  package func timer(every interval: UInt64, _ tick: @escaping @Sendable () -> Void) -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: self)
    timer.setEventHandler { tick() }
    timer.start(every: interval)
    timer.resume()
    return timer
  }
}

extension DispatchSourceTimer {
  /// Schedules the timer with an interval in nanoseconds.
  func start(every interval: UInt64) {
    let step = DispatchTimeInterval.nanoseconds(Int(interval))
    schedule(deadline: .now() + step, repeating: step, leeway: .milliseconds(1))
  }
}
