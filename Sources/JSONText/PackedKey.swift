/// A short ASCII name in a form that compares quickly. Its three words hold all of a name of up to 24 bytes.
public struct PackedKey: Equatable, Sendable {
  /// The length in bytes of the longest name that a key holds completely.
  public static let longest = 24

  /// The first eight bytes, or all if there are fewer. The first byte is the lowest.
  @usableFromInline let head: UInt64
  /// The eight bytes from index 8, or the last eight of a name shorter than 16. Equal to `head` for a name shorter than
  /// eight.
  @usableFromInline let middle: UInt64
  /// The last eight bytes. Equal to `head` for a name shorter than eight.
  @usableFromInline let tail: UInt64
  @usableFromInline let count: Int

  /// Creates a key from a name, without reading past its end.
  public init(_ name: UnsafeBufferPointer<UInt8>) {
    count = name.count
    let bytes = UnsafeRawBufferPointer(name)
    func word(_ at: Int) -> UInt64 { UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)) }
    if count >= 8 {
      head = word(0)
      middle = word(min(8, count - 8))
      tail = word(count - 8)
    } else {
      head = name.reversed().reduce(0) { $0 << 8 | UInt64($1) }
      middle = head
      tail = head
    }
  }

  /// Creates a key from the `count` bytes at `at`. At least eight bytes must be readable there.
  @inlinable @inline(__always)
  public init(_ cursor: borrowing JSONCursor, at: Int, count: Int) {
    self.count = count
    let first = cursor.word(at)
    if count >= 8 {
      head = first
      middle = cursor.word(at &+ min(8, count &- 8))
      tail = cursor.word(at &+ count &- 8)
    } else {
      head = first & ((1 << (UInt64(truncatingIfNeeded: count) &* 8)) &- 1)
      middle = head
      tail = head
    }
  }

  /// Returns the key's slot in a `PerfectHashTable`, from 0 to 511.
  @inlinable @inline(__always)
  public func slot(_ multiplier: UInt64) -> Int {
    let mixed = (head ^ (tail &* 0x9E37_79B9_7F4A_7C15) ^ UInt64(truncatingIfNeeded: count)) &* multiplier
    return Int(truncatingIfNeeded: mixed >> 55)
  }
}

extension JSONCursor {
  /// Steps over the next string and returns it as a key.
  @inlinable @inline(__always)
  public mutating func name() throws(JSONError) -> PackedKey {
    let first = at &+ 1
    if at < end, base[at] == UInt8(ascii: "\"") {
      var position = first
      while hasWord(position) {
        let special = Self.special(word(position))
        if special == 0 {
          position &+= 8
          continue
        }
        position &+= special.trailingZeroBitCount >> 3
        guard position < end, base[position] == UInt8(ascii: "\"") else { break }
        at = position &+ 1
        return PackedKey(self, at: first, count: position &- first)
      }
    }
    return try slowName()
  }

  @usableFromInline @inline(never)
  mutating func slowName() throws(JSONError) -> PackedKey {
    let (bytes, isEscaped) = try string()
    if !isEscaped { return PackedKey(bytes) }
    return JSONValue.unescaped(bytes).withUnsafeBufferPointer(PackedKey.init)
  }
}
