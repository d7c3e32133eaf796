import Foundation

/// A feed in memory, one message a line.
struct FeedText {
  let bytes: [UInt8]

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// All of a file.
  init(path: String) throws {
    bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  func write(to path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  /// Hands over each line as its place among all bytes.
  @inline(__always)
  func eachLine(_ body: (UnsafeBufferPointer<UInt8>, Range<Int>) -> Void) {
    bytes.withUnsafeBufferPointer { all in
      guard let base = all.baseAddress else { return }
      var start = 0
      while start < all.count {
        let found = memchr(base + start, 0x0A, all.count - start)
        let end = found.map { UnsafeRawPointer($0) - UnsafeRawPointer(base) } ?? all.count
        body(all, start..<end)
        start = end + 1
      }
    }
  }
}
