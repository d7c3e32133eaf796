import EveryMatrix
import TestSupport
import Testing

@testable import FeedRecording
@testable import OddsFeed
@testable import OddsModel

struct RecordingPlaybackTests {
  private let file: TemporaryFile
  private let recording: Recording
  private let a = Subscription(topic: Topic(path: "/a"), generation: 1)
  private let b = Subscription(topic: Topic(path: "/b"), generation: 2)

  /// Topic a: dumps at 0 and 20 s, updates at 5, 10, 15, 25 s. Topic b: a dump at 1 s, an update at 30 s.
  init() throws {
    let (dump, update) = (FeedText.dump(), FeedText.update())
    file = TemporaryFile(
      [
        recorded(0, dump), recorded(1000, dump, topic: "/b"), recorded(5000, update), recorded(10_000, update),
        recorded(15_000, update), recorded(20_000, dump), recorded(25_000, update),
        recorded(30_000, update, topic: "/b"),
      ].joined(separator: "\n") + "\n")
    recording = try Recording(descriptor: file.descriptor, format: EveryMatrixFormat())
  }

  private func playback(_ speed: PlaybackSpeed) -> RecordingPlayback {
    var playback = RecordingPlayback(recording: recording, speed: speed)
    #expect(playback.step(at: .zero) == .state(.live))
    #expect(playback.step(at: .zero) == .rest(until: nil))
    return playback
  }

  private func lines(_ range: Range<Int>, reset: Bool = false) -> RecordingPlayback.Step {
    .lines(a, topic: 0, range, afterReset: reset)
  }

  @Test(
    "Each line is due at its time divided by the speed, and the end at the end of the recording",
    arguments: [1, 10, 0.5, 1000, 0.01])
  func pace(speed: Double) {
    var playback = playback(.times(speed))
    func at(_ seconds: Double) -> Duration { .seconds(7) + .seconds(seconds / speed) }
    playback.subscribe(a, at: at(0))
    #expect(playback.step(at: at(0)) == lines(0..<1))
    for (index, seconds) in [5.0, 10, 15, 20, 25].enumerated() {
      #expect(playback.step(at: at(seconds - 0.01)) == .rest(until: at(seconds)))
      #expect(playback.step(at: at(seconds)) == lines(index + 1..<index + 2))
    }
    #expect(playback.step(at: at(29.99)) == .rest(until: at(30)))
    #expect(playback.status(at: at(28)).position == .seconds(28))
    #expect(playback.step(at: at(30)) == .state(.ended))
    #expect(playback.step(at: at(99)) == .rest(until: nil))
    #expect(playback.status(at: at(99)).position == .seconds(30))
  }

  @Test("At full speed all lines are played at once, then the end")
  func fullSpeed() {
    var playback = playback(.max)
    playback.subscribe(a, at: .zero)
    #expect(playback.step(at: .zero) == lines(0..<6))
    #expect(playback.step(at: .zero) == .state(.ended))
    #expect(playback.status(at: .zero).position == .seconds(30))
  }

  @Test("While paused, no line is played and the position stays; playback continues from there")
  func pause() {
    var playback = playback(.times(1))
    playback.subscribe(a, at: .zero)
    #expect(playback.step(at: .zero) == lines(0..<1))
    playback.setPaused(true, at: .seconds(4))
    #expect(playback.step(at: .seconds(500)) == .rest(until: nil))
    #expect(playback.status(at: .seconds(500)).position == .seconds(4))
    playback.setPaused(false, at: .seconds(1000))
    #expect(playback.step(at: .seconds(1000)) == .rest(until: .seconds(1001)))
    playback.setSpeed(.times(2), at: .seconds(1000))
    #expect(playback.step(at: .seconds(1000)) == .rest(until: .milliseconds(1_000_500)))
    #expect(playback.step(at: .milliseconds(1_000_500)) == lines(1..<2))
  }

  @Test("A clock reading from before the last change counts as the time of that change")
  func earlierReading() {
    var playback = playback(.times(1))
    playback.subscribe(a, at: .seconds(7))
    #expect(playback.step(at: .seconds(6)) == lines(0..<1))
    #expect(playback.step(at: .seconds(6)) == .rest(until: .seconds(12)))
    #expect(playback.status(at: .seconds(6)).position == .zero)
  }

  @Test("A jump forward plays the skipped lines at once")
  func forward() {
    var playback = playback(.times(1))
    playback.subscribe(a, at: .zero)
    #expect(playback.step(at: .seconds(1)) == lines(0..<1))
    playback.setPaused(true, at: .seconds(1))
    playback.seek(by: .seconds(10), at: .seconds(1))
    #expect(playback.step(at: .seconds(1)) == lines(1..<3))
    #expect(playback.status(at: .seconds(9)).position == .seconds(11))
    playback.seek(by: .seconds(100), at: .seconds(1))
    #expect(playback.step(at: .seconds(1)) == lines(3..<6))
    #expect(playback.step(at: .seconds(1)) == .state(.ended))
  }

  @Test("A jump back starts with the last dump before its target; after the end, it makes the feed live again")
  func back() {
    var playback = playback(.times(1))
    playback.subscribe(a, at: .zero)
    #expect(playback.step(at: .seconds(30)) == lines(0..<6))
    #expect(playback.step(at: .seconds(30)) == .state(.ended))
    playback.seek(by: .seconds(-9), at: .seconds(40))
    #expect(playback.step(at: .seconds(40)) == .state(.live))
    #expect(playback.step(at: .seconds(40)) == lines(4..<5))
    #expect(playback.step(at: .seconds(40)) == .rest(until: .seconds(44)))
    playback.seek(by: .seconds(-10), at: .seconds(40))
    #expect(playback.step(at: .seconds(40)) == lines(0..<3))
    playback.seek(by: .seconds(-100), at: .seconds(41))
    #expect(playback.step(at: .seconds(41)) == lines(0..<1))
    #expect(playback.status(at: .seconds(41)).position == .zero)
  }

