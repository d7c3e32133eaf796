import CLibrary
import TerminalCore

/// A reader of terminal events. A lone escape character becomes the escape key after a delay.
struct KeyReader: ~Copyable {
  private static let escapeDelay = Duration.milliseconds(25)
  /// The delay while an answer is pending: its pieces, which may arrive slowly, must not become keys.
  private static let answerDelay = Duration.milliseconds(500)

  /// The deadline for the rest of a pending sequence; nil if none is pending.
  private(set) var deadline: Duration?
  /// True after the terminal has gone.
  private(set) var isAtEnd = false
  private let tty: CInt
  private var decoder = KeyDecoder()
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 1)

  init(tty: CInt) { self.tty = tty }

  deinit { buffer.deallocate() }

  /// Reads the input that poll(2) has announced. `isAsking` is true while an answer of the terminal is pending.
  mutating func drain(now: Duration, isAsking: Bool = false) -> [TerminalEvent] {
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

  /// Resolves a pending sequence if its deadline has passed.
  mutating func resolve(now: Duration) -> [TerminalEvent] {
    guard let deadline, deadline <= now else { return [] }
    self.deadline = nil
    return decoder.flush().map(TerminalEvent.key)
  }
}
