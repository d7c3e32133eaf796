import CLibrary

// MARK: Values by their bounds

extension JSONCursor {
  /// Creates a reader of a whole text. Steps over a byte order mark.
  public init(_ text: UnsafeBufferPointer<UInt8>) {
    self.init(text, 0..<text.count)
    _ = skipByteOrderMark()
  }

  /// Returns true if the text is one value surrounded only by white space.
  public static func isOneValue(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var cursor = JSONCursor(text)
    return (try? cursor.skip()) != nil && cursor.peek() == 0
  }

  /// Steps over one value. Returns its range without leading white space.
  public mutating func value() throws(JSONError) -> Range<Int> {
    _ = peek()
    let start = at
    try skip()
    return start..<at
  }

  /// Visits the fields of the object at the cursor. `visit` receives each key as written, with the cursor before its
  /// value, and steps over the value. It returns false to stop early.
  @inlinable @inline(__always)
  public mutating func fields(
    _ visit: (UnsafeBufferPointer<UInt8>, inout JSONCursor) throws(JSONError) -> Bool
  ) throws(JSONError) {
    guard try enter(UInt8(ascii: "{"), close: UInt8(ascii: "}")) else { return }
    repeat {
      let key = try string().bytes
      try expect(UInt8(ascii: ":"))
      if try !visit(key, &self) { return }
    } while try more(until: UInt8(ascii: "}"))
  }

  /// Visits the fields of the object at the cursor. `visit` receives each key, decoded, and steps over the value.
  public mutating func decodedFields(_ visit: (String, inout JSONCursor) throws(JSONError) -> Void) throws(JSONError) {
    guard try enter(UInt8(ascii: "{"), close: UInt8(ascii: "}")) else { return }
    repeat {
      let key = try text()
      try expect(UInt8(ascii: ":"))
      try visit(key, &self)
    } while try more(until: UInt8(ascii: "}"))
  }

  /// Visits the objects of the array at the cursor. `visit` receives the cursor before each object and steps over it.
  ///
  /// - Returns: The number of elements that are no objects. They are skipped.
  @inlinable
  public mutating func objects(_ visit: (inout JSONCursor) throws(JSONError) -> Void) throws(JSONError) -> Int {
    var others = 0
    guard try enter(UInt8(ascii: "["), close: UInt8(ascii: "]")) else { return 0 }
    repeat {
      if peek() == UInt8(ascii: "{") {
        try visit(&self)
      } else {
        others += 1
        try skip()
      }
    } while try more(until: UInt8(ascii: "]"))
    return others
  }

  /// Steps over one value. Returns it as a time: a whole number from 0 to 2^53, or a string of such digits. Returns nil
  /// for any other value.
  public mutating func time() throws(JSONError) -> Int64? {
    guard let digits = try digits() else { return nil }
    var value: Int64 = 0
    for byte in digits {
      let digit = byte &- UInt8(ascii: "0")
      if digit > 9 { return nil }
      value = value * 10 + Int64(digit)
      if value > 1 << 53 { return nil }
    }
    return digits.isEmpty ? nil : value
  }

  /// Steps over one value. Returns a string; nil for any other value.
  public mutating func textIfAny() throws(JSONError) -> String? {
    guard peek() == UInt8(ascii: "\"") else {
      try skip()
      return nil
    }
    return try text()
  }

  /// Steps over one value. Returns a number in ten-millionths, also one in quotes; nil for any other value, such as
  /// `"NaN"`.
  @inlinable @inline(__always)
  public mutating func fixed() throws(JSONError) -> Int64? {
    _ = peek()
    if let fixed = plainFixed() { return fixed }
    return try digits().flatMap(JSONValue.fixed)
  }

  /// Steps over one value. Returns a whole number, also one in quotes; nil for any other value.
  @inlinable @inline(__always)
  public mutating func number() throws(JSONError) -> Int64? {
    _ = peek()
    if let number = plainInteger() { return number }
    return try digits().flatMap(JSONValue.integer)
  }

  /// Steps over one value. Returns the bytes of a number or literal, or of a string without its quotes; nil for an
  /// array or object.
  @usableFromInline
  mutating func digits() throws(JSONError) -> UnsafeBufferPointer<UInt8>? {
    switch peek() {
    case UInt8(ascii: "\""): return try string().bytes
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      try skip()
      return nil
    default: return try bare()
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns true if the bytes are those of a text.
  @inlinable @inline(__always)
  public func equals(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && beginsLike(text.utf8Start)
  }

  @usableFromInline
  func beginsLike(_ text: UnsafePointer<UInt8>) -> Bool {
    guard let baseAddress else { return true }
    return memcmp(baseAddress, text, count) == 0
  }
}