  @Test("A jump to a position equals a relative jump to it, limited to the recording")
  func absolute() {
    for target in [-5, 0, 3, 11, 12, 30, 1000] {
      var (steps, positions) = (playback(.times(1)), playback(.times(1)))
      for now in [0, 4] {
        if now == 0 {
          steps.subscribe(a, at: .zero)
          positions.subscribe(a, at: .zero)
        } else {
          steps.seek(by: .seconds(target - now), at: .seconds(now))
          positions.seek(to: .seconds(target), at: .seconds(now))
        }
        for _ in 0..<3 { #expect(steps.step(at: .seconds(now)) == positions.step(at: .seconds(now)), "\(target)") }
        #expect(steps.status(at: .seconds(now)) == positions.status(at: .seconds(now)))
      }
      #expect(positions.status(at: .seconds(4)).jumps == 1)
    }
  }

  @Test("A jump back that passes no line replays nothing")
  func backOverNothing() {
    var playback = playback(.times(1))
    playback.subscribe(a, at: .zero)
    #expect(playback.step(at: .seconds(14)) == lines(0..<3))
    playback.seek(by: .seconds(-3), at: .seconds(14))
    #expect(playback.step(at: .seconds(14)) == .rest(until: .seconds(18)))
    playback.seek(by: .seconds(100), at: .seconds(14))
    #expect(playback.step(at: .seconds(14)) == lines(3..<6))
    #expect(playback.step(at: .seconds(14)) == .state(.ended))
    // After the end, the feed becomes live again in any case.
    playback.seek(by: .seconds(-1), at: .seconds(14))
    #expect(playback.step(at: .seconds(14)) == .state(.live))
    #expect(playback.step(at: .seconds(14)) == lines(4..<6))
  }

  @Test("A second jump back before the first is read still resets the reader")
  func backTwice() {
    var playback = playback(.times(1))
    playback.subscribe(b, at: .zero)
    #expect(playback.step(at: .seconds(30)) == .lines(b, topic: 1, 0..<2, afterReset: false))
    playback.seek(by: .seconds(-10), at: .seconds(30))
    playback.seek(by: .seconds(-100), at: .seconds(30))
    #expect(playback.step(at: .seconds(30)) == .lines(b, topic: 1, 0..<0, afterReset: true))
    playback.seek(by: .seconds(1), at: .seconds(30))
    #expect(playback.step(at: .seconds(30)) == .lines(b, topic: 1, 0..<1, afterReset: false))
  }

  @Test("A jump back to before the topic's first dump resets the reader")
  func backToNothing() {
    var playback = playback(.times(1))
    playback.subscribe(b, at: .zero)
    #expect(playback.step(at: .seconds(2)) == .lines(b, topic: 1, 0..<1, afterReset: false))
    playback.seek(by: .seconds(-10), at: .seconds(2))
    #expect(playback.step(at: .seconds(2)) == .lines(b, topic: 1, 0..<0, afterReset: true))
    #expect(playback.step(at: .seconds(2)) == .rest(until: .seconds(3)))
    #expect(playback.step(at: .seconds(3)) == .lines(b, topic: 1, 0..<1, afterReset: false))
  }

  @Test("At full speed, a jump back pauses at its target")
  func backAtFullSpeed() {
    var playback = playback(.max)
    playback.subscribe(a, at: .zero)
    #expect(playback.step(at: .zero) == lines(0..<6))
    #expect(playback.step(at: .zero) == .state(.ended))
    playback.seek(by: .seconds(-10), at: .zero)
    #expect(playback.step(at: .zero) == .state(.live))
    #expect(playback.step(at: .zero) == lines(4..<5))
    #expect(playback.step(at: .zero) == .rest(until: nil))
    #expect(playback.status(at: .zero).isPaused)
    playback.setPaused(false, at: .zero)
    #expect(playback.step(at: .zero) == lines(5..<6))
    #expect(playback.step(at: .zero) == .state(.ended))
  }

  @Test("A new topic starts with its last dump before the position, even at the end; an unknown one has no lines")
  func otherTopic() {
    var playback = playback(.times(1))
    playback.subscribe(b, at: .zero)
    playback.unsubscribe(b)
    playback.subscribe(a, at: .seconds(26))
    #expect(playback.step(at: .seconds(26)) == lines(4..<6))
    #expect(playback.step(at: .seconds(30)) == .state(.ended))
    playback.unsubscribe(a)
    playback.subscribe(Subscription(topic: Topic(path: "/none"), generation: 3), at: .seconds(31))
    #expect(playback.step(at: .seconds(31)) == .rest(until: nil))
    playback.subscribe(b, at: .seconds(31))
    #expect(playback.step(at: .seconds(31)) == .state(.live))
    #expect(playback.step(at: .seconds(31)) == .lines(b, topic: 1, 0..<2, afterReset: false))
    #expect(playback.step(at: .seconds(31)) == .state(.ended))
    playback.stop()
    #expect(playback.step(at: .seconds(31)) == .over)
  }
}
