/// A forward reader of one JSON text in memory. It allocates nothing: values are visited in place.
///
/// Reads eight bytes at a time, so it may load bytes past the end of the text, up to the end of the buffer that
/// contains it. Those bytes never affect the result.
///
/// NB: the readers of this module are public although no product contains it, because the compiler inlines no `package`
/// function into another module: decoding an update took three times the instructions.
public struct JSONCursor {
  /// The deepest nesting of arrays and objects. The feed needs six levels.
  public static let depthLimit = 64

  @usableFromInline let base: UnsafePointer<UInt8>
  @usableFromInline let end: Int
  /// The last index at which eight bytes can be read.
  @usableFromInline let lastWord: Int
  /// The offset of the next byte to read.
  public var at: Int

  /// Creates a reader of `bytes[range]`.
  @inlinable public init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    // NB: an empty buffer may have no base address. Nothing is read then, but the pointer must not be null.
    base = bytes.baseAddress ?? UnsafePointer(bitPattern: 1)!
    end = range.upperBound
    lastWord = bytes.count - 8
    at = range.lowerBound
  }

  /// Steps over a byte order mark. Returns false if there is none.
  @inlinable public mutating func skipByteOrderMark() -> Bool {
    guard at + 3 <= end, base[at] == 0xEF, base[at + 1] == 0xBB, base[at + 2] == 0xBF else { return false }
    at += 3
    return true
  }

  /// Steps over white space and returns the next character without stepping over it; 0 at the end of the text.
  @inlinable @inline(__always)
  public mutating func peek() -> UInt8 {
    if at < end, base[at] > 0x20 { return base[at] }
    return peekPastSpace()
  }

  @usableFromInline @inline(never)
  mutating func peekPastSpace() -> UInt8 {
    while at < end {
      let byte = base[at]
      if byte > 0x20 { return byte }
      // Other control characters are not white space. 1 matches no character that a caller expects.
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return 1 }
      at &+= 1
    }
    return 0
  }

  /// Steps over white space and the given character.
  @inlinable @inline(__always)
  public mutating func expect(_ byte: UInt8) throws(JSONError) {
    guard peek() == byte else { throw .syntax }
    at &+= 1
  }

  /// Steps over a comma or the closing character. Returns true for a comma.
  @inlinable @inline(__always)
  public mutating func more(until close: UInt8) throws(JSONError) -> Bool {
    let byte = peek()
    guard byte == UInt8(ascii: ",") || byte == close else { throw .syntax }
    at &+= 1
    return byte != close
  }

  /// Steps over the opening character. Returns false if the object or array is empty, and then steps over its closing
  /// character too.
  @inlinable @inline(__always)
  public mutating func enter(_ open: UInt8, close: UInt8) throws(JSONError) -> Bool {
    try expect(open)
    guard peek() == close else { return true }
    at &+= 1
    return false
  }

  /// Steps over the next string. Returns its raw bytes without the quotes, and whether it has escapes.
  @inlinable @inline(__always)
  public mutating func string() throws(JSONError) -> (bytes: UnsafeBufferPointer<UInt8>, escaped: Bool) {
    try expect(UInt8(ascii: "\""))
    let start = at
    let escaped = try skipString()
    return (UnsafeBufferPointer(start: base + start, count: at &- 1 &- start), escaped)
  }

  /// Steps past the closing quote of the string whose contents start at `at`. Returns true if the string has escapes.
  @inlinable @inline(__always)
  public mutating func skipString() throws(JSONError) -> Bool {
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

  @usableFromInline @inline(never)
  mutating func skipSlowly() throws(JSONError) -> Bool {
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

  /// Steps past the closing quote of a string, starting at its first backslash.
  @usableFromInline @inline(never)
  mutating func skipEscaped() throws(JSONError) {
    while at < end {
      let byte = base[at]
      at += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return }
    }
    at = end
    throw .syntax
  }

  /// Steps over a number or a literal and returns its bytes.
  public mutating func bare() throws(JSONError) -> UnsafeBufferPointer<UInt8> {
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
  public mutating func skip(depth: Int = 0) throws(JSONError) {
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
  /// Steps over a string. Returns it with its escapes decoded.
  public mutating func text() throws(JSONError) -> String {
    let (bytes, isEscaped) = try string()
    return isEscaped
      ? String(decoding: JSONValue.unescaped(bytes), as: UTF8.self) : String(decoding: bytes, as: UTF8.self)
  }
}

// MARK: Eight bytes at once

extension JSONCursor {
  /// Returns a word with the high bit set in each byte that is a quote or a backslash. Only the lowest set bit is
  /// reliable; higher ones may be false positives.
  @inlinable @inline(__always)
  public static func special(_ word: UInt64) -> UInt64 {
    zeros(word ^ 0x2222_2222_2222_2222) | zeros(word ^ 0x5C5C_5C5C_5C5C_5C5C)
  }

  /// Returns a word with the high bit set in each zero byte. Only the lowest set bit is reliable.
  @inlinable @inline(__always)
  public static func zeros(_ word: UInt64) -> UInt64 { (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 }

  /// Returns the eight bytes at `at`, the first one as the lowest. They must be readable (`hasWord`).
  @inlinable @inline(__always)
  public func word(_ at: Int) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(base + at).loadUnaligned(as: UInt64.self))
  }

  /// Returns true if eight bytes can be read at `at`.
  @inlinable @inline(__always)
  public func hasWord(_ at: Int) -> Bool { at <= lastWord }
}

/// The reason why a text cannot be read.
public enum JSONError: Error {
  /// The text ends too early, or contains an unexpected character.
  case syntax
  /// Arrays or objects are nested deeper than `depthLimit`.
  case depth
}
