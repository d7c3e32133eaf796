import Dispatch
import Localization
import Platform

/// Writes lines on a queue of its own, so that nothing else waits for a reader that does not read.
///
/// As a log, it goes on after an error, without the line that could not be written, and writes the number of dropped
/// lines as a line of its own.
final class LineWriter: Sendable {
  private struct State {
    var waiting: [[UInt8]] = []
    /// The number of lines that are not written yet: those in `waiting`, and those that the queue is writing.
    var pendingCount = 0
    var droppedCount = 0
    var isScheduled = false
    var error: (any Error)?
  }

  private let descriptor: CInt
  private let limit: Int
  private let isLog: Bool
  private let onDrop: @Sendable (Int) -> Void
  private let onIdle: @Sendable () -> Void
  private let state = Locked(State())
  private let queue = DispatchQueue(label: "toteboard.lines")

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - limit: The greatest number of lines that wait for the reader. Further ones are dropped.
  ///   - isLog: True for the notes and the log of the program.
  ///   - onDrop: Called, on any thread, with the number of dropped lines once the reader reads again.
  ///   - onIdle: Called, on any thread, when all lines are written, or no more can be.
  init(
    to descriptor: CInt, limit: Int = 10_000, isLog: Bool = false,
    onDrop: @escaping @Sendable (Int) -> Void = { _ in }, onIdle: @escaping @Sendable () -> Void = {}
  ) {
    self.descriptor = descriptor
    self.limit = limit
    self.isLog = isLog
    self.onDrop = onDrop
    self.onIdle = onIdle
  }

  /// True if no line waits: all are written, or no more can be.
  var isIdle: Bool { state.withLock { !$0.isScheduled } }

  /// Throws the error that ended the output, once the queue has met one.
  func check() throws {
    if let error = state.withLock({ $0.error }) { throw error }
  }

  /// Adds a line with its line end. Returns at once. Ignores the line after an error.
  func send(_ line: [UInt8]) {
    let isNew = state.withLock { state in
      if line.isEmpty || state.error != nil { return false }
      if state.pendingCount >= limit {
        state.droppedCount += 1
        return false
      }
      state.waiting.append(line)
      state.pendingCount += 1
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isNew { queue.async { self.writeWaiting() } }
  }

  /// Adds a message as one line. Returns at once.
  func send(_ message: LocalizedMessage) { send(Self.line(message)) }

  private static func line(_ message: LocalizedMessage) -> [UInt8] {
    Array("\(CLILanguage.words.text(message))\n".utf8)
  }

  /// Waits until the lines added so far are written, or no more can be. Returns false if that takes longer; the default
  /// is for the end of the program.
  @discardableResult
  func finish(within time: DispatchTimeInterval = .milliseconds(200)) -> Bool {
    let done = DispatchSemaphore(value: 0)
    queue.async { done.signal() }
    return done.wait(timeout: .now() + time) == .success
  }

  /// Runs on the queue.
  private func writeWaiting() {
    while let lines = nextLines() {
      for line in lines {
        guard deliver(line) else { break }
        state.withLock { $0.pendingCount -= 1 }
      }
      let dropped = state.withLock { state in
        defer { state.droppedCount = 0 }
        return state.droppedCount
      }
      if dropped > 0 {
        if isLog { _ = deliver(Self.line(LocalizedMessage(.logDropped, dropped))) }
        onDrop(dropped)
      }
    }
    onIdle()
  }

  /// Writes a line. Returns false if no more can be written.
  private func deliver(_ line: [UInt8]) -> Bool {
    do {
      try Output.send(line, to: descriptor)
      return true
    } catch {
      if isLog { return true }
      state.withLock { $0.error = error }
      return false
    }
  }

  /// Returns the lines that wait. Returns nil, and ends the work of the queue, if there are none or after an error.
  private func nextLines() -> [[UInt8]]? {
    state.withLock { state in
      let lines = state.waiting
      state.waiting = []
      if state.error == nil, !lines.isEmpty { return lines }
      state.isScheduled = false
      return nil
    }
  }
}

/// The stream of a log handler, which writes each line of the log at once.
extension LineWriter: TextOutputStream {
  func write(_ line: String) { send(Array(line.utf8)) }
}
