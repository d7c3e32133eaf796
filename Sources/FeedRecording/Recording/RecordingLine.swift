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

  /// Reads a line. Returns nil if it is incomplete or is no JSON object.
  package init?(_ bytes: UnsafeBufferPointer<UInt8>, _ format: some FeedFormat) {
    message = 0..<bytes.count
    if format.isMessage(bytes) { return }
    do throws(JSONError) { try readFields(bytes) } catch { return nil }
  }

  /// Returns the decoded message if it is a JSON string, the text of a protocol that is not JSON; nil otherwise.
  package func text(in line: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var cursor = JSONCursor(line, message)
    guard isEnvelope, let text = try? cursor.string().bytes else { return nil }
    return JSONValue.unescaped(text)
  }

  /// Returns the exact range of the message if it is a JSON object; nil for any other message.
  package func object(in line: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    var cursor = JSONCursor(line, message)
    return cursor.peek() == UInt8(ascii: "{") ? try? cursor.value() : nil
  }

  /// Reads a line with its keys in any order, or a bare message. Does not read a message that comes last, as
  /// `RecordingWriter` writes it, because its decoder does.
  private mutating func readFields(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) {
    var cursor = JSONCursor(bytes)
    try cursor.fields { key, cursor throws(JSONError) in
      if key.equals("receivedAt") {
        receivedAt = try cursor.time() ?? receivedAt
      } else if key.equals("topic"), cursor.peek() == UInt8(ascii: "\"") {
        let start = cursor.at + 1
        topic = start..<start + (try cursor.string().bytes.count)
      } else if key.equals("message") {
        isEnvelope = true
        if receivedAt != nil, topic != nil {
          message = cursor.at..<bytes.count
          return false
        }
        message = try cursor.value()
      } else {
        try cursor.skip()
      }
      return true
    }
    if !isEnvelope {
      receivedAt = nil
      topic = nil
    }
  }
}
