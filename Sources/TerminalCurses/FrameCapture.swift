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

  /// The bytes since the last call, shortened; valid until the next one.
  mutating func take() -> UnsafeRawBufferPointer {
    let file = fileno(output)
    let count = Int(lseek(file, 0, SEEK_CUR))
    guard count > 0 else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    if count > buffer.count {
      buffer.deallocate()
      buffer = .allocate(capacity: count * 2)
    }
    let read = pread(file, buffer.baseAddress, count, 0)
    lseek(file, 0, SEEK_SET)
    let frame = UnsafeMutableBufferPointer(rebasing: buffer[..<max(0, read)])
    return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(frame)[..<FrameCompactor.compact(frame)])
  }

  private static func openNameless() -> UnsafeMutablePointer<FILE>? {
    let file = terminal_nameless_file()
    return file < 0 ? nil : fdopen(file, "w+")
  }
}
