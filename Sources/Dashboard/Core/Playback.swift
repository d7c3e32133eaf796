import Localization

/// The state of a recording's playback.
package struct Playback: Hashable, Sendable {
  package enum Speed: Hashable, Sendable {
    /// A multiple of the recorded pace; greater than zero.
    case times(Double)
    case max
  }

  /// The length of one jump.
  static let step = Duration.seconds(10)

  /// The time since the recording's beginning, in the recording's own time.
  package var position: Duration
  package var duration: Duration
  package var speed: Speed
  package var isPaused: Bool
  /// The number of jumps so far. A change tells a jump from playback that has moved on.
  package var jumps: Int

  package init(
    position: Duration, duration: Duration, speed: Speed = .times(1), isPaused: Bool = false, jumps: Int = 0
  ) {
    self.jumps = jumps
    self.position = position
    self.duration = duration
    self.speed = speed
    self.isPaused = isPaused
  }

  /// Returns the position after an elapsed real time, at most `duration`.
  func position(after time: Duration) -> Duration {
    guard isMoving, case .times(let factor) = speed else { return position }
    return max(position, min(duration, position + time * factor))
  }

  /// Returns the real time until the playback reaches a position. Nil if it does not get there by itself, or at maximum
  /// speed, where the feed's own frames advance it.
  func wait(until other: Duration) -> Duration? {
    guard isMoving, case .times(let factor) = speed, other <= duration else { return nil }
    return (other - position) / factor
  }

  var isMoving: Bool { !isPaused && position < duration }

  /// The position to show, in seconds. While playing it advances about once a second of real time, at any speed.
  var shownPosition: Int { isMoving ? position.wholeSeconds / grain * grain : position.wholeSeconds }

  /// The real time until another position is shown; nil if it does not change by itself.
  var timeToNextSecond: Duration? { wait(until: min(.seconds(shownPosition + grain), duration)) }

  /// The step of the shown position during playback, in seconds.
  private var grain: Int {
    switch speed {
    case .times(let factor): max(1, Int(factor.rounded(.up)))
    case .max: max(1, duration.wholeSeconds / 20)
    }
  }

  /// The playback as shown in the header, which changes only when its text does.
  var shown: Playback {
    Playback(
      position: .seconds(shownPosition), duration: .seconds(duration.wholeSeconds), speed: speed, isPaused: isPaused)
  }

  /// Returns the number of cells of a bar that are played. All of them only at the end.
  func progress(of count: Int) -> Int {
    position >= duration ? count : Int(Double(count) * (position / duration))
  }

  /// Returns the position of a cell of a bar: the beginning for the first cell, and the end for the last.
  func position(ofCell index: Int, of count: Int) -> Duration { count > 1 ? duration * index / (count - 1) : .zero }

  /// Position and duration: "01:23/05:00".
  var time: String {
    let seconds = duration.wholeSeconds
    return "\(Self.clock(position.wholeSeconds, of: seconds))/\(Self.clock(seconds, of: seconds))"
  }

  /// Returns a position as minutes and seconds, with hours if the duration has hours.
  static func clock(_ seconds: Int, of duration: Int) -> String {
    let minutes = "\((seconds / 60 % 60).twoDigits):\((seconds % 60).twoDigits)"
    return duration < 3600 ? minutes : "\(seconds / 3600):\(minutes)"
  }

  /// Returns the speed: "10x", "0.25x" or "max".
  func pace(_ words: Catalog) -> String {
    guard case .times(let factor) = speed else { return words(.playbackMax) }
    return words(.playbackTimes, Int((factor * 100).rounded()).asHundredths(point: words.decimalPoint))
  }
}
