import EveryMatrix
package import FeedRecording
package import FeedSimulator
import JSONText
import OddsFeed
package import OddsModel

/// A feed that plays a recording, at its own pace or another. Playback begins when the feed is created, even if no
/// topic is open. If it loops, each round begins with a dump.
package struct RecordedFeed: PlayedFeed {
  private struct Track {
    let topic: Topic
    var state = RecordedState()
    var isOpen = false
    /// True if a dump was requested since the last message: the dump lacks the pending updates.
    var owesPending = false
  }

  /// The maximum number of pieces of the recording that one call of `advance` plays.
  private static let mostPieces = 16

  private let recording: Recording
  private let speed: PlaybackSpeed
  private let loops: Bool
  private var playback: RecordingPlayback
  private var tracks: [Track]
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
    playback = RecordingPlayback(recording: recording, speed: speed)
    begin(at: uptime)
  }

  package var interval: UInt64 { 20_000_000 }

  package mutating func open(_ topic: Topic) -> Bool { setOpen(true, topic) }
  package mutating func close(_ topic: Topic) { _ = setOpen(false, topic) }

  package mutating func dump(of topic: Topic) -> [UInt8]? {
    guard let place = tracks.firstIndex(where: { $0.topic == topic }) else { return nil }
    tracks[place].owesPending = true
    return tracks[place].state.dump()
  }

  package mutating func advance(to uptime: UInt64) -> [TopicMessages] {
    var all = pending()
    // While no topic is open, the elapsed part is played at once, so that a later subscriber gets the current state.
    let most = tracks.contains(where: \.isOpen) || speed == .max ? Self.mostPieces : .max
    for _ in 0..<most {
      switch playback.step(at: .nanoseconds(uptime)) {
      case .state(.ended):
        guard loops else { return all }
        begin(at: uptime)
        all += emptied()
      case .state: continue
      case .rest, .over: return all
      case .lines(_, let topic, let places, _):
        do throws(RecordingError) {
          let messages = apply(try recording.read(topic, places, afterReset: false), of: topic)
          if tracks[topic].isOpen { all.append(TopicMessages(topic: tracks[topic].topic, messages: messages)) }
        } catch {
          onFailure(error)
          playback.stop()
        }
      }
    }
    return all
  }

  private mutating func begin(at uptime: UInt64) {
    playback = RecordingPlayback(recording: recording, speed: speed)
    for (place, track) in tracks.enumerated() {
      tracks[place].state = RecordedState()
      playback.subscribe(Subscription(topic: track.topic, generation: 1), at: .nanoseconds(uptime))
    }
  }

  /// Returns empty dumps that clear the state of open topics whose recording does not begin with a dump.
  private mutating func emptied() -> [TopicMessages] {
    tracks.indices.filter { tracks[$0].isOpen && recording.lastDump($0, by: 0) == nil }.map {
      TopicMessages(topic: tracks[$0].topic, messages: [tracks[$0].state.dump()])
    }
  }

  /// Returns the pending updates of the topics for which a dump was requested. Other subscribers already hold them as
  /// pending, so they change nothing there.
  private mutating func pending() -> [TopicMessages] {
    var all: [TopicMessages] = []
    for place in tracks.indices where tracks[place].owesPending {
      tracks[place].owesPending = false
      let messages = tracks[place].isOpen ? tracks[place].state.pendingUpdates : []
      if !messages.isEmpty { all.append(TopicMessages(topic: tracks[place].topic, messages: messages)) }
    }
    return all
  }

  private mutating func apply(_ lines: [UInt8], of topic: Int) -> [[UInt8]] {
    var messages: [[UInt8]] = []
    lines.withUnsafeBufferPointer { bytes in
      bytes.eachLine(in: 0..<bytes.count) { place in
        let line = UnsafeBufferPointer(rebasing: bytes[place])
        guard let range = RecordingLine(line, recording.format)?.object(in: line) else { return }
        let message = UnsafeBufferPointer(rebasing: line[range])
        tracks[topic].state.apply(message)
        messages.append(Array(message))
      }
    }
    return messages
  }

  private mutating func setOpen(_ isOpen: Bool, _ topic: Topic) -> Bool {
    guard let place = tracks.firstIndex(where: { $0.topic == topic }) else { return false }
    tracks[place].isOpen = isOpen
    return true
  }
}
