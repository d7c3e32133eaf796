import CLibrary
import Localization
import OddsModel
import Platform

/// A reader of whole lines from a file descriptor. A byte on the `stop` descriptor ends it.
///
/// The descriptor may be in non-blocking mode, as a FIFO without a writer is.
final class LineReader: Sendable {
  enum Result: Sendable {
    /// One or more whole lines, each with its newline; the last line of the feed may lack it.
    case lines([UInt8])
    case end
    case failed(FeedError)
    case stopped
  }

  /// The bounds of the buffer space for one read, in bytes. It grows with a long line, so that the cost stays linear.
  private static let minRoom = 1 << 16
  private static let maxRoom = 1 << 20

  private let descriptor: Int32
  private let stop: Int32
  private let interval: Duration
  private let limit: Int
  private let state = Locked(State())

  private struct State {
    /// The beginning of an incomplete line.
    var rest: [UInt8] = []
    /// True while the rest of a line that is too long is skipped.
    var isSkipping = false
    var nextRead = ContinuousClock.now
    /// True if the last data came during the pause before its read, or soon after, as data of a busy feed does.
    var isBusy = false
    /// True if the last read ended with more data than a thread with other work should read and apply.
    var isFlooded = false
    var isOver = false
  }

  /// Creates a reader. A line of more than `limit` bytes is replaced by its `LongLine.excerpt`.
  ///
  /// - Parameter interval: The least time between two reads of continuous data; rounded up to whole milliseconds, so
  ///   that a frame at that interval is due when its data is read, and needs no wait of its own.
  init(descriptor: Int32, stop: Int32, interval: Duration, limit: Int = LongLine.limit) {
    self.descriptor = descriptor
    self.stop = stop
    self.interval = .milliseconds(Int64((interval / .milliseconds(1)).rounded(.up)))
    self.limit = limit
  }

  /// Reads the next lines. Waits on a thread with other work while little data comes; blocks the caller's thread if
  /// that is nil.
  func read(on thread: (any InputThread)? = nil) async -> Result {
    while true {
      let (isOver, isBusy, nextRead) = state.withLock { ($0.isOver, $0.isBusy, $0.nextRead) }
      if isOver { return .end }
      // Each wait wakes the thread. In a busy feed data is there after the pause, in a quiet one the pause is over when
      // data comes.
      if isBusy, await !sleep(on: thread, until: nextRead) { return .stopped }
      guard await sleep(on: thread, until: nil), await sleep(on: thread, until: nextRead) else { return .stopped }
      // Another reader of a pipe may have taken the data since, and this read would block the thread.
      if thread != nil, AwaitedInput(data: descriptor, stop: -1, until: .now).block().isEmpty { continue }
      let (result, isFlooded) = state.withLock { state in
        state.isBusy = .now < state.nextRead + interval
        return (fill(&state), state.isFlooded)
      }
      await thread?.useOwnThread(isFlooded)
      if let result { return result }
    }
  }

  /// Performs one read. Returns nil if it completed no line.
  private func fill(_ state: inout State) -> Result? {
    var bytes: [UInt8] = []
    swap(&bytes, &state.rest)
    let known = bytes.count
    let room = max(Self.minRoom, min(known, Self.maxRoom))
    var got = 0
    if known == 0 {
      bytes = Array(unsafeUninitializedCapacity: room) { buffer, count in
        got = CLibrary.read(descriptor, buffer.baseAddress, room)
        count = max(0, got)
      }
    } else {
      // A long line reserves all the space that it may need at once: unused space costs no memory, but moving does.
      if bytes.capacity < known + room { bytes.reserveCapacity(known < Self.maxRoom ? known + room : limit + room) }
      bytes.append(contentsOf: repeatElement(0, count: room))
      got = bytes.withUnsafeMutableBytes { CLibrary.read(descriptor, $0.baseAddress! + known, room) }
      bytes.removeLast(room - max(0, got))
    }
    let code = errno
    state.isFlooded = bytes.count >= Self.minRoom
    if got < 0 {
      state.rest = bytes
      if code == EINTR || code == EAGAIN { return nil }
      state.isOver = true
      return .failed(
        FeedError(
          .feedUnreadable, LocalizedMessage.foreign(String(cString: strerror(code))), remedy: .remedyReadableFeed))
    }
    if got == 0 {
      state.isOver = true
      return bytes.isEmpty ? .end : .lines(bytes)
    }
    // A full buffer means that more data is available, and a pause would only delay the sender.
    state.nextRead = got == room ? .now : .now + interval
    return lines(of: bytes, known, &state)
  }

  /// Extracts the whole lines. The first `known` bytes contain no newline. Returns nil if no line is complete.
  private func lines(of bytes: consuming [UInt8], _ known: consuming Int, _ state: inout State) -> Result? {
    if state.isSkipping {
      guard let end = bytes.firstNewline(in: 0..<bytes.count) else { return nil }
      state.isSkipping = false
      bytes.removeSubrange(...end)
    }
    if bytes.count > limit, case let end = bytes.firstNewline(in: known..<bytes.count), end ?? bytes.count > limit {
      state.isSkipping = end == nil
      bytes = LongLine.excerpt(bytes) + (end.map { bytes[($0 + 1)...] } ?? [])
      known = 0
    }
    // NB: Searching backwards is far slower if there is no newline, so this searches forwards first.
    guard bytes.firstNewline(in: known..<bytes.count) != nil, let newline = bytes.lastIndex(of: 0x0A) else {
      state.rest = bytes
      return nil
    }
    state.rest = Array(bytes[(newline + 1)...])
    bytes.removeSubrange((newline + 1)...)
    return .lines(bytes)
  }

  /// Sleeps until the given time, or if that is nil until there is data. Returns false if the stop signal ended the
  /// sleep.
  private func sleep(on thread: (any InputThread)?, until time: ContinuousClock.Instant?) async -> Bool {
    while true {
      if let time, time <= .now { return true }
      let input = AwaitedInput(data: time == nil ? descriptor : -1, stop: stop, until: time)
      let ready = await thread?.wait(for: input) ?? input.block()
      if ready.contains(.stop) { return false }
      if ready.contains(.data) { return true }
    }
  }
}
