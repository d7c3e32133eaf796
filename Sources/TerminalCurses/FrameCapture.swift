import CLibrary
import CNCurses
import CTerminalGuard

/// A nameless file in place of the terminal, so that ncurses' output can be counted, shortened and sent in one write.
struct FrameCapture: ~Copyable {
  /// The file to which ncurses writes.
  let output: UnsafeMutablePointer<FILE>
  /// The input of ncurses, which is always empty.
  let input: UnsafeMutablePointer<FILE>
  /// The least size of a frame to bracket, in bytes. The marks cost 16 bytes, as much as a price, and a terminal shows
  /// smaller frames at once anyway.
  static let minBracketed = 256
  private var buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 16 * 1024)

  /// Opens the files; nil, with `errno` set, if the system refuses one.
  init?() {
    let file = terminal_nameless_file()
    guard file >= 0, let output = fdopen(file, "w+") else { return nil }
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

  /// Adds bytes to those of ncurses.
  func append(_ bytes: [UInt8]) { _ = bytes.withUnsafeBytes { write(all: $0, to: fileno(output)) } }

  /// Returns the bytes since the last call, shortened. They are valid until the next call. With `bracketed`, encloses a
  /// large frame in the marks of synchronized output.
  mutating func drain(bracketed: Bool = false) -> UnsafeRawBufferPointer {
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
    if bracketed, place.count >= Self.minBracketed {
      _ = buffer.update(fromContentsOf: begin)
      _ = buffer[place.upperBound...].update(fromContentsOf: end)
      place = 0..<place.upperBound + end.count
    }
    return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[place])
  }
}
