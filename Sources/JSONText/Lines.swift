import CLibrary

extension UnsafeBufferPointer<UInt8> {
  /// Calls `body` with the range of each line, without its newline. The last line may lack one.
  @inline(__always)
  package func eachLine(in range: Range<Int>, _ body: (Range<Int>) throws -> Void) rethrows {
    guard let base = baseAddress else { return }
    var start = range.lowerBound
    while start < range.upperBound {
      let found = memchr(base + start, 0x0A, range.upperBound - start)
      let end = found.map { UnsafeRawPointer($0) - UnsafeRawPointer(base) } ?? range.upperBound
      try body(start..<end)
      start = end + 1
    }
  }
}
