import CLibrary

/// Reads small files.
package enum FileReading {
  /// Returns the bytes from the descriptor's position to the end of the file, at most `limit`. Waits for a pipe until
  /// its writers have closed it. Returns nil if the system reports an error; the reason is in `errno`.
  package static func bytes(of descriptor: Int32, limit: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: min(limit, 1 << 16))
    var count = 0
    while count < limit {
      if count == bytes.count { bytes += [UInt8](repeating: 0, count: min(count, limit - count)) }
      let more = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + count, $0.count - count) }
      if more < 0, errno == EINTR { continue }
      if more < 0 { return nil }
      if more == 0 { break }
      count += more
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}
