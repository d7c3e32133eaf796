import OddsFeed

/// Whether the line to the feed gives signs of life, as a machine without a clock: what happens goes in with the uptime,
/// the new state comes out. One for all channels of a provider.
enum HeartbeatMonitor: Hashable {
  /// Not connected, so no sign is due.
  case down
  /// Connected; the last sign of life was then.
  case sound(last: Duration)
  /// A sign of life is overdue.
  case late(last: Duration)
  /// None for too long: the line must be taken for dead, connected or not.
  case silent
  /// The feed is at its end.
  case over

  enum Event {
    case line(ConnectionState)
    /// Any message of the connection, or the answer to a ping.
    case sign
    /// Nothing but time.
    case time
    /// No event will follow.
    case end
  }

  /// Without limits a line is never stale by silence.
  mutating func apply(_ event: Event, at now: Duration, limits: SilenceLimits?) {
    switch (event, self) {
    // A line that has recovered was up before, and is only as sound as it was.
    case (.line(.live), .late), (.line(.live), .silent): break
    case (.line(.live), _), (.line(.recovering), _): self = .sound(last: now)
    case (.line(.ended), _), (.line(.failed), _), (.end, _): self = .over
    // What failed can be tried again; what was missed meanwhile is in the dump to come.
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

  /// When time alone changes the state next, unless there is a sign of life before.
  func deadline(limits: SilenceLimits?) -> Duration? {
    switch self {
    case .sound(let last): limits?.deadline(after: last)
    case .late(let last): limits?.locked.map { last + $0 }
    case .down, .silent, .over: nil
    }
  }

  /// When a line that is late last gave a sign of life.
  var lastSign: Duration? { if case .late(let last) = self { last } else { nil } }

  /// What channels need to know of it.
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

/// How the line is, as the provider tells its channels.
struct ConnectionUpdate: Sendable {
  /// Of two, the later has the higher: two tasks tell, so an older one may come last, and is none then.
  var number: UInt64 = 0
  var connection = ConnectionState.idle
  var pulse = HeartbeatMonitor.Grade.down
  /// Milliseconds since 1970.
  var time: Int64 = 0
  /// When a line that is late last gave a sign of life, in milliseconds since 1970.
  var lastSign: Int64?
}
