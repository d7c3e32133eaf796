import CLibrary
package import Localization
package import OddsFeed
package import Platform

/// A writer of recordings. Only whole lines are kept: after a write error an incomplete last line is cut off.
///
/// Lines are written once there are 64 KiB of them, or after a second.
package final class RecordingWriter: Sendable {
  /// The number of messages that were added, and the bytes of their lines.
  package struct Totals: Hashable, Sendable {
    package var messages = 0
    package var bytes = 0
  }

  /// The number of pending bytes that triggers a write. Small, because a disk error loses them; large enough to be
  /// worth a system call.
  private static let portion = 1 << 16
  private static let longestWait = Duration.seconds(1)

  private struct State {
    var lines: [UInt8] = []
    var totals = Totals()
    var failure: RecordingWriteError?
  }

  private let descriptor: Int32
  private let name: String
  private let format: any FeedFormat
  private let clock: any AlarmClock
  private let onFailure: @Sendable () -> Void
  private let state = Locked(State())

  /// Creates a writer to an open file or pipe, which the caller must close and which has that name in errors.
  ///
  /// - Parameter onFailure: Called, on any thread, if a delayed write fails. `finish()` then throws the reason.
  package init(
    descriptor: Int32, name: String, format: any FeedFormat, clock: any AlarmClock,
    onFailure: @escaping @Sendable () -> Void = {}
  ) {
    self.descriptor = descriptor
    self.name = name
    self.format = format
    self.clock = clock
    self.onFailure = onFailure
  }

  /// Adds the messages of a frame. `receivedAt` is in milliseconds since 1970.
  package func add(_ frame: TransportFrame, receivedAt: Int64) throws(RecordingWriteError) {
    let failure = state.withLock { state -> RecordingWriteError? in
      if let failure = state.failure { return failure }
      let before = state.lines.count
      state.totals.messages += RecordingLineFormat(frame.subscription.topic, receivedAt, format).append(
        frame, to: &state.lines)
      state.totals.bytes += state.lines.count - before
      if state.lines.count >= Self.portion {
        write(&state)
      } else if before == 0, !state.lines.isEmpty {
        clock.setAlarm(at: clock.now + Self.longestWait) { [weak self] in self?.writeWaiting() }
      }
      return state.failure
    }
    if let failure { throw failure }
  }

  /// Writes pending lines and synchronizes the file with the disk.
  package func finish() throws(RecordingWriteError) -> Totals {
    let totals: Totals
    var failure: RecordingWriteError?
    (totals, failure) = state.withLock { state in
      write(&state)
      return (state.totals, state.failure)
    }
    // Pipes and terminals do not support synchronization, and do not need it.
    if fsync(descriptor) < 0, failure == nil, errno != EINVAL, errno != EROFS, errno != ENOTSUP {
      failure = self.failure(errno)
      state.withLock { [failure] in $0.failure = failure }
    }
    if let failure { throw failure }
    return totals
  }

  private func writeWaiting() {
    let hasFailed = state.withLock { state in
      guard state.failure == nil else { return false }
      write(&state)
      return state.failure != nil
    }
    if hasFailed { onFailure() }
  }

  private func write(_ state: inout State) {
    clock.setAlarm(at: nil) {}
    guard state.failure == nil else { return }
    var done = 0
    while done < state.lines.count {
      let got = state.lines.withUnsafeBytes { CLibrary.write(descriptor, $0.baseAddress! + done, $0.count - done) }
      if got >= 0 {
        done += got
      } else if errno == EAGAIN {
        waitForRoom(in: descriptor)
      } else if errno != EINTR {
        state.failure = failure(errno)
        takeBack(state.lines[..<done])
        break
      }
    }
    state.lines.removeAll(keepingCapacity: true)
  }

  /// Removes an incomplete line from the end of the output.
  private func takeBack(_ written: ArraySlice<UInt8>) {
    let torn = written.count - (written.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0)
    // Only files can be truncated.
    let end = lseek(descriptor, 0, SEEK_CUR)
    guard torn > 0, end >= off_t(torn) else { return }
    _ = ftruncate(descriptor, end - off_t(torn))
  }

  private func failure(_ code: Int32) -> RecordingWriteError {
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    let why = LocalizedMessage.foreign(String(cString: strerror(code)))
    return RecordingWriteError(
      sentence: LocalizedMessage(isFile ? .recordingStopped : .recordingUnwritable, name, why),
      isClosedPipe: code == EPIPE)
  }
}

/// The reason why a recording ends before the feed.
package struct RecordingWriteError: LocalizedMessageError {
  package let sentence: LocalizedMessage
  /// True if the output is a pipe without a reader.
  package let isClosedPipe: Bool
}
