import CLibrary

/// The handling of lines too long to be messages. Only the beginning is read, as one line that is not JSON.
enum LongLine {
  /// The greatest length of a line, in bytes. A dump of all football has about 20 MiB.
  static let limit = 64 << 20

  /// The number of bytes that are read of a longer line.
  static let excerptLength = 1024

  /// Returns the beginning of a long line, changed so that it is never valid JSON.
  static func excerpt(_ line: some Collection<UInt8>) -> [UInt8] { Array(line.prefix(excerptLength)) + [0x01, 0x0A] }
}

extension [UInt8] {
  /// Returns the index of the first newline in a range; nil if there is none.
  func firstNewline(in range: Range<Int>) -> Int? {
    withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress, let newline = memchr(base + range.lowerBound, 0x0A, range.count) else {
        return nil
      }
      return UnsafeRawPointer(base).distance(to: newline)
    }
  }
}
