import CLibrary
import Platform

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
      waitForRoom(in: tty)
    } else if errno != EINTR {
      break
    }
  }
  return written
}
