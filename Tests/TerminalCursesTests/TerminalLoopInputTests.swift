import Dispatch
import Platform
import TerminalCore
import TestSupport
import Testing

@testable import TerminalCurses

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("Sharing the loop's thread with a feed", .timeLimit(.minutes(45)))
struct TerminalLoopInputTests {
  private let pty: Pty
  private let loop: TerminalLoop
  private let data = Pipe()
  private let stop = Pipe()

  init() throws {
    pty = try Pty()
    loop = TerminalLoop(tty: pty.device, bell: try WakePipe(), window: WindowSize(Size(rows: 24, columns: 80)))
  }

  @Test("Input, the stop signal and the deadline each end a wait, on the loop's thread")
  func otherInput() async {
    let waits = await loop.run { [data, stop] loop in
      await withTaskExecutorPreference(loop.tasks) {
        let thread = currentThread()
        func wait(_ data: CInt, _ time: Duration?) async -> ReadyInput {
          await loop.wait(for: AwaitedInput(data: data, stop: stop.readEnd, until: time.map { .now + $0 }))
        }
        var waits = [await wait(data.readEnd, .milliseconds(2))]
        data.send()
        waits.append(await wait(data.readEnd, nil))
        waits.append(await wait(-1, .milliseconds(2)))
        stop.send()
        waits.append(await wait(-1, nil))
        #expect(currentThread() == thread)
        return waits
      }
    }
    #expect(waits == [[], .data, [], .stop])
  }

  @Test("While the board blocks the thread, a wait for input continues on another one and does not end early")
  func movedWait() async {
    let result = await loop.run { [data] loop in
      let board = currentThread()
      let hasRead = Signal()
      let reading = Task(executorPreference: loop.tasks) {
        let ready = await loop.wait(for: AwaitedInput(data: data.readEnd, stop: -1, until: nil))
        defer { hasRead.send() }
        return (ready, thread: currentThread())
      }
      _ = await loop.wait(until: loop.now() + .milliseconds(2))
      loop.releaseSharedWork()
      let isEarly = hasRead.block(within: .milliseconds(5))
      data.send()
      let isInTime = hasRead.block(within: .seconds(20))
      let (ready, thread) = await reading.value
      return !isEarly && isInTime && ready == .data && thread != board
    }
    #expect(result == true)
  }

  @Test("While the board blocks the thread, earlier and later jobs run on another one")
  func movedJobs() async {
    let result = await loop.run { loop in
      let hasRun = [Signal(), Signal()]
      Task(executorPreference: loop.tasks) { hasRun[0].send() }
      loop.releaseSharedWork()
      Task(executorPreference: loop.tasks) { hasRun[1].send() }
      return hasRun.map { $0.block(within: .seconds(20)) }
    }
    #expect(result == [true, true])
  }

  @Test("After the board has blocked the thread, its next wait returns the tasks to it")
  func comeback() async {
    let threads = await loop.run { loop in
      loop.releaseSharedWork()
      _ = await loop.wait(until: .zero)
      return [currentThread(), await Task(executorPreference: loop.tasks) { currentThread() }.value]
    }
    #expect(threads.map { Set($0).count } == 1)
  }

  @Test("A task can leave the thread and return to it, and has left when the call returns")
  func ownThread() async {
    let isRight = await loop.run { [data] loop in
      let board = currentThread()
      data.send()
      let input = AwaitedInput(data: data.readEnd, stop: -1, until: nil)
      return await withTaskExecutorPreference(loop.tasks) {
        var isRight = currentThread() == board
        await loop.useOwnThread(true)
        isRight = isRight && currentThread() != board
        _ = await loop.wait(for: input)
        isRight = isRight && currentThread() != board
        await loop.useOwnThread(false)
        // A wait that ends before it has suspended the task leaves the task where it is.
        for _ in 0..<1000 where currentThread() != board { _ = await loop.wait(for: input) }
        return isRight && currentThread() == board
      }
    }
    #expect(isRight == true)
  }

  @Test("A write to a full terminal reports that it blocks, and then writes everything")
  func blockedWrite() {
    let output = open(pty.path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    defer { close(output) }
    var modes = termios()
    tcgetattr(output, &modes)
    cfmakeraw(&modes)
    #expect(tcsetattr(output, TCSANOW, &modes) == 0)
    for (count, blocks) in [(1, false), (1 << 20, true)] {
      let bytes = [UInt8](repeating: 0x78, count: count)
      pty.discardOutput()
      var hasBlocked = false
      let written = bytes.withUnsafeBytes { bytes in
        write(all: bytes, to: output) {
          hasBlocked = true
          pty.readAvailable()
        }
      }
      pty.readAvailable()
      #expect(written == count && hasBlocked == blocks && pty.output == bytes)
    }
  }

  @Test("A task that is stopped together with the loop ends on the loop's thread")
  func stopOfBoth() async throws {
    let threads = await loop.run { [data, stop] loop in
      let reading = Task(executorPreference: loop.tasks) {
        let ready = await loop.wait(for: AwaitedInput(data: data.readEnd, stop: stop.readEnd, until: nil))
        return (ready, thread: currentThread())
      }
      _ = await loop.wait(until: loop.now() + .milliseconds(2))
      stop.send()
      return (board: currentThread(), reading: reading)
    }
    let (board, reading) = try #require(threads)
    let (ready, thread) = try await reading.cancellableValue
    #expect(ready == .stop && thread == board)
  }

  @Test("After the loop has ended, its tasks continue")
  func end() async throws {
    let reading = await loop.run { [data] loop in
      let reading = Task(executorPreference: loop.tasks) {
        var waits: [ReadyInput] = []
        for _ in 0..<2 { waits.append(await loop.wait(for: AwaitedInput(data: data.readEnd, stop: -1, until: nil))) }
        return waits
      }
      _ = await loop.wait(until: loop.now() + .milliseconds(2))
      return reading
    }
    data.send()
    #expect(try await reading?.cancellableValue == [.data, .data])
    #expect(await Task(executorPreference: loop.tasks) { true }.value)
  }
}

/// Blocks a thread until another one has called `send()`.
private struct Signal: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func send() { semaphore.signal() }
  func block(within limit: DispatchTimeInterval) -> Bool { semaphore.wait(timeout: .now() + limit) == .success }
}

private final class Pipe: Sendable {
  let readEnd, writeEnd: CInt

  init() {
    var ends: [CInt] = [-1, -1]
    precondition(pipe(&ends) == 0, "no pipe can be opened: too many open files")
    readEnd = ends[0]
    writeEnd = ends[1]
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }

  func send() { write(writeEnd, [1], 1) }
}
