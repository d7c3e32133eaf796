import JSONText

extension WAMPMessage {
  /// Parses a text frame. Further elements must be JSON. A payload is not validated, because its decoder does so.
  ///
  /// The ids in a client's messages must be from 1 to `largestID`. The ids in a server's messages can be any number
  /// from 0 to 2^63 - 1, because a client only returns them.
  package static func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(WAMPError) -> WAMPMessage {
    var elements = Elements(bytes)
    guard let type = elements.begin() else { throw .notAMessage }
    guard let message = message(type, &elements), elements.end() else { throw .malformed(type: type) }
    return message
  }

  private static func message(_ type: UInt64, _ elements: inout Elements) -> WAMPMessage? {
    switch type {
    case Code.hello:
      guard let realm = elements.string(), elements.dictionary() else { return nil }
      return .hello(realm: realm)
    case Code.welcome:
      guard let session = elements.number() else { return nil }
      return .welcome(session: session)
    case Code.abort:
      guard let text = elements.text("message"), let reason = elements.string() else { return nil }
      return .abort(reason: reason, text: text)
    case Code.goodbye:
      guard elements.dictionary(), let reason = elements.string() else { return nil }
      return .goodbye(reason: reason)
    case Code.error:
      guard let asked = elements.number(),
        let request = asked == Code.invocation ? elements.id() : elements.number(), let text = elements.text("message"),
        let uri = elements.string()
      else { return nil }
      return .error(type: asked, request: request, uri: uri, text: text)
    case Code.call:
      guard let request = elements.id(), elements.dictionary(), let procedure = elements.string() else { return nil }
      let topic = elements.skip() ? elements.text("topic") : nil
      return .call(request: request, procedure: procedure, topic: topic == "" ? nil : topic)
    case Code.result:
      guard let request = elements.number(), elements.dictionary() else { return nil }
      return .result(request: request, payload: elements.skip() ? elements.last() : nil)
    case Code.register:
      guard let request = elements.id(), elements.dictionary(), let procedure = elements.string() else { return nil }
      return .register(request: request, procedure: procedure)
    case Code.registered:
      guard let request = elements.number(), let registration = elements.number() else { return nil }
      return .registered(request: request, registration: registration)
    case Code.unregister:
      guard let request = elements.id(), let registration = elements.id() else { return nil }
      return .unregister(request: request, registration: registration)
    case Code.unregistered:
      guard let request = elements.number() else { return nil }
      return .unregistered(request: request)
    case Code.invocation:
      guard let request = elements.number(), let registration = elements.number(), elements.dictionary() else {
        return nil
      }
      let payload = elements.skip() ? elements.last() : nil
      return .invocation(request: request, registration: registration, payload: payload)
    case Code.yield:
      guard let request = elements.id() else { return nil }
      return .yield(request: request)
    default: return .other(type: type)
    }
  }
}

/// A reader of the elements of a message's array, in place.
private struct Elements {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var cursor: JSONCursor
  private var hasPayload = false

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    cursor = JSONCursor(bytes, 0..<bytes.count)
  }

  /// Reads the first element, the message type.
  mutating func begin() -> UInt64? {
    guard (try? cursor.expect(UInt8(ascii: "["))) != nil else { return nil }
    return unsigned()
  }

  /// Steps over the rest of the array. Returns false if it is not JSON up to the end of the text. Returns true if a
  /// payload was read, because a payload extends to the end.
  mutating func end() -> Bool {
    if hasPayload { return true }
    while next() { if !step() { return false } }
    return (try? cursor.expect(UInt8(ascii: "]"))) != nil && cursor.peek() == 0
  }

  /// Reads an unsigned number: a message type, or an id in a server's message.
  mutating func number() -> UInt64? { next() ? unsigned() : nil }

  /// Reads an id in a client's message.
  mutating func id() -> UInt64? {
    guard let id = number(), 1...WAMPMessage.largestID ~= id else { return nil }
    return id
  }

  mutating func string() -> String? { next() ? try? cursor.text() : nil }

  /// Steps over an object. Returns false if there is none.
  mutating func dictionary() -> Bool { next() && cursor.peek() == UInt8(ascii: "{") && step() }

  /// Steps over any value. Returns false if there is none.
  mutating func skip() -> Bool { next() && step() }

  /// Steps over an object and returns its text for `key`, or an empty text. Nil if there is no object.
  mutating func text(_ key: StaticString) -> String? {
    guard next() else { return nil }
    var found = ""
    do throws(JSONError) {
      try cursor.fields { name, cursor throws(JSONError) in
        if name.equals(key), cursor.peek() == UInt8(ascii: "\"") {
          found = try cursor.text()
        } else {
          try cursor.skip()
        }
        return true
      }
    } catch { return nil }
    return found
  }

  /// Returns the range of the last element, up to the message's closing bracket. Its decoder validates it.
  mutating func last() -> Range<Int>? {
    guard next() else { return nil }
    _ = cursor.peek()
    var end = bytes.count
    while end > cursor.at, bytes[end - 1] <= 0x20 { end -= 1 }
    guard end > cursor.at + 1, bytes[end - 1] == UInt8(ascii: "]") else { return nil }
    hasPayload = true
    return cursor.at..<end - 1
  }

  /// Steps over the comma before an element.
  private mutating func next() -> Bool { (try? cursor.expect(UInt8(ascii: ","))) != nil }

  private mutating func step() -> Bool { (try? cursor.skip()) != nil }

  private mutating func unsigned() -> UInt64? {
    guard let raw = try? cursor.bare(), let value = JSONValue.integer(raw), value >= 0 else { return nil }
    return UInt64(value)
  }
}
