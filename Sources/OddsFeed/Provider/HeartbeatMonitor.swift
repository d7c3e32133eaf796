import OddsModel

/// The liveness of the connection to the feed, as a state machine without a clock. Times are uptimes. One monitor
/// serves all channels of a provider.
struct HeartbeatMonitor {
  enum Grade: Hashable, Sendable {
    /// Not connected, so no sign of life is due.
    case down
    case sound
    /// A sign of life is overdue.
    case late
    /// No sign of life for too long: the connection counts as dead, even if it is still open.
    case silent
    /// The feed has ended.
    case over
  }

  enum Event {
    case line(ConnectionState)
    /// A message on the connection that may have waited for `delay` on its way, or the answer to a ping.
    case sign(delay: Duration = .zero)
    case time
    /// No event will follow.
    case end
  }

  private(set) var grade = Grade.down
  /// The time of the last sign of life of a sound or late connection.
  private var last = Duration.zero

  /// Applies an event. Without limits, silence never changes the state.
  mutating func apply(_ event: Event, at now: Duration, limits: SilenceLimits?) {
    switch (event, grade) {
    // Neither the beginning nor the end of recovery is a sign of life: a provider with several connections recovers
    // from the loss of one, which says nothing about the others.
    case (.line(.live), .sound), (.line(.live), .late), (.line(.live), .silent): break
    case (.line(.recovering), .sound), (.line(.recovering), .late), (.line(.recovering), .silent): break
    case (.line(.live), _), (.line(.recovering), _):
      grade = .sound
      last = now
    case (.sign(let delay), .sound), (.sign(let delay), .late), (.sign(let delay), .silent):
      last = now - delay
      grade = Self.grade(after: delay, limits)
    case (.line(.ended), _), (.line(.failed), _), (.end, _): grade = .over
    // The end of the session after the end of the feed changes nothing. Any other state means that a failed connection
    // is tried again; the next dump contains what was missed.
    case (.line(.idle), .over): break
    case (.line, _): grade = .down
    case (.time, .sound), (.time, .late): grade = Self.grade(after: now - last, limits)
    case (.sign, _), (.time, _): break
    }
  }

  /// Returns the grade of an open connection after a silence.
  private static func grade(after silence: Duration, _ limits: SilenceLimits?) -> Grade {
    if let locked = limits?.locked, silence >= locked { return .silent }
    if let delayed = limits?.delayed, silence >= delayed { return .late }
    return .sound
  }

  /// The time at which silence next changes the state; nil if it never does.
  func deadline(limits: SilenceLimits?) -> Duration? {
    switch grade {
    case .sound: limits?.deadline(after: last)
    case .late: limits?.locked.map { last + $0 }
    case .down, .silent, .over: nil
    }
  }

  /// The time of the last sign of life of a late connection; nil in other states.
  var lastSign: Duration? { grade == .late ? last : nil }

  /// The same in whole seconds.
  var lastSecond: Int? { lastSign.map { Int($0 / .seconds(1)) } }
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
