import CTerminalGuard

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Ends a poll(2) from another thread or a signal handler.
package struct WakePipe: Sendable {
  /// What to poll for input.
  let readEnd: CInt
  /// Where to write eight bytes, the number 1.
  let writeEnd: CInt

  package init() throws(TerminalError) {
    var ends: [CInt] = [-1, -1]
    guard terminal_bell(&ends) == 0 else { throw .noResources(errno: errno) }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }

  /// Makes `readEnd` readable.
  func ring() {
    var one: UInt64 = 1
    // Where it would block, the pipe is full of earlier rings.
    _ = write(writeEnd, &one, MemoryLayout.size(ofValue: one))
  }

  /// Makes `readEnd` quiet again.
  func silence() {
    var rings: UInt64 = 0
    while read(readEnd, &rings, MemoryLayout.size(ofValue: rings)) > 0 && readEnd != writeEnd {}
  }
}
