import Foundation

/// A feed in memory, one message a line.
struct FeedText {
  let bytes: [UInt8]

  enum Failure: Error, CustomStringConvertible {
    case unreadable(String)
    case noFeed

    var description: String {
      switch self {
      case .unreadable(let path): "'\(path)' cannot be read: give a feed's file, one message a line"
      case .noFeed: "nothing changed while it was read: give a feed, one message a line, a dump first"
      }
    }
  }

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// All of a file.
  init(path: String) throws {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else { throw Failure.unreadable(path) }
    bytes = [UInt8](data)
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
