import Platform

/// A clock controlled by a test.
final class ManualAlarmClock: AlarmClock {
  private struct State {
    var now = Duration.seconds(100)
    var alarm: Duration?
    var ring: (@Sendable () -> Void)?
  }

  private let state = Locked(State())

  var now: Duration { state.withLock { $0.now } }
  var alarm: Duration? { state.withLock { $0.alarm } }

  func setAlarm(at time: Duration?, _ ring: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.alarm = time
      state.ring = time == nil ? nil : ring
    }
  }

  /// Returns once an alarm is set, or if the task is cancelled.
  func hasAlarm() async { while !Task.isCancelled, alarm == nil { await Task.yield() } }

  /// Advances the time, and calls the handler of a due alarm.
  func advance(by time: Duration) {
    let ring = state.withLock { state -> (@Sendable () -> Void)? in
      state.now += time
      guard let alarm = state.alarm, alarm <= state.now else { return nil }
      state.alarm = nil
      return state.ring.take()
    }
    ring?()
  }
}
