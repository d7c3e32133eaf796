import Platform
import TestSupport
import Testing

@testable import EveryMatrix
@testable import FeedRecording
@testable import OddsFeed
@testable import OddsModel

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("A feed on a thread with other work", .timeLimit(.minutes(45)))
struct SharedThreadReadingTests {
  /// A thread that blocks, and records the calls of `useOwnThread`.
  private final class RecordingThread: InputThread {
    let tasks: any TaskExecutor = FeedExecutor()
    let ownThreadRequests = Locked<[Bool]>([])

    func wait(for input: AwaitedInput) async -> ReadyInput { input.block() }
    func useOwnThread(_ isOwn: Bool) async { ownThreadRequests.withLock { $0.append(isOwn) } }
  }

  @Test("moves to its own thread for a long line, even in small parts, and returns for small data")
  func longLine() async throws {
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
    #expect(try await reading.cancellableValue == [90_001, 3])
    let ownThreadRequests = thread.ownThreadRequests.withLock { $0 }
    #expect(ownThreadRequests.last == false && ownThreadRequests.dropLast().last == true, "\(ownThreadRequests)")
    #expect(ownThreadRequests.count { $0 } >= 2)
  }

  @Test("must be a pipe or a socket, because a read from a terminal may block although data is available")
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

  /// A thread whose waits return the given results, and then a stop.
  private final class ScriptedThread: InputThread {
    let tasks: any TaskExecutor = FeedExecutor()
    let ends: Locked<[ReadyInput]>

    init(_ ends: ReadyInput...) { self.ends = Locked(ends) }

    func wait(for input: AwaitedInput) async -> ReadyInput {
      ends.withLock { $0.isEmpty ? .stop : $0.removeFirst() }
    }
    func useOwnThread(_ isOwn: Bool) async {}
  }

  @Test("reports no sign of life after an early wake-up, or when another reader has consumed the data")
  func noData() async {
    var ends: [CInt] = [-1, -1]
    #expect(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let transport = NDJSONTransport(descriptor: ends[0], format: EveryMatrixFormat(), interval: .zero)
    transport.read(on: ScriptedThread([], .data, [], [], .data))
    await transport.subscribe(Subscription(topic: Recording.bareTopic, generation: 1))
    var events: [TransportEvent] = []
    for await event in await transport.connect() { events.append(event) }
    guard events.count == 1, case .state(.live) = events[0] else {
      Issue.record("\(events)")
      return
    }
  }
}
