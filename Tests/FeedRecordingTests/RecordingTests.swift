import JSONText
import TestSupport
import Testing

@testable import EveryMatrix
@testable import FeedRecording
@testable import OddsFeed
@testable import OddsModel

/// Returns a line of a recording.
func recorded(_ time: Int64, _ message: String, topic: String = "/a") -> String {
  #"{"receivedAt":\#(1_750_752_000_000 + time),"topic":"\#(topic)","message":\#(message)}"#
}

struct RecordingTests {
  private let dump = FeedText.dump(FeedText.football())
  private let update = FeedText.update(FeedText.odds(121, "2.5"))

  private func index(_ lines: [String]) throws -> Recording {
    let file = TemporaryFile(lines.joined(separator: "\n") + "\n")
    return try Recording(descriptor: file.descriptor, format: EveryMatrixFormat())
  }

  @Test("Lines have their time and topic, and topics are in order of appearance")
  func lines() throws {
    let recording = try index([
      recorded(0, dump), recorded(1500, dump, topic: "/b"), recorded(2000, update), recorded(2000, update, topic: "/b"),
    ])
    #expect(recording.topics == [Topic(path: "/a"), Topic(path: "/b")])
    #expect(recording.lines.map(\.time) == [0, 1500, 2000, 2000])
    #expect(recording.tracks.map(\.lines) == [[0, 2], [1, 3]])
    #expect(recording.tracks.map(\.dumps) == [[0], [0]])
    #expect(recording.duration == .seconds(2) && recording.hasTimes)
  }

  @Test(
    "Any order of keys, white space, times as strings and escaped topics are accepted",
    arguments: [
      #"{"topic":"/a","receivedAt":1750752001000,"message":MESSAGE}"#,
      #"{"message":MESSAGE,"topic":"/a","receivedAt":1750752001000}"#,
      #" { "receivedAt" : "1750752001000" , "extra" : [ {"message":1} ] , "topic" : "\/a" , "message" : MESSAGE } "#,
    ])
  func otherOrders(line: String) throws {
    for (message, dumps) in [(dump, [0, 1]), (update, [0])] {
      let other = line.split(separator: "MESSAGE", omittingEmptySubsequences: false).joined(separator: message)
      let recording = try index([recorded(0, dump), other])
      #expect(recording.topics == [Topic(path: "/a")])
      #expect(recording.lines.map(\.time) == [0, 1000])
      #expect(recording.tracks[0].dumps == dumps)
    }
  }

