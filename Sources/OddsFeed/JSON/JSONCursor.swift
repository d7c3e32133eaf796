/// A forward reader of one JSON text in memory. It builds nothing: values are visited where they lie.
///
/// Eight bytes are looked at in one step, so it may look at bytes behind the text's end, up to the end of the buffer
/// that the text lies in; it never goes by what it sees there.
struct JSONCursor {
  enum Fault: Error {
    /// The text ends too early, or a character stands where it may not.
    case syntax
    /// Arrays or objects nested deeper than `depthLimit`.
    case depth
  }

  /// How deep arrays and objects may nest; the feed needs six levels.
  static let depthLimit = 64

  let base: UnsafePointer<UInt8>
  let end: Int
  /// Where eight bytes can still be read at once.
  private let lastWord: Int
  var at: Int

  /// A reader of `bytes[range]`.
  init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    // NB: an empty buffer may have no address; nothing is read then, but the pointer must exist.
    base = bytes.baseAddress ?? UnsafePointer(bitPattern: 1)!
    end = range.upperBound
    lastWord = bytes.count - 8
    at = range.lowerBound
  }

  /// Steps over a byte order mark; false where there is none.
  mutating func skipByteOrderMark() -> Bool {
    guard at + 3 <= end, base[at] == 0xEF, base[at + 1] == 0xBB, base[at + 2] == 0xBF else { return false }
    at += 3
    return true
  }

  /// The next character that is no white space, or 0 at the end.
  @inline(__always)
  mutating func peek() -> UInt8 {
    if at < end, base[at] > 0x20 { return base[at] }
    return peekPastSpace()
  }

  @inline(never)
  private mutating func peekPastSpace() -> UInt8 {
    while at < end {
      let byte = base[at]
      if byte > 0x20 { return byte }
      // A control character is no white space; it fits nowhere and 1 says so.
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return 1 }
      at &+= 1
    }
    return 0
  }

  /// Steps over that character, white space before it too.
  @inline(__always)
  mutating func expect(_ byte: UInt8) throws(Fault) {
    guard peek() == byte else { throw .syntax }
    at &+= 1
  }

  /// Steps over a comma (true) or the closing character (false).
  @inline(__always)
  mutating func more(until close: UInt8) throws(Fault) -> Bool {
    let byte = peek()
    guard byte == UInt8(ascii: ",") || byte == close else { throw .syntax }
    at &+= 1
    return byte != close
  }

  /// Steps into an object or array: false where it is empty (and already left again).
  @inline(__always)
  mutating func enter(_ open: UInt8, close: UInt8) throws(Fault) -> Bool {
    try expect(open)
    guard peek() == close else { return true }
    at &+= 1
    return false
  }

  /// Steps over the next string; returns where its raw bytes lie, without the quotes, and whether it has escapes.
  @inline(__always)
  mutating func string() throws(Fault) -> (bytes: UnsafeBufferPointer<UInt8>, escaped: Bool) {
    try expect(UInt8(ascii: "\""))
    let start = at
    let escaped = try skipString()
    return (UnsafeBufferPointer(start: base + start, count: at &- 1 &- start), escaped)
  }

  /// Steps behind the quote that ends the string begun at `at`; true where it has escapes.
  @inline(__always)
  private mutating func skipString() throws(Fault) -> Bool {
    while at <= lastWord {
      let word = self.word(at)
      let special = Self.special(word)
      if special == 0 {
        at &+= 8
        continue
      }
      at &+= special.trailingZeroBitCount >> 3
      guard at < end else { throw .syntax }
      if base[at] == UInt8(ascii: "\\") {
        try skipEscaped()
        return true
      }
      at &+= 1
      return false
    }
    return try skipSlowly()
  }

  @inline(never)
  private mutating func skipSlowly() throws(Fault) -> Bool {
    while at < end, base[at] != UInt8(ascii: "\"") {
      if base[at] == UInt8(ascii: "\\") {
        try skipEscaped()
        return true
      }
      at += 1
    }
    guard at < end else { throw .syntax }
    at += 1
    return false
  }

  /// The rest of a string from its first backslash on.
  @inline(never)
  private mutating func skipEscaped() throws(Fault) {
    while at < end {
      let byte = base[at]
      at += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return }
    }
    at = end
    throw .syntax
  }

  /// The bytes of a number or a bare word, up to what ends it.
  mutating func bare() throws(Fault) -> UnsafeBufferPointer<UInt8> {
    _ = peek()
    let start = at
    scan: while at < end {
      switch base[at] {
      case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x0A, 0x0D, 0x09: break scan
      case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): throw .syntax
      default: at &+= 1
      }
    }
    if at == start { throw .syntax }
    return UnsafeBufferPointer(start: base + start, count: at - start)
  }

  /// Steps over one value of any kind.
  mutating func skip(depth: Int = 0) throws(Fault) {
    guard depth < Self.depthLimit else { throw .depth }
    switch peek() {
    case UInt8(ascii: "\""): _ = try string()
    case UInt8(ascii: "{"):
      guard try enter(UInt8(ascii: "{"), close: UInt8(ascii: "}")) else { return }
      repeat {
        _ = try string()
        try expect(UInt8(ascii: ":"))
        try skip(depth: depth + 1)
      } while try more(until: UInt8(ascii: "}"))
    case UInt8(ascii: "["):
      guard try enter(UInt8(ascii: "["), close: UInt8(ascii: "]")) else { return }
      repeat { try skip(depth: depth + 1) } while try more(until: UInt8(ascii: "]"))
    default: _ = try bare()
    }
  }
}

// MARK: Texts

extension JSONCursor {
  /// Steps over a key and the colon behind it; returns the key.
  mutating func key() throws(Fault) -> String {
    let key = try text()
    try expect(UInt8(ascii: ":"))
    return key
  }

  /// Steps over a string; returns it without escapes.
  mutating func text() throws(Fault) -> String {
    let (bytes, isEscaped) = try string()
    return isEscaped
      ? String(decoding: JSONValue.unescaped(bytes), as: UTF8.self) : String(decoding: bytes, as: UTF8.self)
  }
}

// MARK: Eight bytes at once

extension JSONCursor {
  /// The high bit of each byte that is a quote or a backslash; above the lowest such byte there may be false ones.
  @inline(__always)
  static func special(_ word: UInt64) -> UInt64 {
    zeros(word ^ 0x2222_2222_2222_2222) | zeros(word ^ 0x5C5C_5C5C_5C5C_5C5C)
  }

  @inline(__always)
  private static func zeros(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }

  @inline(__always)
  func word(_ at: Int) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(base + at).loadUnaligned(as: UInt64.self))
  }

  /// True where eight bytes from `at` on can be read.
  @inline(__always)
  func hasWord(_ at: Int) -> Bool { at <= lastWord }
}
