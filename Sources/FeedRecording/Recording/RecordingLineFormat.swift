import JSONText
import OddsFeed
import OddsModel

/// The format of messages in a recording: `{"receivedAt":ms,"topic":"…","message":…}`, one per line.
struct RecordingLineFormat {
  private let head: JSONWriter
  private let headWithKey: [UInt8]
  private let format: any FeedFormat

  /// Creates the format of a topic's messages. `receivedAt` is in milliseconds since 1970, nil if it is not known.
  init(_ topic: Topic, _ receivedAt: Int64?, _ format: any FeedFormat) {
    self.format = format
    var writer = JSONWriter(capacity: 256)
    writer.openObject()
    if let receivedAt { writer.field("receivedAt", receivedAt) }
    writer.field("topic", topic.path)
    head = writer
    writer.key("message")
    headWithKey = writer.bytes
  }

  /// Appends the messages of a frame. Returns their number.
  func append(_ frame: TransportFrame, to lines: inout [UInt8]) -> Int {
    frame.withMessages { bytes in
      if frame.framing == .message { return append(bytes, to: &lines) }
      var count = 0
      bytes.eachLine(in: 0..<bytes.count) { count += append(UnsafeBufferPointer(rebasing: bytes[$0]), to: &lines) }
      return count
    }
  }

  /// Appends one message and returns 1; returns 0 for white space. A message is copied as received, except for
  /// newlines. Text that is not JSON becomes a string, so that the line is valid JSON but still not a message. A line
  /// of a recording is kept as it is.
  func append(_ bytes: UnsafeBufferPointer<UInt8>, to lines: inout [UInt8]) -> Int {
    var cursor = JSONCursor(bytes)
    let first = cursor.peek()
    if first == 0 { return 0 }
    if !JSONCursor.isOneValue(bytes) || !Self.mayBegin(first, bytes) {
      var writer = head
      writer.field("message", String(decoding: bytes, as: UTF8.self))
      writer.closeObject()
      lines += writer.bytes
    } else if first == UInt8(ascii: "{"), RecordingLine(bytes, format)?.isEnvelope == true {
      Self.appendOneLine(bytes, to: &lines)
    } else {
      lines += headWithKey
      Self.appendOneLine(bytes, to: &lines)
      lines.append(UInt8(ascii: "}"))
    }
    lines.append(0x0A)
    return 1
  }

  /// Returns true if a text that reads as one value is valid as such. The cursor accepts any word.
  private static func mayBegin(_ first: UInt8, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    if "{[\"".utf8.contains(first) { return true }
    var cursor = JSONCursor(bytes)
    guard let word = try? cursor.bare() else { return false }
    if ["true", "false", "null"].contains(where: { word.elementsEqual($0.utf8) }) { return true }
    return word.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
      && Double(String(decoding: word, as: UTF8.self)) != nil
  }

  /// Appends a value as one line. A newline between values becomes a space; one inside a string is escaped.
  private static func appendOneLine(_ bytes: UnsafeBufferPointer<UInt8>, to lines: inout [UInt8]) {
    guard bytes.contains(0x0A) else { return lines.append(contentsOf: bytes) }
    var isInString = false
    var isEscaped = false
    for byte in bytes {
      if byte == 0x0A {
        if isInString { lines.append(contentsOf: isEscaped ? "n".utf8 : "\\n".utf8) } else { lines.append(0x20) }
      } else {
        lines.append(byte)
        if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
      }
      isEscaped = isInString && !isEscaped && byte == UInt8(ascii: "\\")
    }
  }
}
