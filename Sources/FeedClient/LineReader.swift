import Locking
import OddsFeed
import Wording

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Reads whole lines from a descriptor, blocking its thread; a byte on the `stop` descriptor ends it.
final class LineReader: Sendable {
  enum Result: Sendable {
    /// One line or more, whole, each with its newline but perhaps the feed's last.
    case lines([UInt8])
    case end
    case failed(FeedProblem)
    case stopped
  }

  /// The least room for a read. A long line doubles it, so that reading it costs no more than its length.
  private static let leastRoom = 1 << 16

  private let descriptor: Int32
  private let stop: Int32
  private let interval: Duration
  private let state = Locked(State())

  private struct State {
    /// The start of a line whose end has not come yet.
    var rest: [UInt8] = []
    var nextRead = ContinuousClock.now
    var isOver = false
  }

  init(descriptor: Int32, stop: Int32, interval: Duration) {
    self.descriptor = descriptor
    self.stop = stop
    self.interval = interval
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
    let known = state.rest.count
    let room = max(Self.leastRoom, known)
    var got = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: known + room) { buffer, count in
      _ = buffer.update(fromContentsOf: state.rest)
      got = systemRead(descriptor, buffer.baseAddress! + known, room)
      count = known + max(0, got)
    }
    if got < 0 {
      if errno == EINTR || errno == EAGAIN { return nil }
      state.isOver = true
      return .failed(
        FeedProblem(
          .feedUnreadable, Sentence.foreign(String(cString: strerror(errno))), remedy: .remedyReadableFeed))
    }
    if got == 0 {
      state.isOver = true
      state.rest = []
      return bytes.isEmpty ? .end : .lines(bytes)
    }
    // A full buffer means that more is waiting: a pause would only hold the sender up.
    state.nextRead = got == room ? .now : .now + interval
    guard let newline = bytes[known...].lastIndex(of: 0x0A) else {
      state.rest = bytes
      if bytes.count <= LineTransport.longestLine { return nil }
      state.isOver = true
      return .failed(
        FeedProblem(.feedLineTooLong, LineTransport.longestLine >> 20, remedy: .remedySendLines))
    }
    state.rest = Array(bytes[(newline + 1)...])
    return .lines(state.rest.isEmpty ? bytes : Array(bytes[...newline]))
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
