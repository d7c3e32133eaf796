package import FeedClient
package import FeedSimulator
package import OddsFeed

/// A recording as a feed: its topics, at its own pace or another. It is played from the moment at which it is made, whether
/// or not somebody listens; where it loops, a dump begins each round.
package struct RecordedFeed: PlayedFeed {
  private struct Track {
    let topic: Topic
    var state = RecordedState()
    var isOpen = false
    /// A dump was asked for since the last message: who has it lacks what still waits.
    var owesPending = false
  }

  /// What one call of `advance` plays at most, in pieces of the recording.
  private static let mostPieces = 16

  private let recording: Recording
  private let speed: PlaybackSpeed
  private let loops: Bool
  private var playback: RecordingPlayback
  private var tracks: [Track]
  private let onFailure: @Sendable (Recording.Failure) -> Void

  /// A recording from its beginning. `uptime` is now, in nanoseconds. `onFailure` hears why the play ended before the
  /// recording did.
  package init(
    recording: Recording, speed: PlaybackSpeed = .times(1), loops: Bool = false, uptime: UInt64,
    onFailure: @escaping @Sendable (Recording.Failure) -> Void = { _ in }
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
    // Where nobody listens, what went by is played at once: who comes then must not be late.
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
        do throws(Recording.Failure) {
          let messages = take(try recording.read(topic, places, afterReset: false), of: topic)
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

  /// What makes listeners forget, where a topic's round does not begin with a dump.
  private mutating func emptied() -> [TopicMessages] {
    tracks.indices.filter { tracks[$0].isOpen && recording.lastDump($0, by: 0) == nil }.map {
      TopicMessages(topic: tracks[$0].topic, messages: [tracks[$0].state.dump()])
    }
  }

  /// What the readers of a dump lack. It says nothing new to the others, for whom it waits already.
  private mutating func pending() -> [TopicMessages] {
    var all: [TopicMessages] = []
    for place in tracks.indices where tracks[place].owesPending {
      tracks[place].owesPending = false
      let messages = tracks[place].isOpen ? tracks[place].state.pendingUpdates : []
      if !messages.isEmpty { all.append(TopicMessages(topic: tracks[place].topic, messages: messages)) }
    }
    return all
  }

  private mutating func take(_ lines: [UInt8], of topic: Int) -> [[UInt8]] {
    var messages: [[UInt8]] = []
    lines.withUnsafeBufferPointer { bytes in
      bytes.eachLine(in: 0..<bytes.count) { place in
        let line = UnsafeBufferPointer(rebasing: bytes[place])
        guard let range = RecordedState.message(in: line), !range.isEmpty else { return }
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
