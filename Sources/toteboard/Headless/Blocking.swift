import CLibrary
import Dispatch
import Platform

enum Blocking {
  /// Waits for the result of asynchronous work, which runs on other threads and must not block.
  @discardableResult
  static func wait<Result: Sendable>(_ work: @escaping @Sendable () async -> Result) -> Result {
    let done = DispatchSemaphore(value: 0)
    let result = Locked<Result?>(nil)
    Task.detached {
      let value = await work()
      result.withLock { $0 = value }
      done.signal()
    }
    done.wait()
    return result.withLock { $0! }
  }
}

extension Output {
  /// Returns false if the reader accepts no output at present. A write would then block.
  ///
  /// - Throws: `ClosedPipe` if the reader has gone.
  static func hasRoom() throws -> Bool {
    var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    let count = poll(&output, 1, 0)
    if count > 0, output.revents & Int16(POLLERR) != 0 { throw ClosedPipe() }
    return count > 0
  }
}
