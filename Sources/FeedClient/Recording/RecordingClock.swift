import Dispatch
import Platform

/// What recordings are played and written by: time that only goes on, and one alarm.
package protocol AlarmClock: Sendable {
  /// Time since some fixed moment.
  var now: Duration { get }
  /// Calls `ring` from anywhere once that time has come. It takes the place of the alarm set before; nil sets none.
  /// Never calls `ring` from within.
  func setAlarm(at time: Duration?, _ ring: @escaping @Sendable () -> Void)
}

/// The machine's uptime and a Dispatch timer: who waits for the alarm blocks no thread. An alarm may ring too early, never
/// too late and never twice.
package final class DispatchAlarmClock: AlarmClock {
  private let ring = Locked<(@Sendable () -> Void)?>(nil)
  private let timer: Locked<any DispatchSourceTimer>

  /// A clock without an alarm.
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

  deinit {
    timer.withLock { $0.cancel() }
  }

  package var now: Duration { .nanoseconds(Int64(clamping: DispatchTime.now().uptimeNanoseconds)) }

  package func setAlarm(at time: Duration?, _ ring: @escaping @Sendable () -> Void) {
    self.ring.withLock { $0 = time == nil ? nil : ring }
    timer.withLock { timer in
      guard let time else { return timer.schedule(deadline: .distantFuture) }
      // An hour is as good as more: who is woken looks at the time.
      let left = min(max((time - now) / .nanoseconds(1), 0), 3.6e12)
      timer.schedule(deadline: .now() + .nanoseconds(Int(left.rounded(.up))), leeway: .milliseconds(1))
    }
  }
}
