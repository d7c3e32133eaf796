import JSONText
package import OddsFeed

/// The head of a line of a recording, read without decoding the message.
package struct RecordingLine {
  /// The time of receipt, in milliseconds since 1970; nil if the line has none.
  package private(set) var receivedAt: Int64?
  /// The range of the topic's raw bytes in the line; nil for a bare message.
  package private(set) var topic: Range<Int>?
  /// The range of the message: the value under `message`, which may be incomplete, or all of a bare message.
  package private(set) var message: Range<Int>
  /// True for a line with a message under `message`, false for a bare message.
  package private(set) var isEnvelope = false

  /// Reads a line. Returns nil if it is neither a recorded message nor a bare one, but incomplete or not JSON.
  package init?(_ bytes: UnsafeBufferPointer<UInt8>, _ format: some FeedFormat) {
    message = 0..<bytes.count
    if readUsualHead(bytes) || format.isMessage(bytes) { return }
    guard readKeys(bytes) else { return nil }
  }

  /// Returns the message of a line if it is a JSON string, decoded: the text of a protocol that is not JSON. Nil for any
  /// other message.
  package func text(in line: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var scanner = JSONScanner(line, from: message.lowerBound)
    guard isEnvelope, let text = scanner.string() else { return nil }
    return JSONValue.unescaped(UnsafeBufferPointer(rebasing: line[text]))
  }

  /// Reads the head that `RecordingWriter` writes, `{"receivedAt":ms,"topic":"…","message":`. Returns false if the line
  /// has another head.
  private mutating func readUsualHead(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let scanner = JSONScanner(bytes)
    let first: StaticString = #"{"receivedAt":"#
    let second: StaticString = #","topic":""#
    let third: StaticString = #"","message":"#
    guard scanner.has(first, from: 0) else { return false }
    var at = first.utf8CodeUnitCount
    guard let time = JSONScanner.digits(bytes, &at), scanner.has(second, from: at) else { return false }
    at += second.utf8CodeUnitCount
    let start = at
    while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
      if bytes[at] == UInt8(ascii: "\\") { return false }
      at += 1
    }
    guard scanner.has(third, from: at) else { return false }
    receivedAt = time
    topic = start..<at
    isEnvelope = true
    message = at + third.utf8CodeUnitCount..<bytes.count
    return true
  }

  /// Reads a line with its keys in any order or with white space, or a bare message.
  private mutating func readKeys(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var scanner = JSONScanner(bytes)
    let isWhole = scanner.keys { key, scanner in
      if scanner.has("receivedAt", at: key) {
        receivedAt = scanner.time() ?? receivedAt
      } else if scanner.has("topic", at: key), scanner.peek() == UInt8(ascii: "\"") {
        topic = scanner.string()
        return topic == nil ? nil : true
      } else {
        guard let value = scanner.value() else { return nil }
        if scanner.has("message", at: key) {
          message = value
          isEnvelope = true
        }
      }
      return true
    }
    if isWhole, !isEnvelope {
      receivedAt = nil
      topic = nil
    }
    return isWhole
  }
}
