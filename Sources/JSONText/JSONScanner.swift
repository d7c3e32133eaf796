/// A scanner for the bounds of values in JSON text in memory. It checks that strings end and brackets match; the
/// decoder checks commas and colons.
package struct JSONScanner {
  /// The greatest depth of nesting. Decoders reject much shallower nesting.
  private static let depthLimit = 512

  package let bytes: UnsafeBufferPointer<UInt8>
  package private(set) var at: Int

  /// Creates a scanner at an offset. At offset 0 a byte order mark is skipped.
  package init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0) {
    self.bytes = bytes
    at = start == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : start
  }

  /// Returns true if the text is one value surrounded only by white space.
  package static func isOneValue(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var shape = JSONScanner(bytes)
    return shape.skipValue() && shape.peek() == nil
  }

  /// Skips white space. Returns the next character without consuming it; nil at the end.
  package mutating func peek() -> UInt8? {
    while at < bytes.count {
      let byte = bytes[at]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
      at += 1
    }
    return nil
  }

  /// Skips white space and the given character. Returns false if the next character is another one.
  package mutating func consume(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    at += 1
    return true
  }

  /// Skips a string. Returns the range of its raw bytes between the quotes; nil if there is no string.
  package mutating func string() -> Range<Int>? {
    guard consume(UInt8(ascii: "\"")) else { return nil }
    let start = at
    return endString() ? start..<at - 1 : nil
  }

  /// Skips one value. Returns false if there is none.
  package mutating func skipValue() -> Bool {
    switch peek() {
    case UInt8(ascii: "\""): return string() != nil
    case UInt8(ascii: "{"), UInt8(ascii: "["): return skipNested()
    default: return skipBare()
    }
  }

  /// Visits the keys of the object at the cursor. `visit` receives each key with the cursor before its value and must
  /// skip the value. It returns false to stop early, nil for malformed input.
  ///
  /// - Returns: False if there is no object or it is malformed.
  package mutating func keys(_ visit: (Range<Int>, inout JSONScanner) -> Bool?) -> Bool {
    guard consume(UInt8(ascii: "{")) else { return false }
    if consume(UInt8(ascii: "}")) { return true }
    while true {
      guard let key = string(), consume(UInt8(ascii: ":")), let goesOn = visit(key, &self) else { return false }
      if !goesOn || consume(UInt8(ascii: "}")) { return true }
      guard consume(UInt8(ascii: ",")) else { return false }
    }
  }

  package func has(_ text: StaticString, at place: Range<Int>) -> Bool {
    place.count == text.utf8CodeUnitCount && has(text, from: place.lowerBound)
  }

  package func has(_ text: StaticString, from start: Int) -> Bool {
    guard bytes.count - start >= text.utf8CodeUnitCount else { return false }
    for place in 0..<text.utf8CodeUnitCount where bytes[start + place] != text.utf8Start[place] { return false }
    return true
  }

  /// Advances past the closing quote. Returns false if there is none.
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
        // In ASCII a closing bracket has the code of its opening one plus two.
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

  /// Skips one value. Returns its range without leading white space; nil if there is no value.
  package mutating func value() -> Range<Int>? {
    guard peek() != nil else { return nil }
    let start = at
    return skipValue() ? start..<at : nil
  }

  /// Skips one value and returns it as a time: a whole number from 0 to 2^53, or a string of such digits. Returns nil
  /// for any other value.
  package mutating func time() -> Int64? {
    guard var place = value() else { return nil }
    if bytes[place.lowerBound] == UInt8(ascii: "\"") { place = place.lowerBound + 1..<place.upperBound - 1 }
    var at = place.lowerBound
    let time = Self.digits(bytes, &at)
    return at == place.upperBound ? time : nil
  }

  /// Reads digits with a value of at most 2^53. Returns nil for none, or for a greater value, which cannot be a time.
  package static func digits(_ bytes: UnsafeBufferPointer<UInt8>, _ at: inout Int) -> Int64? {
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
