#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Opens the terminal of this process, whatever its standard input and output are.
func openTTY() throws(TerminalError) -> CInt {
  #if os(Linux)
    let path = "/dev/tty"
  #else
    // NB: Apple's poll(2) does not work on /dev/tty.
    let path = ttyname(STDOUT_FILENO).map { String(cString: $0) } ?? "/dev/tty"
  #endif
  let tty = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
  guard tty >= 0 else { throw .cannotOpen(path: path, errno: errno) }
  return tty
}

func closeTTY(_ tty: CInt) {
  close(tty)
}

/// Writes to a terminal, in one write(2) where it takes that much; returns how many bytes it took.
///
/// Fewer than all are taken only where the terminal is gone, which the input side notices.
func write(all bytes: UnsafeRawBufferPointer, to tty: CInt) -> Int {
  var written = 0
  while written < bytes.count {
    let count = write(tty, bytes.baseAddress! + written, bytes.count - written)
    if count >= 0 {
      written += count
    } else if errno == EAGAIN {
      // Not our doing, but another program may have left the terminal so.
      var file = pollfd(fd: tty, events: Int16(POLLOUT), revents: 0)
      _ = poll(&file, 1, -1)
    } else if errno != EINTR {
      break
    }
  }
  return written
}
