import Platform
import TestSupport
import Testing

@testable import EveryMatrix
@testable import FeedRecording
@testable import OddsFeed

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("A feed on a thread with other work", .timeLimit(.minutes(1)))
struct SharedThreadReadingTests {
  /// A thread that blocks, and records what it is told.
  private final class RecordingThread: InputThread {
    let tasks: any TaskExecutor = FeedExecutor()
    let wishes = Locked<[Bool]>([])

    func wait(for input: AwaitedInput) async -> ReadyInput { input.block() }
    func useOwnThread(_ isOwn: Bool) async { wishes.withLock { $0.append(isOwn) } }
  }

  @Test("leaves it for a long line, even one that comes in small parts, and returns with small data")
  func longLine() async {
    var (data, stop): ([CInt], [CInt]) = ([-1, -1], [-1, -1])
    #expect(pipe(&data) == 0 && pipe(&stop) == 0)
    defer { for end in data + stop { close(end) } }
    let reader = LineReader(descriptor: data[0], stop: stop[0], interval: .zero)
    let thread = RecordingThread()
    let reading = Task.detached(executorPreference: thread.tasks) {
      var results: [Int] = []
      for _ in 0..<2 {
        if case .lines(let bytes) = await reader.read(on: thread) { results.append(bytes.count) }
      }
      return results
    }
    for part in [30_000, 30_000, 30_000] {
      let bytes = [UInt8](repeating: 0x20, count: part)
      #expect(write(data[1], bytes, part) == part)
      #expect(waitUntilRead(data[0], within: .seconds(20)))
    }
    write(data[1], "\n", 1)
    #expect(waitUntilRead(data[0], within: .seconds(20)))
    write(data[1], "{}\n", 3)
    #expect(await reading.value == [90_001, 3])
    let wishes = thread.wishes.withLock { $0 }
    #expect(wishes.last == false && wishes.dropLast().last == true, "\(wishes)")
    #expect(wishes.count { $0 } >= 2)
  }

  @Test("must be a pipe or a socket: a read from a terminal may block although data was announced")
  func kinds() throws {
    var ends: [CInt] = [-1, -1]
    #expect(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let (pty, file) = (try Pty(), TemporaryFile(""))
    for (descriptor, isShared) in [(ends[0], true), (pty.device, false), (file.descriptor, false)] {
      let transport = NDJSONTransport(descriptor: descriptor, format: EveryMatrixFormat(), interval: .zero)
      transport.read(on: RecordingThread())
      #expect((transport.readingExecutor != nil) == isShared)
    }
  }

  @Test("does not block the thread if another reader has taken the data")
  func otherReader() async {
    var (data, stop): ([CInt], [CInt]) = ([-1, -1], [-1, -1])
    #expect(pipe(&data) == 0 && pipe(&stop) == 0)
    defer { for end in data + stop { close(end) } }
    /// A thread whose first wait sees data that is gone afterwards.
    final class RobbedThread: InputThread {
      let tasks: any TaskExecutor = FeedExecutor()
      let waits = Locked(0)

      func wait(for input: AwaitedInput) async -> ReadyInput {
        let count = waits.withLock { waits in
          waits += 1
          return waits
        }
        return count == 1 ? .data : .stop
      }
      func useOwnThread(_ isOwn: Bool) async {}
    }
    let reader = LineReader(descriptor: data[0], stop: stop[0], interval: .zero)
    guard case .stopped = await reader.read(on: RobbedThread()) else {
      Issue.record("the reader has read")
      return
    }
  }
}
