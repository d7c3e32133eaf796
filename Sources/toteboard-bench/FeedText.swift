import Foundation
import JSONText

/// A feed in memory, with one message per line.
struct FeedText {
  let bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Reads a whole file.
  init(path: String) throws {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
      throw BenchError("cannot read '\(path)': use a feed file with one message per line")
    }
    bytes = [UInt8](data)
  }

  /// Returns a message with its records, as a line.
  static func message(_ type: String, _ records: [String]) -> [UInt8] {
    Array("{\"messageType\":\"\(type)\",\"records\":[\(records.joined(separator: ","))]}\n".utf8)
  }

  func write(to path: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

  /// Calls `body` for each line, with all bytes and the range of the line.
  @inline(__always)
  func eachLine(_ body: (UnsafeBufferPointer<UInt8>, Range<Int>) -> Void) {
    bytes.withUnsafeBufferPointer { all in all.eachLine(in: 0..<all.count) { body(all, $0) } }
  }

  /// Calls `body` for blocks of complete lines of 64 KiB or more, as of a busy socket; the last one may be smaller.
  func eachRead(_ body: (UnsafeBufferPointer<UInt8>, Range<Int>) -> Void) {
    var read = 0..<0
    eachLine { all, line in
      read = read.lowerBound..<min(line.upperBound + 1, all.count)
      guard read.count >= 1 << 16 || read.upperBound == all.count else { return }
      body(all, read)
      read = read.upperBound..<read.upperBound
    }
  }
}
