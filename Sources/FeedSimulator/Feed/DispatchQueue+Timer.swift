package import Dispatch

extension DispatchQueue {
  /// A timer that runs: `tick` is called on this queue each `interval` nanoseconds, until the timer is cancelled.
  package func timer(every interval: UInt64, _ tick: @escaping @Sendable () -> Void) -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: self)
    timer.setEventHandler { tick() }
    timer.start(every: interval)
    timer.resume()
    return timer
  }
}

extension DispatchSourceTimer {
  /// In nanoseconds.
  func start(every interval: UInt64) {
    let step = DispatchTimeInterval.nanoseconds(Int(interval))
    schedule(deadline: .now() + step, repeating: step, leeway: .milliseconds(1))
  }
}
