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

@Suite("The loop wakes the board")
struct TerminalLoopTests {
  private let pty: Pty
  private let window: WindowSize
  private let loop: TerminalLoop

  init() throws {
    let size = Size(rows: 24, columns: 80)
    pty = try Pty(size: size)
    window = WindowSize(size)
    loop = TerminalLoop(tty: pty.device, bell: try WakePipe(), window: window)
  }

  @Test("Keys end a wait, and those typed before it are not lost")
  func keys() async {
    // The device is as a shell leaves it: a line at a time.
    pty.type("ab\n")
    #expect(await run { await $0.wait(until: nil) } == [.key(.character("a")), .key(.character("b")), .key(.enter)])
  }

  @Test("A wake ends the current wait, or the next one, once")
  func wakes() async {
    let waits = await run { loop in
      loop.wake()
      loop.wake()
      var waits = [await loop.wait(until: nil)]
      Task.detached { loop.wake() }
      waits.append(await loop.wait(until: nil))
      let start = loop.now()
      waits.append(await loop.wait(until: start + .milliseconds(5)))
      #expect(loop.now() >= start + .milliseconds(5))
      return waits
    }
    #expect(waits == [[], [], []])
  }

  @Test("A deadline that has passed ends the wait at once, with the keys that are there")
  func pastDeadline() async {
    pty.type("x\n")
    #expect(await run { await $0.wait(until: .zero) } == [.key(.character("x")), .key(.enter)])
  }

  @Test("A terminal that has gone is told once, and then no longer listened to")
  func hangUp() async {
    pty.hangUp()
    let waits = await run { [await $0.wait(until: nil), await $0.wait(until: $0.now() + .milliseconds(1))] }
    #expect(waits == [[.hangUp], []])
  }

  @Test("The board's actor and what it awaits from the loop stay on the thread that runs the loop")
  func thread() async {
    let board = Board(loop)
    let threads = await run { [board] _ in await board.play() }
    #expect(threads?.count == 1)
  }

  @Test("What many threads send to the board's actor all arrives, however it sleeps and wakes")
  func manyThreads() async {
    let board = Board(loop)
    let count = await run { [board] loop in
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask(executorPreference: globalConcurrentExecutor) {
            for _ in 0..<500 {
              await board.count()
              loop.wake()
            }
          }
        }
      }
      return await board.counted
    }
    #expect(count == 4000)
  }

  @Test("Other input, its stop signal and its time each end the wait for it, on the loop's thread")
  func otherInput() async {
    let (data, stop) = (openedPipe(), openedPipe())
    defer { for end in [data.read, data.write, stop.read, stop.write] { close(end) } }
    let waits = await run { loop in
      await withTaskExecutorPreference(loop.tasks) {
        let thread = currentThread()
        var waits: [ReadyInput] = []
        waits.append(await loop.waitForInput(data: data.read, stop: stop.read, until: .now + .milliseconds(2)))
        write(data.write, [1], 1)
        waits.append(await loop.waitForInput(data: data.read, stop: stop.read, until: nil))
        waits.append(await loop.waitForInput(data: -1, stop: stop.read, until: .now + .milliseconds(2)))
        write(stop.write, [1], 1)
        waits.append(await loop.waitForInput(data: -1, stop: stop.read, until: nil))
        #expect(currentThread() == thread)
        return waits
      }
    }
    #expect(waits == [[], .data, [], .stop])
  }

  @Test("Before the board goes on while the terminal takes no output, what waits for other input leaves the thread")
  func stoppedTerminal() async {
    #expect(tcflow(pty.device, TCOOFF) == 0)
    let data = openedPipe()
    defer { for end in [data.read, data.write] { close(end) } }
    let order = Locked<[String]>([])
    let left = await run { loop in
      let reading = Task(executorPreference: loop.tasks) {
        let ready = await loop.waitForInput(data: data.read, stop: -1, until: nil)
        order.withLock { $0.append("reader") }
        return ready.isEmpty && loop.mayBlock
      }
      _ = await loop.wait(until: loop.now() + .milliseconds(2))
      order.withLock { $0.append("board") }
      _ = await loop.wait(until: .zero)
      return await reading.value
    }
    #expect(left == true && order.withLock { $0 } == ["reader", "board"])
    #expect(tcflow(pty.device, TCOON) == 0)
  }

  /// Runs the loop until the work on it is done, on a thread of its own: the tests' few must not block.
  private func run<Result: Sendable>(_ work: @escaping @Sendable (TerminalLoop) async -> Result) async -> Result? {
    let result = Box<Result>()
    Task(executorPreference: loop) { [loop] in
      let value = await work(loop)
      result.value.withLock { $0 = value }
      loop.stop()
    }
    await onOwnThread { [loop] in loop.run() }
    return result.value.withLock { $0 }
  }
}

private actor Board {
  nonisolated let unownedExecutor: UnownedSerialExecutor
  private let loop: TerminalLoop
  private var threads: Set<UInt> = []
  private(set) var counted = 0

  init(_ loop: TerminalLoop) {
    self.loop = loop
    unownedExecutor = loop.asUnownedSerialExecutor()
  }

  func play() async -> Set<UInt> {
    for _ in 0..<100 {
      threads.insert(currentThread())
      loop.wake()
      _ = await loop.wait(until: nil)
      threads.insert(await threadOfNobody())
    }
    return threads
  }

  func count() { counted += 1 }

  private nonisolated func threadOfNobody() async -> UInt { currentThread() }
}

private func openedPipe() -> (read: CInt, write: CInt) {
  var ends: [CInt] = [-1, -1]
  precondition(pipe(&ends) == 0, "no pipe to be had: too many open files")
  return (ends[0], ends[1])
}

private final class Box<Value: Sendable>: Sendable {
  let value = Locked<Value?>(nil)
}

private func currentThread() -> UInt {
  #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
  #else
    UInt(pthread_self())
  #endif
}

private final class Work: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) {
    self.run = run
  }
}

private func onOwnThread(_ work: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { continuation in
    let work = Work {
      work()
      continuation.resume()
    }
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let argument = Unmanaged.passRetained(work).toOpaque()
    pthread_create(&thread, nil, start, argument)
    #if canImport(Darwin)
      pthread_detach(thread!)
    #else
      pthread_detach(thread)
    #endif
  }
}

#if canImport(Darwin)
  private func start(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
    return nil
  }
#else
  private func start(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    Unmanaged<Work>.fromOpaque(argument!).takeRetainedValue().run()
    return nil
  }
#endif
