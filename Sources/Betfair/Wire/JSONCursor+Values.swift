import JSONText

extension JSONCursor {
  /// True if the next value is `null`, which counts as not sent.
  var isNull: Bool { mutating get { peek() == UInt8(ascii: "n") } }

  /// Steps into an array. Returns false if it is empty or another value, and then steps over it. Sets `isDamaged` for
  /// another value, except `null`.
  @inline(__always)
  mutating func enterArray(isDamaged: inout Bool) throws(JSONError) -> Bool {
    if peek() != UInt8(ascii: "["), !isNull { isDamaged = true }
    return try enterArray()
  }

  /// Steps into an array. Returns false if it is empty or another value, and then steps over it.
  @inline(__always)
  mutating func enterArray() throws(JSONError) -> Bool {
    guard peek() == UInt8(ascii: "[") else {
      try skip()
      return false
    }
    return try enter(UInt8(ascii: "["), close: UInt8(ascii: "]"))
  }

  /// Steps over a value. Returns the raw bytes of a string; nil for any other value.
  mutating func word() throws(JSONError) -> UnsafeBufferPointer<UInt8>? {
    guard peek() == UInt8(ascii: "\"") else {
      try skip()
      return nil
    }
    return try string().bytes
  }

  /// Steps over a value. Returns true only for `true`.
  mutating func isTrue() throws(JSONError) -> Bool {
    switch peek() {
    case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["):
      try skip()
      return false
    default: return try bare().equals("true")
    }
  }
}
