/// What a recording's line is about, found without decoding its message.
struct RecordingLine {
  /// In milliseconds since 1970; nil where the line does not say.
  private(set) var receivedAt: Int64?
  /// Where the topic's raw bytes stand in the line; nil for a bare message.
  private(set) var topic: Range<Int>?
  /// True for a line with a message in it, false for a bare message.
  private(set) var isEnvelope = false
  /// Whether the message is an INITIAL_DUMP.
  private(set) var isDump = false
  /// The message's own, in milliseconds since 1970. Nil, too, where it stands behind the records.
  private(set) var version: Int64?

  /// Nil where the line is neither a recorded message nor a bare one: torn, or no JSON.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard !takeUsualHead(bytes) else { return }
    guard takeKeys(bytes) else { return nil }
  }

  /// The head that `RecordingWriter` writes: `{"receivedAt":ms,"topic":"…","message":`. The rest is not looked at but for
  /// the kind of message. False where the head is another one.
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

  /// Any order of keys, white space, a bare message.
  private mutating func takeKeys(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var shape = JSONScanner(bytes)
    var message: Int?
    var isFirst = true
    var isBare = false
    let isWhole = shape.keys { key, shape in
      // What begins as the feed's messages do is one: the rest of it, which may be long, is not looked through.
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

  /// The message's version and kind, which stand before its records as a rule.
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

  /// A time as a number or a string of digits; nil, stepped over, for anything else.
  private static func time(_ shape: inout JSONScanner) -> Int64? {
    let isQuoted = shape.peek() == UInt8(ascii: "\"")
    let start = shape.at + (isQuoted ? 1 : 0)
    guard shape.skipValue() else { return nil }
    var at = start
    let time = digits(shape.bytes, &at)
    return at == shape.at - (isQuoted ? 1 : 0) ? time : nil
  }

  /// Digits of at most 2^53; what is above, nobody means as a time.
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
