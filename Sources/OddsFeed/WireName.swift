/// A short ASCII name as it is compared: all of it up to sixteen bytes, its ends and length beyond.
struct WireName: Equatable, Sendable {
  /// The first eight bytes; the first is the lowest.
  let head: UInt64
  /// The last eight bytes; 0 for a name shorter than eight.
  let tail: UInt64
  let count: Int

  init(_ name: UnsafeBufferPointer<UInt8>) {
    count = name.count
    let bytes = UnsafeRawBufferPointer(name)
    if count >= 8 {
      head = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
      tail = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
    } else {
      head = name.reversed().reduce(0) { $0 << 8 | UInt64($1) }
      tail = 0
    }
  }

  /// A name whose first word is known to hold it, shorter than eight bytes.
  @inline(__always)
  init(short word: UInt64, count: Int) {
    head = word & ((1 << (UInt64(count) * 8)) &- 1)
    tail = 0
    self.count = count
  }

  @inline(__always)
  fileprivate func slot(_ multiplier: UInt64) -> Int {
    let mixed = (head ^ (tail &* 0x9E37_79B9_7F4A_7C15) ^ UInt64(count)) &* multiplier
    return Int(truncatingIfNeeded: mixed >> 55)
  }
}

/// Finds a value by its name without making a string. Every name has a slot of its own: one look tells.
struct NameTable<Value: Sendable>: Sendable {
  private struct Entry {
    let name: WireName
    let bytes: [UInt8]
    let value: Value
  }

  private static var size: Int { 512 }

  private let multiplier: UInt64
  private let entries: [Entry]
  /// The place of an entry for each slot; the last entry's where there is none, which then does not match.
  private let places: [UInt8]

  init(_ pairs: [(String, Value)]) {
    precondition(1..<256 ~= pairs.count, "too many names for a table of \(Self.size)")
    let entries = pairs.map { name, value in
      let bytes = Array(name.utf8)
      return Entry(name: bytes.withUnsafeBufferPointer(WireName.init), bytes: bytes, value: value)
    }
    var multiplier: UInt64 = 0xD6E8_FEB8_6659_FD93
    while Set(entries.map { $0.name.slot(multiplier) }).count < entries.count {
      multiplier = multiplier &* 0x5851_F42D_4C95_7F2D &+ 0x1405_7B7E_F767_814F | 1
    }
    var places = [UInt8](repeating: UInt8(entries.count - 1), count: Self.size)
    for (place, entry) in entries.enumerated() { places[entry.name.slot(multiplier)] = UInt8(place) }
    self.multiplier = multiplier
    self.entries = entries
    self.places = places
  }

  @inline(__always)
  func value(_ name: WireName, _ bytes: UnsafeBufferPointer<UInt8>) -> Value? {
    let place = Int(places.withUnsafeBufferPointer { $0[name.slot(multiplier)] })
    return entries.withUnsafeBufferPointer { entries in
      guard entries[place].name == name, name.count <= 16 || entries[place].bytes.elementsEqual(bytes) else {
        return nil
      }
      return entries[place].value
    }
  }

  @inline(__always)
  subscript(_ bytes: UnsafeBufferPointer<UInt8>) -> Value? { value(WireName(bytes), bytes) }
}

extension JSONCursor {
  /// The next string as a name, stepped over.
  @inline(__always)
  mutating func name() throws(Fault) -> (name: WireName, bytes: UnsafeBufferPointer<UInt8>) {
    let first = at &+ 1
    if at < end, base[at] == UInt8(ascii: "\""), hasWords(9) {
      let word = self.word(first)
      let quote = Self.zeros(word ^ Self.quotes)
      if quote != 0 {
        let count = quote.trailingZeroBitCount >> 3
        at = first &+ count &+ 1
        guard at <= end else { throw .syntax }
        // NB: a backslash in a name is part of it: such a name is none of ours, and stepped over alike.
        let bytes = UnsafeBufferPointer(start: base + first, count: count)
        if count > 0, base[first &+ count &- 1] == UInt8(ascii: "\\") {
          at = first &- 1
          return (WireName(bytes), try string().bytes)
        }
        return (WireName(short: word, count: count), bytes)
      }
    }
    let bytes = try string().bytes
    return (WireName(bytes), bytes)
  }
}
