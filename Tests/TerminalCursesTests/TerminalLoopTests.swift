import CTerminalGuard
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

@Suite("The terminal loop", .timeLimit(.minutes(45)))
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
    // The device is in line mode, as a shell leaves it.
    pty.type("ab\n")
    #expect(
      await loop.run { await $0.wait(until: nil) } == [.key(.character("a")), .key(.character("b")), .key(.enter)])
  }

  @Test("A wake ends the current or the next wait, once")
  func wakes() async {
    let waits = await loop.run { loop in
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
    #expect(await loop.run { await $0.wait(until: .zero) } == [.key(.character("x")), .key(.enter)])
  }

  @Test("A lost terminal is reported once, and then no longer read")
  func hangUp() async {
    pty.hangUp()
    let waits = await loop.run { [await $0.wait(until: nil), await $0.wait(until: $0.now() + .milliseconds(1))] }
    #expect(waits == [[.hangUp], []])
  }

  @Test("If the program was stopped before the request was read, its return comes after the request")
  func stoppedAtOnce() {
    let (stopping, resumed) = (UInt32(TERMINAL_GUARD_STOPPING), UInt32(TERMINAL_GUARD_RESUMED))
    #expect(TerminalLoop.events(of: stopping | resumed) == [.suspending, .resumed])
    #expect(TerminalLoop.events(of: stopping) == [.suspending])
    #expect(TerminalLoop.events(of: resumed | UInt32(TERMINAL_GUARD_RESIZED)) == [.resumed])
  }

  @Test("The board's actor and what it awaits from the loop stay on the thread that runs the loop")
  func thread() async {
    let board = LoopActor(loop)
    let threads = await loop.run { [board] _ in await board.play() }
    #expect(threads?.count == 1)
  }

  @Test("All calls from many threads to the board's actor arrive")
  func manyThreads() async {
    let board = LoopActor(loop)
    let count = await loop.run { [board] loop in
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
}

private actor LoopActor {
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
      threads.insert(await threadWithoutActor())
    }
    return threads
  }

  func count() { counted += 1 }

  private nonisolated func threadWithoutActor() async -> UInt { currentThread() }
}
