/// Finds where values begin and end in JSON text in memory. Strings end and brackets match; whether commas and colons
/// stand where they must is the decoder's business.
struct JSONScanner {
  /// Deeper than this nothing is a value. A decoder gives up long before.
  private static let depthLimit = 512

  let bytes: UnsafeBufferPointer<UInt8>
  private(set) var at: Int

  /// From the beginning, a byte order mark there is stepped over.
  init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0) {
    self.bytes = bytes
    at = start == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : start
  }

  /// Whether the text is one value with nothing but white space around it.
  static func isOneValue(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var shape = JSONScanner(bytes)
    return shape.skipValue() && shape.peek() == nil
  }

  /// The next character that is no white space; nil at the end.
  mutating func peek() -> UInt8? {
    while at < bytes.count {
      let byte = bytes[at]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
      at += 1
    }
    return nil
  }

  /// Steps over that character, white space before it too; false where another one stands there.
  mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    at += 1
    return true
  }

  /// Steps over a string; the place of its raw bytes between the quotes.
  mutating func string() -> Range<Int>? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    let start = at
    return endString() ? start..<at - 1 : nil
  }

  /// Steps over one value; false where it is none.
  mutating func skipValue() -> Bool {
    switch peek() {
    case UInt8(ascii: "\""): return string() != nil
    case UInt8(ascii: "{"), UInt8(ascii: "["): return skipNested()
    default: return skipBare()
    }
  }

  /// The keys of the object that begins here, each with the cursor before its value, until the body returns false or
  /// the object ends. The body steps over the value. False where there is no object or it is broken.
  mutating func keys(_ visit: (Range<Int>, inout JSONScanner) -> Bool?) -> Bool {
    guard take(UInt8(ascii: "{")) else { return false }
    if take(UInt8(ascii: "}")) { return true }
    while true {
      guard let key = string(), take(UInt8(ascii: ":")), let goesOn = visit(key, &self) else { return false }
      if !goesOn || take(UInt8(ascii: "}")) { return true }
      guard take(UInt8(ascii: ",")) else { return false }
    }
  }

  func has(_ text: StaticString, at place: Range<Int>) -> Bool {
    place.count == text.utf8CodeUnitCount && has(text, from: place.lowerBound)
  }

  func has(_ text: StaticString, from start: Int) -> Bool {
    guard bytes.count - start >= text.utf8CodeUnitCount else { return false }
    for place in 0..<text.utf8CodeUnitCount where bytes[start + place] != text.utf8Start[place] { return false }
    return true
  }

  /// Steps behind the closing quote.
  private mutating func endString() -> Bool {
    while at < bytes.count {
      let byte = bytes[at]
      at += 1
      if byte == UInt8(ascii: "\"") { return true }
      if byte == UInt8(ascii: "\\") { at += 1 }
    }
    at = bytes.count
    return false
  }

  private mutating func skipNested() -> Bool {
    var open: [UInt8] = []
    while at < bytes.count {
      let byte = bytes[at]
      at += 1
      switch byte {
      case UInt8(ascii: "\""): guard endString() else { return false }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        open.append(byte)
        if open.count > Self.depthLimit { return false }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        // In ASCII a closing bracket stands two places behind its opening one.
        guard open.popLast() == byte - 2 else { return false }
        if open.isEmpty { return true }
      default: break
      }
    }
    return false
  }

  private mutating func skipBare() -> Bool {
    let start = at
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x0A, 0x0D, 0x09: return at > start
      case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): return false
      default: at += 1
      }
    }
    return at > start
  }
}
