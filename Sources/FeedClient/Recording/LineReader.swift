import Localization
import OddsFeed
import Platform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Reads whole lines from a descriptor, blocking its thread; a byte on the `stop` descriptor ends it.
///
/// The descriptor may be in non-blocking mode, as that of a FIFO that nobody writes to yet is.
final class LineReader: Sendable {
  enum Result: Sendable {
    /// One line or more, whole, each with its newline but perhaps the feed's last.
    case lines([UInt8])
    case end
    case failed(FeedError)
    case stopped
  }

  /// The least and the most room for a read. A long line doubles it, so that reading it costs no more than its length.
  private static let leastRoom = 1 << 16
  private static let mostRoom = 1 << 20

  private let descriptor: Int32
  private let stop: Int32
  private let interval: Duration
  private let limit: Int
  private let state = Locked(State())

  private struct State {
    /// The start of a line whose end has not come yet.
    var rest: [UInt8] = []
    /// The line was too long: what follows, up to its end, is skipped.
    var isSkipping = false
    var nextRead = ContinuousClock.now
    var isOver = false
  }

  /// A line of more than `limit` bytes is handed over as its `LongLine.excerpt`.
  init(descriptor: Int32, stop: Int32, interval: Duration, limit: Int = LongLine.limit) {
    self.descriptor = descriptor
    self.stop = stop
    self.interval = interval
    self.limit = limit
  }

  func read() -> Result {
    state.withLock { state in
      while !state.isOver {
        guard pause(until: state.nextRead), waitForData() else { return .stopped }
        switch fill(&state) {
        case .none: continue
        case .some(let result): return result
        }
      }
      return .end
    }
  }

  /// One read. Nil where it did not bring the end of a line.
  private func fill(_ state: inout State) -> Result? {
    var bytes: [UInt8] = []
    swap(&bytes, &state.rest)
    let known = bytes.count
    let room = max(Self.leastRoom, min(known, Self.mostRoom))
    // A long line gets all the room that it may need at once: room that is not used costs no memory, and moving does.
    if bytes.capacity < known + room { bytes.reserveCapacity(known < Self.mostRoom ? known + room : limit + room) }
    bytes.append(contentsOf: repeatElement(0, count: room))
    let got = bytes.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress! + known, room) }
    let code = errno
    bytes.removeLast(room - max(0, got))
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
    // A full buffer means that more is waiting: a pause would only hold the sender up.
    state.nextRead = got == room ? .now : .now + interval
    return lines(of: bytes, known, &state)
  }

  /// The whole lines of bytes of which the first so many hold no newline. Nil where there are none.
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
    // NB: to look from the end costs far more where there is none.
    guard bytes.firstNewline(in: known..<bytes.count) != nil, let newline = bytes.lastIndex(of: 0x0A) else {
      state.rest = bytes
      return nil
    }
    state.rest = Array(bytes[(newline + 1)...])
    bytes.removeSubrange((newline + 1)...)
    return .lines(bytes)
  }

  /// False where it was ended by the stop signal.
  private func pause(until time: ContinuousClock.Instant) -> Bool {
    while true {
      let left = ContinuousClock.now.duration(to: time)
      if left <= .zero { return true }
      var stopped = pollfd(fd: stop, events: Int16(POLLIN), revents: 0)
      // Rounded up: a millisecond too many is a better wait than a busy one.
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
