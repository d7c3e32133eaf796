package import OddsFeed

/// How fast a recording is played.
public enum PlaybackSpeed: Hashable, Sendable {
  /// Times the pace at which it was recorded, within `range`.
  case times(Double)
  /// As fast as its reader reads.
  case max

  /// The slowest and the fastest pace.
  public static let range = 0.01...1000
}

/// Where the play of a recording stands.
public struct PlaybackStatus: Hashable, Sendable {
  /// From the recording's beginning, by its own time.
  public var position: Duration
  /// Of the whole recording.
  public var duration: Duration
  /// While it is not paused.
  public var speed: PlaybackSpeed
  /// True while the play rests.
  public var isPaused: Bool
  /// The number of jumps so far.
  public var jumps = 0
}

/// The play of a recording as a value: it takes what is asked of it and the time at which it is, and says what comes next.
package struct RecordingPlayback {
  /// What a reader is to be given next.
  package enum Step: Equatable {
    case state(ConnectionState)
    /// Lines of a topic: places in its track. `afterReset`: what the reader knows is to be forgotten first.
    case lines(Subscription, topic: Int, Range<Int>, afterReset: Bool)
    /// Nothing before that time, or before something else is asked.
    case rest(until: Duration?)
    /// Nothing any more.
    case over
  }

  private struct Cursor {
    let subscription: Subscription
    let topic: Int
    /// The place of the line that comes next.
    var next: Int
    var mustReset = false
    /// True from a jump back until the reader is given what it brings: till then the reader knows too much.
    var isBehind = false
  }

  /// At least one line, and as many more as fit into this, are given at once. In bytes.
  private static let portion: Int64 = 1 << 18

  let recording: Recording
  private(set) var speed: PlaybackSpeed
  private(set) var isPaused = false
  private var jumps = 0
  private var cursors: [Cursor] = []
  /// Where the play was at `since`, in milliseconds by the recording's own time.
  private var mark = 0.0
  /// Nil until somebody subscribes.
  private var since: Duration?
  /// What the reader was last told.
  private var told: ConnectionState?
  private var isOver = false

  package init(recording: Recording, speed: PlaybackSpeed) {
    self.recording = recording
    // Without times there is no pace.
    self.speed = recording.hasTimes ? speed : .max
  }

  func status(at now: Duration) -> PlaybackStatus {
    PlaybackStatus(
      position: .milliseconds(Int64(position(at: now))), duration: recording.duration, speed: speed, isPaused: isPaused,
      jumps: jumps)
  }

  // MARK: What is asked

  /// The first reader begins at the recording's beginning, a later one with the last dump before the present position;
  /// it hears at once what came since.
  package mutating func subscribe(_ subscription: Subscription, at now: Duration) {
    guard !isOver, !cursors.contains(where: { $0.subscription == subscription }),
      let topic = recording.topics.firstIndex(of: subscription.topic)
    else { return }
    let begin = since == nil ? 0 : recording.lastDump(topic, by: Self.whole(position(at: now))) ?? 0
    since = since ?? now
    cursors.append(Cursor(subscription: subscription, topic: topic, next: begin))
  }

  mutating func unsubscribe(_ subscription: Subscription) {
    cursors.removeAll { $0.subscription == subscription }
  }

  mutating func setPaused(_ paused: Bool, at now: Duration) {
    move(to: position(at: now), at: now)
    isPaused = paused
  }

  mutating func setSpeed(_ speed: PlaybackSpeed, at now: Duration) {
    guard recording.hasTimes else { return }
    move(to: position(at: now), at: now)
    self.speed = speed
  }

  /// Jumps, by the recording's own time; never beyond its ends.
  mutating func seek(by step: Duration, at now: Duration) {
    let old = position(at: now)
    let target = Swift.max(0, Swift.min(old + step / .milliseconds(1), Double(recording.length)))
    move(to: target, at: now)
    jumps += 1
    guard target < old else { return }
    // At full speed it would be back before anybody had looked.
    if speed == .max { isPaused = true }
    for at in cursors.indices { restart(&cursors[at], at: Self.whole(target)) }
  }

  package mutating func stop() {
    isOver = true
    cursors = []
  }

  /// The line to the feed has failed: that is the last that is told.
  mutating func fail(_ why: FeedError) -> ConnectionState {
    stop()
    return .failed(why)
  }

  // MARK: What comes

  package mutating func step(at now: Duration) -> Step {
    if isOver { return .over }
    if told == nil { return tell(.live) }
    guard let since, !cursors.isEmpty else { return .rest(until: nil) }
    let reach = reach(at: now)
    for at in cursors.indices {
      let cursor = cursors[at]
      let lines = due(cursor, by: reach)
      guard !lines.isEmpty || cursor.mustReset else { continue }
      // After its end the recording lives again.
      if told == .ended { return tell(.live) }
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
      return told == .ended ? .rest(until: nil) : tell(.ended)
    }
    guard !isPaused, case .times(let factor) = speed else { return .rest(until: nil) }
    let next = cursors.reduce(recording.length) { next, cursor in
      cursor.next < recording.tracks[cursor.topic].lines.count
        ? Swift.min(next, recording.time(cursor.topic, cursor.next)) : next
    }
    return .rest(until: since + .milliseconds(1) * ((Double(next) - mark) / factor))
  }

  private mutating func tell(_ state: ConnectionState) -> Step {
    told = state
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
    // Nothing that was given came after the target: nothing is to be taken back, unless a reader that was told of the end
    // has to hear again that it lives.
    let hasNone = cursor.next == 0 || recording.time(cursor.topic, cursor.next - 1) <= target
    if hasNone, !cursor.isBehind, told != .ended { return }
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

  /// In milliseconds by the recording's own time.
  private func position(at now: Duration) -> Double {
    guard let since, !isPaused, case .times(let factor) = speed else { return mark }
    return Swift.min(Double(recording.length), mark + (now - since) / .milliseconds(1) * factor)
  }

  /// Lines up to this time are due.
  private func reach(at now: Duration) -> UInt32 {
    speed == .max && !isPaused && since != nil ? recording.length : Self.whole(position(at: now))
  }

  /// A sum of fractions may lie a trifle below the millisecond that is meant.
  private static func whole(_ position: Double) -> UInt32 { UInt32(Swift.min(position + 1e-6, Double(UInt32.max))) }
}
