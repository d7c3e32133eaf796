import Localization

/// How the play of a recording stands.
package struct Playback: Hashable, Sendable {
  /// How fast it is played.
  package enum Speed: Hashable, Sendable {
    /// Times the pace at which it was recorded; above zero.
    case times(Double)
    /// As fast as it can be.
    case max
  }

  /// What the arrow keys jump.
  static let step = Duration.seconds(10)

  /// From the recording's beginning, by its own time.
  package var position: Duration
  /// Of the whole recording.
  package var duration: Duration
  package var speed: Speed
  package var isPaused: Bool
  /// How many jumps there were.
  package var jumps: Int

  /// A play.
  package init(
    position: Duration, duration: Duration, speed: Speed = .times(1), isPaused: Bool = false, jumps: Int = 0
  ) {
    self.jumps = jumps
    self.position = position
    self.duration = duration
    self.speed = speed
    self.isPaused = isPaused
  }

  /// Where it stands after some time.
  func position(after time: Duration) -> Duration {
    guard isMoving, case .times(let factor) = speed else { return position }
    return max(position, min(duration, position + time * factor))
  }

  /// How long until it stands at a position; nil where it does not get there by itself, or the feed's own frames take it
  /// along.
  func wait(until other: Duration) -> Duration? {
    guard isMoving, case .times(let factor) = speed, other <= duration else { return nil }
    return (other - position) / factor
  }

  private var isMoving: Bool { !isPaused && position < duration }

  /// In seconds. The figure rests, or moves about once a second, whatever the speed.
  var shownPosition: Int { isMoving ? seconds(position) / grain * grain : seconds(position) }

  /// In seconds.
  var shownDuration: Int { seconds(duration) }

  /// How long until another position is shown; nil while it rests, or where the feed's own frames take it along.
  var untilNextSecond: Duration? {
    wait(until: min(.seconds(shownPosition + grain), duration))
  }

  /// The figure moves by this much while the recording is played, in seconds.
  private var grain: Int {
    switch speed {
    case .times(let factor): max(1, Int(factor.rounded(.up)))
    case .max: max(1, seconds(duration) / 20)
    }
  }

  private func seconds(_ time: Duration) -> Int { Int(time.components.seconds) }
}

/// What the header says of a play.
struct PlaybackLine: Equatable {
  var position: Int
  var duration: Int
  var speed: Playback.Speed
  var isPaused: Bool

  init(_ playback: Playback) {
    position = playback.shownPosition
    duration = playback.shownDuration
    speed = playback.speed
    isPaused = playback.isPaused
  }

  /// "01:23/05:00"
  var time: String { "\(clock(position))/\(clock(duration))" }

  /// A position, in as many parts as the duration.
  static func clock(_ seconds: Int, of duration: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let minutes = "\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    return duration < 3600 ? minutes : "\(seconds / 3600):\(minutes)"
  }

  /// "10x", "0.25x", "max"
  func pace(_ words: Catalog) -> String {
    guard case .times(let factor) = speed else { return words(.playbackMax) }
    let hundredths = Int((factor * 100).rounded())
    let (whole, rest) = (hundredths / 100, hundredths % 100)
    let decimals = rest % 10 == 0 ? "\(rest / 10)" : rest < 10 ? "0\(rest)" : "\(rest)"
    let point = Unicode.Scalar(words.decimalPoint)
    return words(.playbackTimes, rest == 0 ? "\(whole)" : "\(whole)\(point)\(decimals)")
  }

  private func clock(_ seconds: Int) -> String { Self.clock(seconds, of: duration) }
}
