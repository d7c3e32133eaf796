#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Writes blanks to a pipe until it is full. Afterwards the pipe is in blocking mode.
package func fillPipe(_ pipe: CInt) {
  _ = fcntl(pipe, F_SETFL, O_NONBLOCK)
  let blank = [UInt8](repeating: 0x20, count: 4096)
  while write(pipe, blank, blank.count) > 0 {}
  while write(pipe, blank, 1) > 0 {}
  _ = fcntl(pipe, F_SETFL, 0)
}
