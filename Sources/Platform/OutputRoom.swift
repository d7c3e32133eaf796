import CLibrary

/// Blocks the thread until a descriptor in non-blocking mode has room for output, or has no reader any more. Another
/// program that shares the terminal or pipe may have set that mode.
package func waitForRoom(in descriptor: Int32) {
  var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
  _ = poll(&output, 1, -1)
}
