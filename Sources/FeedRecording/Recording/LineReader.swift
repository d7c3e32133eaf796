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
    /// No line is complete, and the rest is not for the given thread: it is long, or the thread may block.
    case elsewhere
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
    /// True if the last read filled its buffer.
    var isFlooded = false
    var isOver = false
  }

  /// Creates a reader. A line of more than `limit` bytes is replaced by its `LongLine.excerpt`.
  ///
  /// - Parameter interval: The least time between two reads of continuous data; rounded up to whole milliseconds, so that
  ///   a frame at that interval is due when its data is read, and needs no wait of its own.
  init(descriptor: Int32, stop: Int32, interval: Duration, limit: Int = LongLine.limit) {
    self.descriptor = descriptor
    self.stop = stop
    self.interval = .milliseconds(Int64((interval / .milliseconds(1)).rounded(.up)))
    self.limit = limit
  }

  /// True if more data waits than a thread with other work should read.
  var isFlooded: Bool { state.withLock { $0.isFlooded } }

  /// Reads the next lines. Waits on a thread with other work; blocks the caller's thread if that is nil.
  func read(on thread: (any InputThread)? = nil) async -> Result {
    while true {
      let (isOver, isBusy, nextRead) = state.withLock { ($0.isOver, $0.isBusy, $0.nextRead) }
      if isOver { return .end }
      // Each wait wakes the thread. In a busy feed data is there after the pause, in a quiet one the pause is over when
      // data comes.
      if isBusy, let end = await sleep(on: thread, until: nextRead) { return end }
      if let end = await sleep(on: thread, until: nil) { return end }
      if let end = await sleep(on: thread, until: nextRead) { return end }
      let result = state.withLock { state in
        state.isBusy = .now < state.nextRead + interval
        return fill(&state)
      }
      if let result { return result }
      if thread != nil, isFlooded { return .elsewhere }
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
    state.isFlooded = got == room
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

  /// Sleeps until the given time, or if that is nil until there is data. Returns nil then, and the result of the read if
  /// something else ended the sleep.
  private func sleep(on thread: (any InputThread)?, until time: ContinuousClock.Instant?) async -> Result? {
    while true {
      if let time, time <= .now { return nil }
      let data = time == nil ? descriptor : -1
      let ready: ReadyInput
      if let thread {
        if thread.mayBlock { return .elsewhere }
        ready = await thread.waitForInput(data: data, stop: stop, until: time)
      } else {
        ready = block(data: data, until: time)
      }
      if ready.contains(.stop) { return .stopped }
      if ready.contains(.data) { return nil }
    }
  }

  private func block(data: Int32, until time: ContinuousClock.Instant?) -> ReadyInput {
    // Rounded up, because a zero timeout would poll in a busy loop.
    let timeout = time.map { time in
      let (seconds, attoseconds) = ContinuousClock.now.duration(to: time).components
      return Int32(seconds * 1000 + attoseconds / 1_000_000_000_000_000) + 1
    }
    return withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 2) { waiting in
      waiting[0] = pollfd(fd: data, events: Int16(POLLIN), revents: 0)
      waiting[1] = pollfd(fd: stop, events: Int16(POLLIN), revents: 0)
      guard poll(waiting.baseAddress, 2, timeout ?? -1) > 0 else { return [] }
      return ReadyInput(data: waiting[0].revents != 0, stop: waiting[1].revents != 0)
    }
  }
}
