import TestSupport
import Testing

@testable import EveryMatrix
@testable import FeedRecording
@testable import OddsFeed
@testable import OddsModel

struct RecordingLawTests {
  private let subscription = Subscription(topic: Topic(path: "/a"), generation: 1)

  @Test("Playback at any speed, with pauses and jumps in both directions, ends in the same state", arguments: 1...12)
  func sameEnd(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let file = TemporaryFile(randomFeed(&random))
    let recording = try Recording(descriptor: file.descriptor, format: EveryMatrixFormat())
    let expected = try end(of: recording, .max, jumps: 0, &random)
    #expect(!expected.isEmpty, "seed \(seed)")
    for speed in [PlaybackSpeed.times(1), .times(10), .times(1000), .max] {
      #expect(try end(of: recording, speed, jumps: 0, &random) == expected, "seed \(seed), \(speed)")
      #expect(try end(of: recording, speed, jumps: 40, &random) == expected, "seed \(seed), \(speed) with jumps")
    }
  }

  /// Returns the matches after playback to the end, with random requests before the first steps. Expects at each pause
  /// that they equal those of a playback without jumps.
  private func end(
    of recording: Recording, _ speed: PlaybackSpeed, jumps: Int, _ random: inout SeededRandom
  ) throws -> [Match] {
    var playback = RecordingPlayback(recording: recording, speed: speed)
    var (now, jumps) = (Duration.seconds(1), jumps)
    playback.subscribe(subscription, at: now)
    var reader = Reader()
    while true {
      if jumps > 0 {
        jumps -= 1
        ask(&playback, at: now, &random)
      }
      switch playback.step(at: now) {
      case .state: continue
      case .rest(let time?):
        #expect(time >= now)
        now += (time - now) * [0.5, 1].randomElement(using: &random)! + .nanoseconds(1)
      case .rest(nil):
        if playback.isPaused {
          let position = UInt32(playback.status(at: now).position / .milliseconds(1) + 1e-6)
          let range = recording.tracks[0].lines.indices.filter { recording.time(0, $0) <= position }
          var straight = Reader()
          try straight.read(recording, 0..<range.count)
          #expect(reader.matches == straight.matches, "at \(position) ms")
        }
        if jumps > 0 { continue }
        guard playback.isPaused else { return reader.matches }
        playback.setPaused(false, at: now)
      case .lines(_, _, let range, let afterReset): try reader.read(recording, range, afterReset: afterReset)
      case .over: preconditionFailure("nobody has stopped it")
      }
    }
  }

  /// A channel as in a store, which waits for its dump.
  private struct Reader {
    private var channel = ChannelState()
    private var decoder = MessageDecoder()

    init() { channel.awaitDump() }

    mutating func read(_ recording: Recording, _ range: Range<Int>, afterReset: Bool = false) throws {
      var batch = FeedBatch()
      let bytes = try recording.read(0, range, afterReset: afterReset)
      let subscription = Subscription(topic: recording.topics[0], generation: 1)
      decoder.decode(TransportFrame(subscription: subscription, bytes: bytes, framing: .lines), into: &batch)
      channel.apply(batch)
    }

    var matches: [Match] {
      var channel = channel
      var changes = FeedChanges()
      channel.finish(into: &changes)
      return channel.matchIDs.sorted().compactMap { channel.match($0) }
    }
  }

  private func ask(_ playback: inout RecordingPlayback, at now: Duration, _ random: inout SeededRandom) {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: playback.setPaused(!playback.isPaused, at: now)
    case 1, 2: playback.seek(by: .milliseconds(Int.random(in: -30_000...0, using: &random)), at: now)
    case 3: playback.seek(by: .milliseconds(Int.random(in: 0...20_000, using: &random)), at: now)
    case 4:
      playback.setSpeed(
        Bool.random(using: &random) ? .max : .times(Double.random(in: 0.5...50, using: &random)), at: now)
    default: break
    }
  }

  /// Returns a feed of half a minute: a dump, perhaps after its first updates, then all kinds of changes and a few
  /// more dumps.
  private func randomFeed(_ random: inout SeededRandom) -> String {
    var lines: [String] = []
    var time: Int64 = 0
    let hasDumpFirst = Bool.random(using: &random)
    for at in 0..<120 {
      time += Int64.random(in: 0...500, using: &random)
      let id = 100 * Int.random(in: 1...5, using: &random)
      let odds = "\(Int.random(in: 11...99, using: &random)).5"
      let message =
        switch at == 0 && hasDumpFirst ? 0 : Int.random(in: 0..<24, using: &random) {
        case 0:
          FeedText.dump(FeedText.football(id, odds: [odds, "2", "3"]), FeedText.football(id + 1000))
        case 1: FeedText.update(FeedText.delete("MATCH", id))
        case 2, 3, 4:
          FeedText.update(
            FeedText.create("MATCH", id, #"{"_type":"MATCH","id":"\#(id)","name":"M\#(at) - x"}"#),
            FeedText.create("MARKET", id + 10, #"{"_type":"MARKET","id":"\#(id + 10)","eventId":"\#(id)","name":"m"}"#))
        case 5: "\"no message\""
        default: FeedText.update(FeedText.odds(id + 21, odds), FeedText.odds(id + 22, odds))
        }
      lines.append(recorded(time, message))
    }
    lines.append(
      recorded(time, FeedText.update(FeedText.create("MATCH", 7, #"{"_type":"MATCH","id":"7","name":"a - b"}"#))))
    return lines.joined(separator: "\n") + "\n"
  }
}
