package import OddsFeed
package import OddsModel

/// The speed of playback.
public enum PlaybackSpeed: Hashable, Sendable {
  /// A multiple of the recorded pace, within `range`.
  case times(Double)
  /// As fast as the reader reads.
  case max

  /// The slowest and the fastest multiple.
  public static let range = 0.01...1000
}

/// The state of a playback.
public struct PlaybackStatus: Hashable, Sendable {
  /// The time since the beginning of the recording, in the recording's own time.
  public var position: Duration
  /// The duration of the whole recording.
  public var duration: Duration
  /// The speed while not paused.
  public var speed: PlaybackSpeed
  /// True while the playback is paused.
  public var isPaused: Bool
  /// The number of jumps so far.
  public var jumps = 0
}

/// The playback of a recording, as a state machine without a clock.
package struct RecordingPlayback {
  package enum Step: Equatable {
    case state(ConnectionState)
    /// Lines of a topic, as indices in its track. If `afterReset` is true, the reader's state must be cleared first.
    case lines(Subscription, topic: Int, Range<Int>, afterReset: Bool)
    /// Nothing until that time or the next request; nil for no time.
    case rest(until: Duration?)
    case over
  }

  private struct Cursor {
    let subscription: Subscription
    let topic: Int
    /// The index of the next line in the topic's track.
    var next: Int
    var mustReset = false
    /// True from a jump back until the reader receives its effect. Until then the reader is ahead of the position.
    var isBehind = false
  }

  /// The size at which one step ends, in bytes. A step has at least one line.
  private static let portion: Int64 = 1 << 18

  let recording: Recording
  /// True to keep the lines of all topics in the order of their times. Each step then has fewer lines.
  private let isOrdered: Bool
  private(set) var speed: PlaybackSpeed
  private(set) var isPaused = false
  private var jumps = 0
  private var cursors: [Cursor] = []
  /// The position at `since`, in milliseconds of the recording's own time.
  private var mark = 0.0
  /// The time of `mark`; nil until the first subscription.
  private var since: Duration?
  /// The state last reported to the reader.
  private var reported: ConnectionState?
  private var isOver = false

  package init(recording: Recording, speed: PlaybackSpeed, isOrdered: Bool = false) {
    self.recording = recording
    self.isOrdered = isOrdered
    // Without times there is no pace.
    self.speed = recording.hasTimes ? speed : .max
  }

  func status(at now: Duration) -> PlaybackStatus {
    PlaybackStatus(
      position: .milliseconds(Int64(position(at: now))), duration: recording.duration, speed: speed, isPaused: isPaused,
      jumps: jumps)
  }

  // MARK: Requests

  /// Adds a subscription. The first one starts at the beginning of the recording. A later one starts with the last dump
  /// before the current position and receives at once what followed it.
  package mutating func subscribe(_ subscription: Subscription, at now: Duration) {
    guard !isOver, !cursors.contains(where: { $0.subscription == subscription }),
      let topic = recording.topics.firstIndex(of: subscription.topic)
    else { return }
    let begin = since == nil ? 0 : recording.lastDump(topic, by: Self.whole(position(at: now))) ?? 0
    since = since ?? now
    cursors.append(Cursor(subscription: subscription, topic: topic, next: begin))
  }

  /// Skips lines that a later dump makes superfluous: each subscription that is behind the position continues with the
  /// last dump that is due, if it has not received it.
  package mutating func skipToLastDumps(at now: Duration) {
    guard since != nil else { return }
    let reach = reach(at: now)
    for at in cursors.indices {
      guard let dump = recording.lastDump(cursors[at].topic, by: reach) else { continue }
      cursors[at].next = Swift.max(cursors[at].next, dump)
    }
  }

  mutating func unsubscribe(_ subscription: Subscription) { cursors.removeAll { $0.subscription == subscription } }

  mutating func setPaused(_ paused: Bool, at now: Duration) {
    move(to: position(at: now), at: now)
    isPaused = paused
  }

  mutating func setSpeed(_ speed: PlaybackSpeed, at now: Duration) {
    guard recording.hasTimes else { return }
    move(to: position(at: now), at: now)
    self.speed = speed
  }

  /// Jumps by a duration of the recording's own time, within the bounds of the recording.
  mutating func seek(by step: Duration, at now: Duration) {
    jump(to: position(at: now) + step / .milliseconds(1), at: now)
  }

  /// Jumps to a position of the recording's own time, within the bounds of the recording.
  mutating func seek(to position: Duration, at now: Duration) { jump(to: position / .milliseconds(1), at: now) }

  /// Jumps to a position in milliseconds.
  private mutating func jump(to position: Double, at now: Duration) {
    let old = self.position(at: now)
    let target = Swift.max(0, Swift.min(position, Double(recording.length)))
    move(to: target, at: now)
    jumps += 1
    guard target < old else { return }
    // At full speed the playback would return at once, so it pauses.
    if speed == .max { isPaused = true }
    for at in cursors.indices { restart(&cursors[at], at: Self.whole(target)) }
  }

  /// Ends the playback: all further steps are `over`.
  package mutating func stop() {
    isOver = true
    cursors = []
  }

  /// Ends the playback with an error, which is the last state reported.
  mutating func fail(_ why: FeedError) -> ConnectionState {
    stop()
    return .failed(why)
  }

  // MARK: Steps

  /// Returns the next step at a time, and considers it done.
  package mutating func step(at now: Duration) -> Step {
    if isOver { return .over }
    if reported == nil { return report(.live) }
    guard let since, !cursors.isEmpty else { return .rest(until: nil) }
    let reach = reach(at: now)
    for at in isOrdered ? earliest : cursors.indices {
      let cursor = cursors[at]
      let lines = due(cursor, by: isOrdered ? min(reach, nextTime(besides: at)) : reach)
      guard !lines.isEmpty || cursor.mustReset else { continue }
      // Playback after the end makes the feed live again.
      if reported == .ended { return report(.live) }
      cursors[at].next = lines.upperBound
      cursors[at].mustReset = false
      cursors[at].isBehind = false
      if speed == .max, !isPaused, let last = lines.last {
        mark = Swift.max(mark, Double(recording.time(cursor.topic, last)))
      }
      return .lines(cursor.subscription, topic: cursor.topic, lines, afterReset: cursor.mustReset)
    }
    if reach >= recording.length {
      move(to: Double(recording.length), at: now)
      return reported == .ended ? .rest(until: nil) : report(.ended)
    }
    guard !isPaused, case .times(let factor) = speed else { return .rest(until: nil) }
    let next = cursors.reduce(recording.length) { Swift.min($0, nextTime(of: $1)) }
    return .rest(until: since + .milliseconds(1) * ((Double(next) - mark) / factor))
  }

  /// Returns the time of a subscription's next line; `UInt32.max` after the last one.
  private func nextTime(of cursor: Cursor) -> UInt32 {
    cursor.next < recording.tracks[cursor.topic].lines.count ? recording.time(cursor.topic, cursor.next) : .max
  }

  private func nextTime(besides index: Int) -> UInt32 {
    cursors.indices.reduce(.max) { $1 == index ? $0 : Swift.min($0, nextTime(of: cursors[$1])) }
  }

  /// The index of the subscription with the earliest next line.
  private var earliest: Range<Int> {
    let index = cursors.indices.min { nextTime(of: cursors[$0]) < nextTime(of: cursors[$1]) }
    return index.map { $0..<$0 + 1 } ?? 0..<0
  }

  private mutating func report(_ state: ConnectionState) -> Step {
    reported = state
    return .state(state)
  }

  private func due(_ cursor: Cursor, by reach: UInt32) -> Range<Int> {
    let count = recording.tracks[cursor.topic].lines.count
    var end = cursor.next
    var size: Int64 = 0
    while end < count, size < Self.portion, recording.time(cursor.topic, end) <= reach {
      size += Int64(recording.bytes(cursor.topic, end).count)
      end += 1
    }
    return cursor.next..<end
  }

  private func restart(_ cursor: inout Cursor, at target: UInt32) {
    // If nothing after the target was received, nothing has to be undone, unless the reader was told of the end.
    let hasNone = cursor.next == 0 || recording.time(cursor.topic, cursor.next - 1) <= target
    if hasNone, !cursor.isBehind, reported != .ended { return }
    cursor.isBehind = true
    let dump = recording.lastDump(cursor.topic, by: target)
    cursor.next = dump ?? 0
    cursor.mustReset = dump == nil
  }

  // MARK: Time

  private mutating func move(to position: Double, at now: Duration) {
    mark = position
    if since != nil { since = now }
  }

  /// Returns the position, in milliseconds of the recording's own time.
  private func position(at now: Duration) -> Double {
    guard let since, !isPaused, case .times(let factor) = speed else { return mark }
    // NB: Another thread may have read the clock before the playback was moved.
    let elapsed = Swift.max(.zero, now - since) / .milliseconds(1)
    return Swift.min(Double(recording.length), mark + elapsed * factor)
  }

  /// Returns the time up to which lines are due.
  private func reach(at now: Duration) -> UInt32 {
    speed == .max && !isPaused && since != nil ? recording.length : Self.whole(position(at: now))
  }

  /// Rounds down to milliseconds, with a tolerance for errors of floating-point sums.
  private static func whole(_ position: Double) -> UInt32 { UInt32(Swift.min(position + 1e-6, Double(UInt32.max))) }
}
