import EveryMatrix
import JSONText
import TestSupport
import Testing

@testable import FeedRecording
@testable import OddsFeed
@testable import OddsModel

@Suite(.timeLimit(.minutes(45)))
struct OrderedPlaybackLawTests {
  /// A line of a file: its due time in milliseconds since 1970, and its message.
  private struct Line: Equatable {
    let time: Int64
    let message: String
  }

  @Test(
    "Ordered playback returns the lines of all topics in file order, with their positions as times",
    arguments: 1...20)
  func order(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let topics = (0..<Int.random(in: 1...4, using: &random)).map { "/\($0)" }
    var (lines, expected): ([String], [Line]) = ([], [])
    let begin: Int64 = 1_750_752_000_000
    var (received, position) = (begin, Int64(0))
    for number in 0..<300 {
      if number > 0 {
        let gap: Int64 = [0, 0, 1, 500, -40, -4_000_000, 9_999, 10_000, 3_600_000].randomElement(using: &random)!
        received += gap
        position += min(10_000, max(0, gap))
      }
      let topic = topics.randomElement(using: &random)!
      let isFirst = !lines.contains { $0.contains("\"\(topic)\"") }
      let message =
        isFirst
        ? FeedText.dump(FeedText.football(number))
        : [FeedText.update(FeedText.odds(number, "2")), "\"text\"", "[\(number)]"].randomElement(using: &random)!
      let head = #""receivedAt":\#(received),"topic":"\#(topic)""#
      // The keys of a line can be in any order.
      lines.append(
        Bool.random(using: &random)
          ? #"{\#(head),"message":\#(message)}"# : #"{"message":\#(message),\#(head),"more":[1]}"#)
      if number % 50 == 7 { lines.append(" ") }
      expected.append(Line(time: begin + position, message: message))
    }
    let file = TemporaryFile(lines.joined(separator: "\n"))
    let recording = try Recording(descriptor: file.descriptor, format: EveryMatrixFormat())
    let transport = RecordingTransport(recording: recording).ordered(hasPositions: true)
    for (number, topic) in recording.topics.enumerated() {
      await transport.subscribe(Subscription(topic: topic, generation: UInt64(number)))
    }
    let played = await read(transport)
    #expect(played.map(\.time) == expected.map(\.time), "seed \(seed)")
    // Lines with the same time can change places if their topics differ.
    func sorted(_ lines: [Line]) -> [Line] { lines.sorted { ($0.time, $0.message) < ($1.time, $1.message) } }
    #expect(sorted(played) == sorted(expected), "seed \(seed)")
  }

  private func read(_ transport: RecordingTransport) async -> [Line] {
    var lines: [Line] = []
    for await event in await transport.connect() {
      guard case .frame(let frame) = event else {
        if case .state(.ended) = event { break }
        continue
      }
      for text in frame.bytes.split(separator: 0x0A) {
        text.withUnsafeBufferPointer { bytes in
          guard let line = RecordingLine(bytes, EveryMatrixFormat()), let time = line.receivedAt else { return }
          lines.append(Line(time: time, message: String(decoding: bytes[line.message], as: UTF8.self)))
        }
      }
    }
    return lines
  }
}
