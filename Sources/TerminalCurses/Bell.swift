import CTerminalGuard

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Ends a poll(2) from another thread or a signal handler.
package struct Bell: Sendable {
  /// What to poll for input.
  let ear: CInt
  /// Where to write eight bytes, the number 1.
  let rope: CInt

  package init() throws(TerminalError) {
    var ends: [CInt] = [-1, -1]
    guard terminal_bell(&ends) == 0 else { throw .noResources(errno: errno) }
    (ear, rope) = (ends[0], ends[1])
  }

  /// Makes `ear` readable.
  func ring() {
    var one: UInt64 = 1
    // Where it would block, the pipe is full of earlier rings.
    _ = write(rope, &one, MemoryLayout.size(ofValue: one))
  }

  /// Makes `ear` quiet again.
  func silence() {
    var rings: UInt64 = 0
    while read(ear, &rings, MemoryLayout.size(ofValue: rings)) > 0 && ear != rope {}
  }
}
