import CLibrary
import CTerminalGuard

/// Opens the terminal of this process, independent of its standard input and output: flags such as `O_NONBLOCK` are for
/// the returned descriptor only.
func openTTY(_ flags: CInt = 0) throws(TerminalError) -> CInt {
  #if os(Linux)
    let path = "/dev/tty"
  #else
    // NB: Apple's poll(2) does not work on /dev/tty.
    let path = ttyname(STDOUT_FILENO).map { String(cString: $0) } ?? "/dev/tty"
  #endif
  let tty = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | flags)
  guard tty >= 0 else { throw .cannotOpen(path: path, errno: errno) }
  return tty
}

/// Writes bytes to a terminal, with a single write(2) if it accepts them all, and returns the number of bytes written.
///
/// Writes fewer bytes only if the terminal is gone, which the input side detects. Calls `beforeBlocking` before it
/// waits for a terminal in non-blocking mode.
func write(all bytes: UnsafeRawBufferPointer, to tty: CInt, beforeBlocking: () -> Void = {}) -> Int {
  var written = 0
  while written < bytes.count {
    let count = write(tty, bytes.baseAddress! + written, bytes.count - written)
    if count >= 0 {
      written += count
    } else if errno == EAGAIN {
      beforeBlocking()
      var file = pollfd(fd: tty, events: Int16(POLLOUT), revents: 0)
      _ = poll(&file, 1, -1)
    } else if errno != EINTR {
      break
    }
  }
  return written
}

/// A password prompt on the terminal of this process, for use before the screen is taken over.
package enum PasswordPrompt {
  private static let maxBytes = 1024

  /// Reads a line without echo; nil at the end of the input. Restores the echo if a signal ends or stops the program.
  ///
  /// - Throws: `TerminalError` if there is no terminal, or if the answer is too long or not UTF-8.
  package static func ask(_ prompt: String) throws(TerminalError) -> String? {
    let tty = try openTTY()
    defer { close(tty) }
    var line = [CChar](repeating: 0, count: maxBytes)
    defer { line.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 0) } }
    let count = terminal_ask_secret(tty, prompt, &line, line.count)
    guard count >= 0 else {
      if errno == ENODATA { return nil }
      throw errno == EMSGSIZE ? .answerIsUnfit(maxBytes: maxBytes - 1) : .noResources(errno: errno)
    }
    guard let text = String(validating: line[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) else {
      throw .answerIsUnfit(maxBytes: maxBytes - 1)
    }
    return text
  }
}
