import CNCurses
import CTerminalGuard

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A nameless file in the terminal's place: what ncurses sends comes out as bytes, to count, shorten and write at once.
struct FrameCapture: ~Copyable {
  /// What ncurses writes to.
  let output: UnsafeMutablePointer<FILE>
  /// What ncurses would read keys from: nothing.
  let input: UnsafeMutablePointer<FILE>
  /// In bytes. The marks take 16, as much as a price; what is smaller than this a terminal gets in one piece anyway.
  private static let leastBracketed = 256
  private var buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 16 * 1024)

  /// Nil, with `errno` set, where the system has no file to give.
  init?() {
    guard let output = Self.openNameless() else { return nil }
    guard let input = fopen("/dev/null", "r") else {
      fclose(output)
      return nil
    }
    self.output = output
    self.input = input
  }

  deinit {
    fclose(output)
    fclose(input)
    buffer.deallocate()
  }

  /// The bytes since the last call, shortened; valid until the next one. A large frame is `bracketed` between the marks
  /// that make a terminal show it at once.
  mutating func take(bracketed: Bool = false) -> UnsafeRawBufferPointer {
    let file = fileno(output)
    let count = Int(lseek(file, 0, SEEK_CUR))
    guard count > 0 else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let (begin, end) = (TerminalTraits.beginFrame, TerminalTraits.endFrame)
    if begin.count + count + end.count > buffer.count {
      buffer.deallocate()
      buffer = .allocate(capacity: begin.count + count * 2 + end.count)
    }
    let read = pread(file, buffer.baseAddress! + begin.count, count, 0)
    lseek(file, 0, SEEK_SET)
    let frame = UnsafeMutableBufferPointer(rebasing: buffer[begin.count..<begin.count + max(0, read)])
    var place = begin.count..<begin.count + FrameCompactor.compact(frame)
    if bracketed, place.count >= Self.leastBracketed {
      _ = buffer.update(fromContentsOf: begin)
      _ = buffer[place.upperBound...].update(fromContentsOf: end)
      place = 0..<place.upperBound + end.count
    }
    return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[place])
  }

  private static func openNameless() -> UnsafeMutablePointer<FILE>? {
    let file = terminal_nameless_file()
    return file < 0 ? nil : fdopen(file, "w+")
  }
}
