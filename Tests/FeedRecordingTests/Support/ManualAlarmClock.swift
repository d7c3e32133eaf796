import Platform

/// A clock controlled by a test.
final class ManualAlarmClock: AlarmClock {
  private struct State {
    var now = Duration.seconds(100)
    var alarm: Duration?
    var ring: (@Sendable () -> Void)?
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())

  var now: Duration { state.withLock { $0.now } }
  var alarm: Duration? { state.withLock { $0.alarm } }

  func setAlarm(at time: Duration?, _ ring: @escaping @Sendable () -> Void) {
    let waiting = state.withLock { state in
      state.alarm = time
      state.ring = time == nil ? nil : ring
      defer { if time != nil { state.waiting = [] } }
      return time == nil ? [] : state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Returns once an alarm is set.
  func hasAlarm() async {
    await withCheckedContinuation { continuation in
      let isSet = state.withLock { state in
        if state.alarm == nil { state.waiting.append(continuation) }
        return state.alarm != nil
      }
      if isSet { continuation.resume() }
    }
  }

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
