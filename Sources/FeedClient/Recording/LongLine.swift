#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Lines that are too long to be messages. Of each its beginning is read, which counts as one line that is no JSON.
enum LongLine {
  /// In bytes. A dump of all football takes about 20 MiB.
  static let limit = 64 << 20

  /// How much of a longer line is read.
  static let excerptLength = 1024

  /// The beginning of a longer line, as a line that is no JSON whatever it begins with.
  static func excerpt(_ line: some Collection<UInt8>) -> [UInt8] { Array(line.prefix(excerptLength)) + [0x01, 0x0A] }
}

extension [UInt8] {
  /// The place of the first newline in a range; nil where there is none.
  func firstNewline(in range: Range<Int>) -> Int? {
    withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress, let newline = memchr(base + range.lowerBound, 0x0A, range.count) else {
        return nil
      }
      return UnsafeRawPointer(base).distance(to: newline)
    }
  }
}
