/// The head of a line of a recording, read without decoding the message.
struct RecordingLine {
  /// The time of receipt, in milliseconds since 1970; nil if the line has none.
  private(set) var receivedAt: Int64?
  /// The range of the topic's raw bytes in the line; nil for a bare message.
  private(set) var topic: Range<Int>?
  /// True for a line with a message under `message`, false for a bare message.
  private(set) var isEnvelope = false
  /// True if the message is an INITIAL_DUMP.
  private(set) var isDump = false
  /// The version of the message, in milliseconds since 1970; nil if it has none, or only after the records.
  private(set) var version: Int64?

  /// Reads a line. Returns nil if it is neither a recorded message nor a bare one, but incomplete or not JSON.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard !takeUsualHead(bytes) else { return }
    guard takeKeys(bytes) else { return nil }
  }

  /// Reads the head that `RecordingWriter` writes, `{"receivedAt":ms,"topic":"…","message":`, and the kind and version
  /// of the message. Returns false if the line has another head.
  private mutating func takeUsualHead(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let shape = JSONScanner(bytes)
    let (first, second, third): (StaticString, StaticString, StaticString) =
      (#"{"receivedAt":"#, #","topic":""#, #"","message":"#)
    guard shape.has(first, from: 0) else { return false }
    var at = first.utf8CodeUnitCount
    guard let time = Self.digits(bytes, &at), shape.has(second, from: at) else { return false }
    at += second.utf8CodeUnitCount
    let start = at
    while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
      if bytes[at] == UInt8(ascii: "\\") { return false }
      at += 1
    }
    guard shape.has(third, from: at) else { return false }
    (receivedAt, topic, isEnvelope) = (time, start..<at, true)
    takeMessage(bytes, from: at + third.utf8CodeUnitCount)
    return true
  }

  /// Reads a line with its keys in any order, with white space, or with a bare message.
  private mutating func takeKeys(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var shape = JSONScanner(bytes)
    var message: Int?
    var isFirst = true
    var isBare = false
    let isWhole = shape.keys { key, shape in
      // A line that begins with a key of a feed message is a bare message. The rest, which may be long, is not scanned.
      if isFirst {
        isFirst = false
        isBare = ["version", "format", "messageType", "records"].contains { shape.has($0, at: key) }
      }
      if isBare { return false }
      if shape.has("receivedAt", at: key) {
        receivedAt = Self.time(&shape) ?? receivedAt
      } else if shape.has("topic", at: key), shape.peek() == UInt8(ascii: "\"") {
        topic = shape.string()
        return topic == nil ? nil : true
      } else {
        if shape.has("message", at: key) { message = shape.at }
        return shape.skipValue() ? true : nil
      }
      return true
    }
    guard isWhole else { return false }
    if let message {
      isEnvelope = true
      takeMessage(bytes, from: message)
    } else {
      (receivedAt, topic) = (nil, nil)
      takeMessage(bytes, from: 0)
    }
    return true
  }

  /// Reads the version and kind of the message, which usually precede its records.
  private mutating func takeMessage(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) {
    var shape = JSONScanner(bytes, from: start)
    var isKnown = false
    _ = shape.keys { key, shape in
      if isKnown, shape.has("records", at: key) { return false }
      if shape.has("messageType", at: key), shape.peek() == UInt8(ascii: "\"") {
        guard let kind = shape.string() else { return nil }
        isDump = shape.has("INITIAL_DUMP", at: kind)
        isKnown = true
        return version == nil
      }
      if shape.has("version", at: key) {
        version = Self.time(&shape)
        return true
      }
      return shape.skipValue() ? true : nil
    }
  }

  /// Reads a time, written as a number or a string of digits. Any other value is skipped and yields nil.
  private static func time(_ shape: inout JSONScanner) -> Int64? {
    let isQuoted = shape.peek() == UInt8(ascii: "\"")
    let start = shape.at + (isQuoted ? 1 : 0)
    guard shape.skipValue() else { return nil }
    var at = start
    let time = digits(shape.bytes, &at)
    return at == shape.at - (isQuoted ? 1 : 0) ? time : nil
  }

  /// Reads digits with a value of at most 2^53. Returns nil for none, or for a greater value, which cannot be a time.
  private static func digits(_ bytes: UnsafeBufferPointer<UInt8>, _ at: inout Int) -> Int64? {
    let start = at
    var value: Int64 = 0
    while at < bytes.count, case let digit = bytes[at] &- UInt8(ascii: "0"), digit < 10 {
      value = value * 10 + Int64(digit)
      if value > 1 << 53 { return nil }
      at += 1
    }
    return at > start ? value : nil
  }
}
