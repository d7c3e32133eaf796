import Dispatch
import EveryMatrix
import TestSupport
import Testing

@testable import FeedRecording
@testable import OddsFeed
@testable import OddsModel

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

struct RecordingWriterTests {
  private let file = TemporaryFile()
  private let clock = ManualAlarmClock()
  private let topic = Topic(path: "/a")

  private func writer() -> RecordingWriter {
    RecordingWriter(descriptor: file.descriptor, name: file.path, format: EveryMatrixFormat(), clock: clock)
  }

  private func frame(_ text: String, _ framing: TransportFrame.Framing = .message) -> TransportFrame {
    TransportFrame(
      subscription: Subscription(topic: topic, generation: 1), bytes: Array(text.utf8), framing: framing)
  }

  private func line(_ text: String, _ framing: TransportFrame.Framing = .message, topic: String = "/a") -> String {
    var lines: [UInt8] = []
    let subscription = Subscription(topic: Topic(path: topic), generation: 1)
    let frame = TransportFrame(subscription: subscription, bytes: Array(text.utf8), framing: framing)
    _ = RecordingLineFormat(frame.subscription.topic, 7, EveryMatrixFormat()).append(frame, to: &lines)
    return String(decoding: lines, as: UTF8.self)
  }

  @Test(
    "A message is written unchanged, except that newlines become blanks, or escapes within strings",
    arguments: [
      (#"{"a":1}"#, #"{"a":1}"#), ("{\n  \"a\": 1\r\n}\n", "{   \"a\": 1\r } "),
      ("{\"a\":\"x\ny\\\"\n\"}", #"{"a":"x\ny\"\n"}"#), ("{\"a\":\"\\\n\"}", #"{"a":"\n"}"#), ("[1]", "[1]"),
      ("-2.5e3", "-2.5e3"),
      ("null", "null"), (#""text""#, #""text""#), (#"{"a":"é浦\u0007\\"}"#, #"{"a":"é浦\u0007\\"}"#),
    ])
  func messages(came: String, stands: String) {
    #expect(line(came) == #"{"receivedAt":7,"topic":"/a","message":"# + stands + "}\n")
  }

  @Test(
    "Text that is not JSON is written as a string, and is unparsable in playback",
    arguments: [
      ("no JSON", #""no JSON""#), ("{", #""{""#), (#"{}, "topic":"/b""#, #""{}, \"topic\":\"/b\"""#), ("{]", #""{]""#),
      ("x", #""x""#), ("\u{0}\u{1B}[2J", #""\u0000\u001b[2J""#), ("1,2", #""1,2""#), ("\"", #""\"""#),
    ])
  func noJSON(came: String, stands: String) throws {
    let written = line(came)
    #expect(written == #"{"receivedAt":7,"topic":"/a","message":"# + stands + "}\n")
    let batch = FeedBatch.lines([written])
    #expect(batch.unparsable == 1 && batch.messages.isEmpty)
  }

  @Test("Each line of a pipe is a message; blank lines are ignored, and recorded lines are kept unchanged")
  func lines() {
    let old = #"{"topic":"/b","receivedAt":5,"message":{}}"#
    #expect(
      line("{}\n\n \t\n\(old)\n[]", .lines)
        == #"{"receivedAt":7,"topic":"/a","message":{}}"# + "\n\(old)\n"
        + #"{"receivedAt":7,"topic":"/a","message":[]}"# + "\n")
  }

  @Test("A topic with quotes is read back unchanged")
  func topics() throws {
    let file = TemporaryFile(line(FeedText.dump(), topic: #"/a"b\c"#))
    #expect(try Recording(descriptor: file.descriptor, format: EveryMatrixFormat()).topics == [Topic(path: #"/a"b\c"#)])
  }

  @Test("A written recording is read back with its times, topics and records")
  func roundTrip() throws {
    let writer = writer()
    let messages = [FeedText.dump(FeedText.football()), FeedText.update(FeedText.odds(121, "2.5"))]
    for (at, message) in messages.enumerated() { try writer.add(frame(message), receivedAt: Int64(at) * 500) }
    #expect(try writer.finish() == RecordingWriter.Totals(messages: 2, bytes: file.bytes.count))
    let recording = try Recording(descriptor: file.descriptor, format: EveryMatrixFormat())
    #expect(recording.topics == [topic] && recording.lines.map(\.time) == [0, 500])
    let played = FeedBatch.lines([file.text])
    #expect(played.messages.map(\.receivedAt) == [0, 500])
    #expect(played.records.count == FeedBatch.lines(messages).records.count)
  }

  @Test("Lines are buffered for 1 s or up to 64 KiB, and written whole")
  func flushing() throws {
    let writer = writer()
    try writer.add(frame("{}"), receivedAt: 1)
    clock.advance(by: .milliseconds(999))
    #expect(file.text.isEmpty)
    clock.advance(by: .milliseconds(1))
    #expect(file.text == #"{"receivedAt":1,"topic":"/a","message":{}}"# + "\n")
    #expect(clock.alarm == nil)
    let long = #"{"a":"\#(String(repeating: "x", count: 1000))"}"#
    for _ in 0..<70 { try writer.add(frame(long), receivedAt: 2) }
    #expect(file.bytes.count > 65536 && file.bytes.last == 0x0A)
    let written = file.bytes.count
    try writer.add(frame(long), receivedAt: 3)
    #expect(file.bytes.count == written)
    _ = try writer.finish()
    #expect(file.bytes.count > written && file.bytes.last == 0x0A)
  }

  @Test("A full pipe in non-blocking mode is waited for")
  func nonBlocking() throws {
    var ends: [CInt] = [-1, -1]
    precondition(pipe(&ends) == 0, "no pipe to be had: too many open files")
    let (source, target) = (ends[0], ends[1])
    defer { for end in [source, target] { close(end) } }
    fillPipe(target)
    _ = fcntl(target, F_SETFL, O_NONBLOCK)
    let writer = RecordingWriter(descriptor: target, name: "-", format: EveryMatrixFormat(), clock: clock)
    try writer.add(frame("{}"), receivedAt: 7)
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      _ = try? writer.finish()
      done.signal()
    }
    var text = ""
    var buffer = [UInt8](repeating: 0, count: 65536)
    while !text.hasSuffix("\n"), waitUntilReadable(source) {
      let count = read(source, &buffer, buffer.count)
      if count <= 0 { break }
      text += String(decoding: buffer[..<count], as: UTF8.self)
    }
    #expect(text.drop { $0 == " " } == line("{}"))
    #expect(done.wait(timeout: .now() + 20) == .success)
    // An error would be thrown again.
    _ = try writer.finish()
  }

  #if os(Linux)
    @Test("A full device is an error that names the device, reported when buffered lines are written")
    func fullDevice() throws {
      let device = open("/dev/full", O_WRONLY)
      try #require(device >= 0)
      defer { close(device) }
      let calls = Counter()
      let writer = RecordingWriter(descriptor: device, name: "/dev/full", format: EveryMatrixFormat(), clock: clock) {
        calls.add()
      }
      try writer.add(frame("{}"), receivedAt: 1)
      clock.advance(by: .seconds(1))
      #expect(calls.count == 1)
      for _ in 0..<2 {
        let error = #expect(throws: RecordingWriteError.self) { try writer.finish() }
        #expect("\(error!)".contains("'/dev/full': No space left on device"))
      }
    }
  #endif
}