  @Test("Bare messages belong to /feed and have the time of the line before them; alone, they have no time")
  func bare() throws {
    let mixed = try index([recorded(0, dump), recorded(700, update), dump, update])
    #expect(mixed.topics == [Topic(path: "/a"), Recording.bareTopic])
    #expect(mixed.lines.map(\.time) == [0, 700, 700, 700])
    let bare = try index([dump, update, #"{"records":[],"messageType":"INITIAL_DUMP"}"#])
    #expect(bare.topics == [Recording.bareTopic] && !bare.hasTimes && bare.duration == .zero)
    #expect(bare.tracks[0].dumps == [0, 2])
  }

  @Test("Time never runs backwards, and a week's gap counts as ten seconds")
  func jumps() throws {
    let times: [Int64] = [0, 1000, 400, 900, 604_800_000, 604_800_001, -5, 0]
    let recording = try index(times.map { recorded($0, update) })
    #expect(recording.lines.map(\.time) == [0, 1000, 1000, 1500, 11_500, 11_501, 11_501, 11_506])
  }

  @Test("A recording has all topics of the file, also a large number of them")
  func manyTopics() throws {
    let recording = try index((1...40).map { recorded($0, dump, topic: "/\($0)") })
    #expect(recording.topics == (1...40).map { Topic(path: "/\($0)") })
    #expect(recording.tracks.map(\.lines) == (0..<40).map { [$0] })
  }

  @Test("Too many topics in a recording are an error that states the limit")
  func tooManyTopics() throws {
    let lines = (0...Recording.maxTopics).map {
      #"{"topic":"\#($0)","message":{"messageType":"UPDATE","records":[{}]}}"#
    }
    #expect(throws: RecordingError.tooManyTopics(limit: 10_000)) { try index(lines) }
    #expect(try index(lines.dropLast()).topics.count == 10_000)
  }

  @Test(
    "A file without a message is not a recording",
    arguments: [
      "", "\n \n", "no JSON", "\u{0}\u{1}\n\u{7f}ELF", "5\n[]\n{}", #"{"name":"toteboard"}"#,
      recorded(0, #""no message""#), #"{"receivedAt":1,"topic":"/a"}"#,
    ])
  func noMessages(text: String) {
    let file = TemporaryFile(text)
    #expect(throws: RecordingError.noMessages) {
      try Recording(descriptor: file.descriptor, format: EveryMatrixFormat())
    }
  }

  @Test("One message makes a file a recording, whatever surrounds it")
  func oneMessage() throws {
    let empty = FeedText.dump("")
    for text in [empty, "no JSON\n\u{0}\n\(empty)", "\(empty)\n{\n", recorded(0, empty), FeedText.update("")] {
      let file = TemporaryFile(text)
      #expect(try Recording(descriptor: file.descriptor, format: EveryMatrixFormat()).topics.count == 1)
    }
  }

  @Test("Only the beginning of a too long line is read, and it counts as one unparsable line", arguments: [0, 1])
  func longLine(place: Int) throws {
    for size in [900_000, 300_000] {
      let long = #"{"records":[],"messageType":"INITIAL_DUMP"}"# + String(repeating: " ", count: size) + "}"
      var lines = [recorded(0, dump), recorded(1, update)]
      lines.insert(long, at: place)
      lines.append(long)
      let file = TemporaryFile(lines.joined(separator: "\n") + "\n")
      let recording = try Recording(descriptor: file.descriptor, format: EveryMatrixFormat(), lineLimit: 200_000)
      #expect(recording.topics.contains(Topic(path: "/a")))
      var (decoder, batch, bytes) = (MessageDecoder(), FeedBatch(), 0)
      for topic in recording.topics.indices {
        let played = try recording.read(topic, recording.tracks[topic].lines.indices, afterReset: false)
        bytes += played.count
        played.withUnsafeBufferPointer { bytes in
          bytes.eachLine(in: 0..<bytes.count) { decoder.decode(bytes, $0, into: &batch) }
        }
      }
      #expect(batch.messages.count == 2 && batch.unparsable == 2)
      #expect(bytes < 100_000)
    }
  }

  @Test("Reading a file that was overwritten since it was opened fails with an error")
  func overwritten() throws {
    for other in [
      recorded(500, dump) + "\n" + recorded(700, update) + "\n",
      String(repeating: "x", count: 100_000),
      recorded(0, update) + "\n" + recorded(1, dump) + "\n" + String(repeating: recorded(1, dump) + "\n", count: 9),
    ] {
      let file = TemporaryFile(recorded(0, dump) + "\n" + recorded(1, update) + "\n")
      let recording = try Recording(descriptor: file.descriptor, format: EveryMatrixFormat())
      file.overwrite(other)
      #expect(throws: RecordingError.overwritten) { try recording.read(0, 0..<2, afterReset: false) }
    }
  }

  @Test("A byte order mark is ignored")
  func byteOrderMark() throws {
    let recording = try index(["\u{FEFF}" + recorded(0, dump), recorded(5, update)])
    #expect(recording.topics == [Topic(path: "/a")] && recording.lines.map(\.time) == [0, 5])
    #expect(recording.tracks[0].dumps == [0])
  }

  @Test("A file that grows during playback is played up to its length at the start")
  func growing() throws {
    let file = TemporaryFile(recorded(0, dump) + "\n" + recorded(1, update) + "\n")
    let recording = try Recording(descriptor: file.descriptor, format: EveryMatrixFormat())
    let before = file.bytes
    file.append(recorded(2, update) + "\n")
    #expect(try recording.read(0, 0..<2, afterReset: false) == before)
  }

  @Test("An incomplete last line is ignored, and a complete one without a newline is read")
  func tornEnd() throws {
    for (line, count) in [(recorded(10, update), 2), (String(recorded(10, update).dropLast()), 1), ("{", 1)] {
      let file = TemporaryFile(recorded(0, dump) + "\n" + line)
      let recording = try Recording(descriptor: file.descriptor, format: EveryMatrixFormat())
      #expect(recording.lines.count == count)
      #expect(try recording.read(0, 0..<count, afterReset: false).count(where: { $0 == 0x0A }) == count)
    }
  }

  @Test(
    "Incomplete lines and lines that are not JSON add no topic",
    arguments: ["{", "no JSON", "\u{0}", #"{"receivedAt":1,"top"#])
  func nonsense(line: String) throws {
    let recording = try index([recorded(0, dump), line, "", recorded(5, update)])
    #expect(recording.topics == [Topic(path: "/a")])
    #expect(recording.lines.count == 3)
  }

  @Test("Messages before a topic's first dump are played after it, except older ones")
  func early() throws {
    func update(_ version: Int) -> String { #"{"version":"\#(version)","messageType":"UPDATE","records":[]}"# }
    let dump = #"{"version":"20","messageType":"INITIAL_DUMP","records":[]}"#
    let recording = try index([
      recorded(0, update(19)), recorded(1, update(20)), recorded(2, #"{"records":[]}"#), recorded(3, dump),
      recorded(4, update(21)),
    ])
    #expect(recording.tracks[0].lines == [3, 1, 2, 4])
    #expect(recording.tracks[0].lines.indices.map { recording.time(0, $0) } == [3, 3, 3, 4])
    #expect(recording.tracks[0].dumps == [0])
  }

  @Test("Lines of any length are found at their offsets")
  func longLines() throws {
    var random = SeededRandom(seed: 1)
    let lines = (0..<60).map { at in
      let padding = String(repeating: "x", count: Int.random(in: 0...(at % 20 == 0 ? 600_000 : 3000), using: &random))
      return recorded(Int64(at), #"{"records":[],"messageType":"INITIAL_DUMP","padding":"\#(padding)"}"#)
    }
    let file = TemporaryFile(lines.joined(separator: "\n") + "\n")
    let recording = try Recording(descriptor: file.descriptor, format: EveryMatrixFormat())
    #expect(recording.tracks[0].dumps == Array(0..<60))
    for (at, line) in lines.enumerated() {
      #expect(try recording.read(0, at..<at + 1, afterReset: false) == Array((line + "\n").utf8))
    }
    #expect(try recording.read(0, 0..<60, afterReset: false) == file.bytes)
  }

  @Test("Reading a file that was truncated since it was opened fails with an error")
  func cutShort() throws {
    let file = TemporaryFile(recorded(0, dump) + "\n" + recorded(1, update) + "\n")
    let recording = try Recording(descriptor: file.descriptor, format: EveryMatrixFormat())
    file.truncate(to: 10)
    #expect(throws: RecordingError.self) { try recording.read(0, 0..<1, afterReset: false) }
  }
}
