import Dispatch

/// A monotonic clock with one alarm, for playback and recording.
package protocol AlarmClock: Sendable {
  /// The time since a fixed moment.
  var now: Duration { get }
  /// Sets the alarm, replacing the one set before; nil cancels it. `ring` is called on any thread after that time, but
  /// never from within this function.
  func setAlarm(at time: Duration?, _ ring: @escaping @Sendable () -> Void)
}

/// A clock of the machine's uptime with a Dispatch timer, which blocks no thread. An alarm may ring early, but once.
package final class DispatchAlarmClock: AlarmClock {
  private let ring = Locked<(@Sendable () -> Void)?>(nil)
  private let timer: Locked<any DispatchSourceTimer>

  package init() {
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "toteboard.alarm"))
    timer.setEventHandler { [ring] in
      let ring = ring.withLock { $0.take() }
      ring?()
    }
    timer.schedule(deadline: .distantFuture)
    timer.resume()
    self.timer = Locked(timer)
  }

  deinit { timer.withLock { $0.cancel() } }

  package var now: Duration { .nanoseconds(Int64(clamping: DispatchTime.now().uptimeNanoseconds)) }

  package func setAlarm(at time: Duration?, _ ring: @escaping @Sendable () -> Void) {
    self.ring.withLock { $0 = time == nil ? nil : ring }
    timer.withLock { timer in
      guard let time else { return timer.schedule(deadline: .distantFuture) }
      // Limited to an hour: an early alarm is harmless, because its receiver checks the time.
      let left = min(max((time - now) / .nanoseconds(1), 0), 3.6e12)
      timer.schedule(deadline: .now() + .nanoseconds(Int(left.rounded(.up))), leeway: .milliseconds(1))
    }
  }
}
