import OddsModel

/// The liveness of the connection to the feed, as a state machine without a clock. Times are uptimes. One monitor
/// serves all channels of a provider.
enum HeartbeatMonitor: Hashable {
  /// Not connected, so no sign of life is due.
  case down
  /// Connected; `last` is the time of the last sign of life.
  case sound(last: Duration)
  /// A sign of life is overdue.
  case late(last: Duration)
  /// No sign of life for too long: the connection counts as dead, even if it is still open.
  case silent
  /// The feed has ended.
  case over

  enum Event {
    case line(ConnectionState)
    /// A message on the connection, or the answer to a ping.
    case sign
    /// Time has passed.
    case time
    /// No event will follow.
    case end
  }

  /// Applies an event. Without limits, silence never changes the state.
  mutating func apply(_ event: Event, at now: Duration, limits: SilenceLimits?) {
    switch (event, self) {
    // The end of recovery is not a sign of life: the connection stays late or silent.
    case (.line(.live), .late), (.line(.live), .silent): break
    case (.line(.live), _), (.line(.recovering), _): self = .sound(last: now)
    case (.line(.ended), _), (.line(.failed), _), (.end, _): self = .over
    // A failed connection can be tried again; the next dump contains what was missed.
    case (.line(.idle), .over): break
    case (.line, _): self = .down
    case (.sign, .sound), (.sign, .late), (.sign, .silent): self = .sound(last: now)
    case (.sign, _): break
    case (.time, .sound(let last)), (.time, .late(let last)):
      if let locked = limits?.locked, now >= last + locked {
        self = .silent
      } else if let delayed = limits?.delayed, now >= last + delayed {
        self = .late(last: last)
      }
    case (.time, _): break
    }
  }

  /// The time at which silence next changes the state; nil if it never does.
  func deadline(limits: SilenceLimits?) -> Duration? {
    switch self {
    case .sound(let last): limits?.deadline(after: last)
    case .late(let last): limits?.locked.map { last + $0 }
    case .down, .silent, .over: nil
    }
  }

  /// The time of the last sign of life of a late connection; nil in other states.
  var lastSign: Duration? { if case .late(let last) = self { last } else { nil } }

  /// The state without its times, as channels receive it.
  enum Grade: Hashable, Sendable { case down, sound, late, silent, over }

  var grade: Grade {
    switch self {
    case .down: .down
    case .sound: .sound
    case .late: .late
    case .silent: .silent
    case .over: .over
    }
  }
}

/// The state of the connection, as the provider sends it to its channels.
struct ConnectionUpdate: Sendable {
  /// The sequence number of the update. Two tasks send updates, so an older one may arrive last; it is ignored.
  var number: UInt64 = 0
  var connection = ConnectionState.idle
  var pulse = HeartbeatMonitor.Grade.down
  /// The time of the update, in milliseconds since 1970.
  var time: Int64 = 0
  /// The time of the last sign of life of a late connection, in milliseconds since 1970; nil otherwise.
  var lastSign: Int64?
  /// True if the transport's events have ended: no update follows.
  var isLast = false
}
