import CLibrary
import Dispatch
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

  /// Returns a full pipe. A write to it after its reader is closed is an error and not a signal.
  private static func openFullPipe() -> (read: CInt, write: CInt) {
    var ends: [CInt] = [-1, -1]
    precondition(pipe(&ends) == 0, "no pipe to be had: too many open files")
    signal(SIGPIPE, SIG_IGN)
    fillPipe(ends[1])
    return (ends[0], ends[1])
  }

  /// Reads up to and including `end`. Returns the text without leading blanks.
  private static func read(_ file: CInt, until end: String) -> String {
    var text = ""
    var buffer = [UInt8](repeating: 0, count: 65536)
    while !text.hasSuffix(end), waitUntilReadable(file) {
      let count = CLibrary.read(file, &buffer, buffer.count)
      if count <= 0 { break }
      text += String(decoding: buffer[..<count], as: UTF8.self)
    }
    return String(text.drop { $0 == " " })
  }
}
