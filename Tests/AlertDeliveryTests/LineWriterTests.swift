import CLibrary
import Dispatch
import Localization
import Logging
import Platform
import TestSupport
import Testing

@testable import toteboard

@Suite("Writing lines to a slow reader")
struct LineWriterTests {
  @Test("Lines are queued up to a limit, and the number of dropped ones is reported once the reader reads")
  func fullPipe() throws {
    let ends = Self.openFullPipe()
    defer { close(ends.write) }
    let dropped = Locked<[Int]>([])
    let idle = DispatchSemaphore(value: 0)
    let lines = LineWriter(
      to: ends.write, limit: 3, onDrop: { count in dropped.withLock { $0.append(count) } }, onIdle: { idle.signal() })
    for number in 1...5 { lines.send(Array("line \(number)\n".utf8)) }
    #expect(!lines.isIdle && !lines.finish(within: .milliseconds(1)))
    #expect(dropped.withLock { $0 } == [])
    #expect(Self.read(ends.read, until: "3\n") == "line 1\nline 2\nline 3\n")
    #expect(idle.wait(timeout: .now() + 20) == .success && lines.isIdle)
    #expect(dropped.withLock { $0 } == [2])
    lines.send(Array("line 6\n".utf8))
    #expect(Self.read(ends.read, until: "6\n") == "line 6\n")
    try lines.check()
    close(ends.read)
    lines.send(Array("line 7\n".utf8))
    #expect(lines.finish(within: .seconds(20)) && lines.isIdle)
    #expect(throws: ClosedPipe.self) { try lines.check() }
  }

  @Test("A full pipe in non-blocking mode is waited for")
  func nonBlocking() throws {
    let ends = Self.openFullPipe()
    defer { for end in [ends.read, ends.write] { close(end) } }
    _ = fcntl(ends.write, F_SETFL, O_NONBLOCK)
    let lines = LineWriter(to: ends.write)
    lines.send(Array("line 1\n".utf8))
    #expect(!lines.finish(within: .milliseconds(1)))
    #expect(Self.read(ends.read, until: "1\n") == "line 1\n")
    #expect(lines.finish(within: .seconds(20)))
    try lines.check()
  }

  @Test("A log goes on after an error without the line, and has the number of the lines that were dropped")
  func log() throws {
    let file = open("/dev/null", O_RDONLY)
    defer { close(file) }
    let lines = LineWriter(to: file, limit: 3, isLog: true)
    lines.send(Array("a descriptor that is not open for writing\n".utf8))
    #expect(lines.finish(within: .seconds(20)) && lines.isIdle)
    let ends = Self.openFullPipe()
    defer { for end in [ends.read, ends.write] { close(end) } }
    dup2(ends.write, file)
    for number in 1...5 { lines.send(Array("line \(number)\n".utf8)) }
    let note = CLILanguage.words(.logDropped, 2)
    let text = Self.read(ends.read) { text in text.count { $0 == "\n" } == 4 }
    // The note can come before lines that already waited.
    #expect(Set(text.split(separator: "\n").map(String.init)) == ["line 1", "line 2", "line 3", note])
    lines.send(Array("line 6\n".utf8))
    #expect(Self.read(ends.read, until: "6\n") == "line 6\n")
    try lines.check()
  }

  @Test("A line of a log handler has its time, level, label, metadata, source and message, and is delayed by no reader")
  func logHandler() {
    let ends = Self.openFullPipe()
    defer { for end in [ends.read, ends.write] { close(end) } }
    let lines = LineWriter(to: ends.write, isLog: true)
    var logger = Logger(label: "toteboard.account", factory: { StreamLogHandler(label: $0, stream: lines) })
    logger[metadataKey: "category"] = "account"
    logger.warning("the stream is lost", metadata: ["event": "loss"])
    let line = Self.read(ends.read, until: "\n")
    let time = line.prefix { $0 != " " }
    #expect(time.prefix { $0.isNumber }.count == 4 && time.contains("T"), "\(line)")
    let text = " warning toteboard.account: category=account event=loss [AlertDeliveryTests] the stream is lost\n"
    #expect(line.dropFirst(time.count) == text)
  }

  /// Returns a full pipe. A write to it after its reader is closed is an error and not a signal.
  private static func openFullPipe() -> (read: CInt, write: CInt) {
    var ends: [CInt] = [-1, -1]
    precondition(pipe(&ends) == 0, "no pipe to be had: too many open files")
    signal(SIGPIPE, SIG_IGN)
    fillPipe(ends[1])
    return (ends[0], ends[1])
  }

  /// Reads up to and including `end`. Returns the text without leading blanks.
  private static func read(_ file: CInt, until end: String) -> String { read(file) { $0.hasSuffix(end) } }

  /// Reads until the text is long enough. Returns it without leading blanks.
  private static func read(_ file: CInt, until isEnough: (String) -> Bool) -> String {
    var text = ""
    var buffer = [UInt8](repeating: 0, count: 65536)
    while !isEnough(text), waitUntilReadable(file) {
      let count = CLibrary.read(file, &buffer, buffer.count)
      if count <= 0 { break }
      text += String(decoding: buffer[..<count], as: UTF8.self)
    }
    return String(text.drop { $0 == " " })
  }
}
