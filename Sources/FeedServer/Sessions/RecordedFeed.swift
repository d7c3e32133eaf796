import EveryMatrix
package import FeedRecording
package import FeedSimulator
import JSONText
import OddsFeed
package import OddsModel

/// A feed that plays a recording, at its own pace or another. Playback begins when the feed is created, even if no
/// topic is open. If it loops, each round begins with a dump. A round that takes no time is restarted only while a
/// topic is open, and at most once in each call of `advance(to:)`.
///
/// After a long time without `advance(to:)`, playback continues at the current position, in the current round, with the
/// last dump of each topic before it. Open topics get an INITIAL_DUMP in place of the messages of that time.
package struct RecordedFeed: PlayedFeed {
  private struct Track {
    let topic: Topic
    var state = RecordedState()
    var isOpen = false
    /// True if the messages of an open topic were skipped: its next message is a dump.
    var needsDump = false
  }

  /// The maximum number of pieces of the recording that one call of `advance` plays.
  private static let maxPieces = 16
  /// The time that is played message by message for open topics, in milliseconds of the recording's own time.
  private static let longestCatchUp = 600_000.0
  /// The size of the dumps, in bytes, at which one call of `advance(to:)` leaves further ones to the next call.
  private static let dumpLimit = 4 << 20

  private let recording: Recording
  private let speed: PlaybackSpeed
  private let loops: Bool
  private var playback: RecordingPlayback
  private var tracks: [Track]
  /// The indices in `tracks`.
  private let indices: [Topic: Int]
  /// The uptime at which the current round began, in nanoseconds.
  private var roundStart: UInt64
  /// The time that a round takes, in nanoseconds; 0 without times, or at full speed.
  private let round: UInt64
  /// The uptime of the last call of `advance(to:)`, in nanoseconds.
  private var played: UInt64
  /// True from the end of a round until the next one begins.
  private var isRoundOver = false
  /// True from a skip until the position is reached.
  private var isCatchingUp = false
  private let onFailure: @Sendable (RecordingError) -> Void

  /// Creates a feed that plays a recording from its beginning.
  ///
  /// - Parameters:
  ///   - loops: True to start over at the end.
  ///   - uptime: The current uptime, in nanoseconds.
  ///   - onFailure: Called with the error that ends playback before the end of the recording.
  package init(
    recording: Recording, speed: PlaybackSpeed = .times(1), loops: Bool = false, uptime: UInt64,
    onFailure: @escaping @Sendable (RecordingError) -> Void = { _ in }
  ) {
    self.onFailure = onFailure
    self.recording = recording
    self.speed = speed
    self.loops = loops
    tracks = recording.topics.map { Track(topic: $0) }
    indices = Dictionary(recording.topics.enumerated().map { ($1, $0) }) { first, _ in first }
    playback = RecordingPlayback(recording: recording, speed: speed)
    if case .times(let factor) = speed, recording.hasTimes {
      round = UInt64(recording.duration / .nanoseconds(1) / factor)
    } else {
      round = 0
    }
    roundStart = uptime
    played = uptime
    begin(at: uptime)
  }

  package var interval: UInt64 { 20_000_000 }
  package var end: UInt64? { loops ? nil : roundStart + round }
  package var hasEnded: Bool { isRoundOver && !loops }

  /// Opens a topic. Returns false if the recording does not have it.
  package mutating func open(_ topic: Topic) -> Bool {
    guard let index = indices[topic] else { return false }
    if !tracks[index].isOpen { tracks[index].needsDump = isCatchingUp }
    tracks[index].isOpen = true
    return true
  }

  package mutating func close(_ topic: Topic) {
    guard let index = indices[topic] else { return }
    tracks[index].isOpen = false
    tracks[index].needsDump = false
  }

  package mutating func dump(of topic: Topic) -> (@Sendable () -> [UInt8])? {
    indices[topic].map { tracks[$0].state.dumpBuilder() }
  }

  package mutating func advance(to uptime: UInt64) -> [TopicMessages] {
    skipLongGap(before: uptime)
    return pending() + play(to: uptime) + dumps()
  }

  // MARK: Playback

  private mutating func play(to uptime: UInt64) -> [TopicMessages] {
    var all: [TopicMessages] = []
    let isOpen = tracks.contains(where: \.isOpen)
    if loops, isRoundOver, isOpen { all += restart(at: uptime) }
    // While no topic is open, the elapsed part is played at once, so that a later subscriber gets the current state.
    let most = isOpen || speed == .max ? Self.maxPieces : .max
    for _ in 0..<most {
      switch playback.step(at: .nanoseconds(uptime)) {
      case .state(.ended):
        isCatchingUp = false
        isRoundOver = true
        // The next call restarts a round that takes no time. This call would restart it without end.
        guard loops, round > 0 else { return all }
        all += restart(at: uptime)
      case .state: continue
      case .rest, .over:
        isCatchingUp = false
        return all
      case .lines(_, let topic, let range, _):
        do throws(RecordingError) {
          let messages = apply(try recording.read(topic, range, afterReset: false), of: topic)
          if tracks[topic].isOpen, !tracks[topic].needsDump {
            all.append(TopicMessages(topic: tracks[topic].topic, messages: messages))
          }
        } catch {
          onFailure(error)
          playback.stop()
        }
      }
    }
    return all
  }

  /// Begins the next round. Returns empty dumps that clear the state of open topics whose recording does not begin with
  /// a dump.
  private mutating func restart(at uptime: UInt64) -> [TopicMessages] {
    begin(at: uptime)
    return tracks.indices.filter { tracks[$0].isOpen && recording.lastDump($0, by: 0) == nil }.map {
      TopicMessages(topic: tracks[$0].topic, messages: [tracks[$0].state.dump()])
    }
  }

  private mutating func begin(at uptime: UInt64) {
    roundStart = uptime
    isRoundOver = false
    playback = RecordingPlayback(recording: recording, speed: speed)
    for (index, track) in tracks.enumerated() {
      tracks[index].state = RecordedState()
      playback.subscribe(Subscription(topic: track.topic, generation: 1), at: .nanoseconds(uptime))
    }
  }

  /// Skips the time since the last call if it is too long to be played message by message.
  private mutating func skipLongGap(before uptime: UInt64) {
    defer { played = max(played, uptime) }
    guard uptime > played, recording.hasTimes, case .times(let factor) = speed,
      Double(uptime - played) / 1_000_000 * factor > Self.longestCatchUp
    else { return }
    isCatchingUp = true
    for index in tracks.indices { tracks[index].needsDump = tracks[index].isOpen }
    if loops, round > 0, uptime - roundStart >= round { begin(at: uptime - (uptime - roundStart) % round) }
    playback.skipToLastDumps(at: .nanoseconds(uptime))
  }

  private mutating func apply(_ lines: [UInt8], of topic: Int) -> [[UInt8]] {
    var messages: [[UInt8]] = []
    lines.withUnsafeBufferPointer { bytes in
      bytes.eachLine(in: 0..<bytes.count) { lineRange in
        let line = UnsafeBufferPointer(rebasing: bytes[lineRange])
        guard let range = RecordingLine(line, recording.format)?.object(in: line) else { return }
        let message = UnsafeBufferPointer(rebasing: line[range])
        tracks[topic].state.apply(message)
        messages.append(Array(message))
      }
    }
    return messages
  }

  // MARK: Dumps

  /// Returns the pending updates of the topics for which a dump was requested. Other subscribers already hold them as
  /// pending, so they change nothing there.
  private mutating func pending() -> [TopicMessages] {
    var all: [TopicMessages] = []
    for index in tracks.indices where !tracks[index].needsDump {
      let messages = tracks[index].state.takePending()
      guard tracks[index].isOpen, !messages.isEmpty else { continue }
      all.append(TopicMessages(topic: tracks[index].topic, messages: messages))
    }
    return all
  }

  /// Returns the dumps that open topics need, once the position is reached, up to `dumpLimit`, but at least one.
  private mutating func dumps() -> [TopicMessages] {
    var all: [TopicMessages] = []
    guard !isCatchingUp else { return all }
    var size = 0
    for index in tracks.indices where tracks[index].needsDump && size < Self.dumpLimit {
      tracks[index].needsDump = false
      let message = tracks[index].state.dumpBuilder()()
      size += message.count
      all.append(TopicMessages(topic: tracks[index].topic, messages: [message]))
    }
    return all
  }
}
