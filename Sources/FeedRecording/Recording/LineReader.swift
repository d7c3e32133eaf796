import CLibrary
import Localization
import OddsModel
import Platform

/// A blocking reader of whole lines from a file descriptor. A byte on the `stop` descriptor ends it.
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
    /// True if the last data came soon after the time of the next read: the pause is over before the next data comes.
    var isBusy = false
    var isOver = false
  }

  /// Creates a reader. A line of more than `limit` bytes is replaced by its `LongLine.excerpt`.
  init(descriptor: Int32, stop: Int32, interval: Duration, limit: Int = LongLine.limit) {
    self.descriptor = descriptor
    self.stop = stop
    self.interval = interval
    self.limit = limit
  }

  func read() -> Result {
    state.withLock { state in
      while !state.isOver {
        // Each wait wakes the thread. In a busy feed data is there after the pause, in a quiet one the pause is over when
        // data comes.
        guard !state.isBusy || pause(until: state.nextRead), waitForData(), pause(until: state.nextRead) else {
          return .stopped
        }
        state.isBusy = .now < state.nextRead + interval
        switch fill(&state) {
        case .none: continue
        case .some(let result): return result
        }
      }
      return .end
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

  /// Sleeps until the given time. Returns false if the stop signal ended the sleep.
  private func pause(until time: ContinuousClock.Instant) -> Bool {
    while true {
      let left = ContinuousClock.now.duration(to: time)
      if left <= .zero { return true }
      var stopped = pollfd(fd: stop, events: Int16(POLLIN), revents: 0)
      // Rounded up, because a zero timeout would poll in a busy loop.
      let (seconds, attoseconds) = left.components
      if poll(&stopped, 1, Int32(seconds * 1000 + attoseconds / 1_000_000_000_000_000) + 1) > 0 { return false }
    }
  }

  private func waitForData() -> Bool {
    withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 2) { waiting in
      waiting[0] = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      waiting[1] = pollfd(fd: stop, events: Int16(POLLIN), revents: 0)
      while poll(waiting.baseAddress, 2, -1) < 0 {}
      return waiting[1].revents == 0
    }
  }
}
