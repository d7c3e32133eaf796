import CLibrary

/// Reads small files.
package enum FileReading {
  /// Returns the bytes from the descriptor's position to the end of the file, at most `limit`. Returns nil if the system
  /// reports an error; `errno` tells which.
  package static func bytes(of descriptor: Int32, limit: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: limit)
    var count = 0
    while count < limit {
      let more = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + count, limit - count) }
      if more < 0, errno == EINTR { continue }
      if more < 0 { return nil }
      if more == 0 { break }
      count += more
    }
    bytes.removeLast(limit - count)
    return bytes
  }
}
