import CLibrary
import CTerminalGuard

/// A file descriptor pair that ends a poll(2) from another thread or a signal handler.
package struct WakePipe: Sendable {
  /// The descriptor to poll for input.
  let readEnd: CInt
  /// The descriptor to which a wake writes eight bytes, the number 1.
  let writeEnd: CInt

  /// Creates the pair.
  ///
  /// - Throws: `noResources` if the system refuses it.
  package init() throws(TerminalError) {
    var ends: [CInt] = [-1, -1]
    guard terminal_bell(&ends) == 0 else { throw .noResources(errno: errno) }
    readEnd = ends[0]
    writeEnd = ends[1]
  }

  /// Makes `readEnd` readable.
  func ring() {
    var one: UInt64 = 1
    // A full pipe has earlier rings, which suffice.
    _ = write(writeEnd, &one, MemoryLayout.size(ofValue: one))
  }

  /// Reads all rings, so that `readEnd` is no longer readable.
  func silence() {
    var rings: UInt64 = 0
    while read(readEnd, &rings, MemoryLayout.size(ofValue: rings)) > 0 && readEnd != writeEnd {}
  }
}
