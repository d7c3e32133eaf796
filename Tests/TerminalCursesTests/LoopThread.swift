import Platform
import TestSupport

@testable import TerminalCurses

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension TerminalLoop {
  /// Runs the loop on a separate thread until the work is done, because the few test threads must not block. Returns
  /// nil if the task is cancelled before.
  func run<Result: Sendable>(_ work: @escaping @Sendable (TerminalLoop) async -> Result) async -> Result? {
    let result = Box<Result>()
    Task(executorPreference: self) {
      let value = await work(self)
      result.value.withLock { $0 = value }
      self.stop()
    }
    await withTaskCancellationHandler {
      await onOwnThread { self.run() }
    } onCancel: {
      stop()
    }
    return result.value.withLock { $0 }
  }
}

private final class Box<Value: Sendable>: Sendable {
  let value = Locked<Value?>(nil)
}

func currentThread() -> UInt {
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

func onOwnThread(_ work: @escaping @Sendable () -> Void) async {
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
