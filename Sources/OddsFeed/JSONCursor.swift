/// A forward reader of one JSON text in memory. It builds nothing: values are visited where they lie.
struct JSONCursor {
  enum Fault: Error {
    /// The text ends too early, or a character stands where it may not.
    case syntax
    /// Arrays or objects nested deeper than `depthLimit`.
    case depth
  }

  /// How deep arrays and objects may nest; the feed needs five levels.
  static let depthLimit = 64

  private let base: UnsafePointer<UInt8>
  private let end: Int
  private(set) var at: Int

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    // NB: an empty buffer may have no address; nothing is read then, but the pointer must exist.
    base = bytes.baseAddress ?? UnsafePointer(bitPattern: 1)!
    end = bytes.count
    at = 0
  }

  /// The next character that is no white space, or 0 at the end.
  mutating func peek() -> UInt8 {
    while at < end {
      let byte = base[at]
      if byte > 0x20 { return byte }
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte == 0 ? 1 : byte }
      at += 1
    }
    return 0
  }

  /// Steps over that character, white space before it too.
  mutating func expect(_ byte: UInt8) throws(Fault) {
    guard peek() == byte else { throw .syntax }
    at += 1
  }

  /// Steps over a comma (true) or the closing character (false).
  mutating func more(until close: UInt8) throws(Fault) -> Bool {
    let byte = peek()
    guard byte == UInt8(ascii: ",") || byte == close else { throw .syntax }
    at += 1
    return byte != close
  }

  /// Steps into an object or array: false where it is empty (and already left again).
  mutating func enter(_ open: UInt8, close: UInt8) throws(Fault) -> Bool {
    try expect(open)
    guard peek() == close else { return true }
    at += 1
    return false
  }

  /// The next string's raw bytes between its quotes, and whether it has escapes.
  mutating func string() throws(Fault) -> (bytes: UnsafeBufferPointer<UInt8>, escaped: Bool) {
    try expect(UInt8(ascii: "\""))
    let start = at
    var escaped = false
    while at < end {
      let byte = base[at]
      if byte == UInt8(ascii: "\"") {
        at += 1
        return (UnsafeBufferPointer(start: base + start, count: at - 1 - start), escaped)
      }
      if byte == UInt8(ascii: "\\") {
        escaped = true
        at += 1
      }
      at += 1
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
      default: at += 1
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
