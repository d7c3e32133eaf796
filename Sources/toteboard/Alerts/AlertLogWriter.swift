import Dispatch
import Localization
import Platform

/// Appends to the log of alerts on a queue of its own, so that nothing else waits for the disk.
final class AlertLogWriter: Sendable {
  /// The greatest number of lines that wait for the disk. Further ones are dropped.
  private static let limit = 10_000

  private struct State {
    var waiting: [AlertLogEntry] = []
    var isScheduled = false
    var hasReportedError = false
  }

  private let file: AlertLogFile
  private let onMessage: @Sendable (LocalizedMessage) -> Void
  private let state = Locked(State())
  private let queue = DispatchQueue(label: "toteboard.alert-log")

  /// Creates a writer. `onMessage` is called, on any thread, if the file cannot be written, once.
  init(_ file: AlertLogFile, onMessage: @escaping @Sendable (LocalizedMessage) -> Void) {
    self.file = file
    self.onMessage = onMessage
  }

  /// Adds lines to the log. Returns at once.
  func write(_ entries: [AlertLogEntry]) {
    let isScheduled = state.withLock { state in
      state.waiting += entries.prefix(max(0, Self.limit - state.waiting.count))
      defer { state.isScheduled = true }
      return state.isScheduled
    }
    if !isScheduled { queue.async { self.writeWaiting() } }
  }

  /// Returns after all lines are on the disk.
  func finish() {
    // NB: On this thread, unless a write is in progress: another thread would have to be started at the end.
    queue.sync { writeWaiting() }
  }

  /// Runs on the queue.
  private func writeWaiting() {
    let entries = state.withLock { state in
      defer {
        state.waiting = []
        state.isScheduled = false
      }
      return state.waiting
    }
    for entry in entries {
      do throws(PrivateFileError) { try file.append(entry.json) } catch {
        let isKnown = state.withLock { state in
          defer { state.hasReportedError = true }
          return state.hasReportedError
        }
        if !isKnown { onMessage(LocalizedMessage(.alertLogUnwritten, file.path, error.sentence)) }
      }
    }
  }
}
