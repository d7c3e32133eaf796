import TerminalCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Keys from a terminal, with the time after which an escape character that stayed alone is the escape key.
struct KeyReader: ~Copyable {
  private static let escapeDelay = Duration.milliseconds(25)
  /// While answers are on their way: over a slow line one may come in pieces, and must not become keys.
  private static let answerDelay = Duration.milliseconds(500)

  /// Until when to wait for the rest of a sequence.
  private(set) var deadline: Duration?
  /// Whether the terminal has gone.
  private(set) var isAtEnd = false
  private let tty: CInt
  private var decoder = KeyDecoder()
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 1)

  init(tty: CInt) {
    self.tty = tty
  }

  deinit { buffer.deallocate() }

  /// Takes what poll(2) has announced; a call without that blocks. `isAsking` is true while the terminal has something to
  /// answer.
  mutating func take(now: Duration, isAsking: Bool = false) -> [TerminalEvent] {
    let count = read(tty, buffer.baseAddress, buffer.count)
    guard count > 0 else {
      guard count == 0 || (errno != EINTR && errno != EAGAIN) else { return [] }
      isAtEnd = true
      deadline = nil
      return [.hangUp]
    }
    let events = decoder.feed(buffer[..<count])
    deadline = decoder.isPending ? now + (isAsking ? Self.answerDelay : Self.escapeDelay) : nil
    return events
  }

  /// Settles what has been pending past its deadline.
  mutating func settle(now: Duration) -> [TerminalEvent] {
    guard let deadline, deadline <= now else { return [] }
    self.deadline = nil
    return decoder.flush().map(TerminalEvent.key)
  }
}
