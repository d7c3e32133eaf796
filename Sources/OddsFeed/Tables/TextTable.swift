/// A text in a `TextTable`.
typealias TextID = UInt32

/// Texts by number: names come over and over, and each is made into a string once.
struct TextTable: Sendable {
  private var texts = [""]
  /// Half of each text's hash, then its number; 0 is free. A power of two.
  private var entries: [UInt64] = Array(repeating: 0, count: 256)
  /// How many texts were in use when the unused ones were last thrown out.
  private var used = 0

  private static let seed = UInt64.random(in: .min ... .max) | 1
  private let seed = Self.seed

  subscript(_ id: TextID) -> String { texts[Int(id)] }

  /// True where it may pay to throw out what no record names any more: names of matches come and go all day.
  var isDue: Bool { texts.count > 2 * used + 4096 }

  /// The number of a text. Invalid UTF-8 becomes U+FFFD.
  mutating func id(_ bytes: ArraySlice<UInt8>) -> TextID {
    if bytes.isEmpty { return 0 }
    return bytes.withUnsafeBufferPointer { bytes in
      let hash = hash(bytes)
      let mask = entries.count - 1
      var at = Int(truncatingIfNeeded: hash >> 32) & mask
      while entries[at] != 0 {
        let id = TextID(truncatingIfNeeded: entries[at])
        if entries[at] & ~0xFFFF_FFFF == hash, Self.isSame(texts[Int(id)], bytes) { return id }
        at = (at + 1) & mask
      }
      let id = TextID(texts.count)
      texts.append(String(decoding: bytes, as: UTF8.self))
      entries[at] = hash | UInt64(id)
      if texts.count > entries.count / 2 { rebuild(size: entries.count * 2) }
      return id
    }
  }

  /// Keeps the texts that are named, under new numbers; `rename` walks over all that name one.
  mutating func sweep(_ rename: ((TextID) -> TextID) -> Void) {
    let old = texts
    var new = [""]
    var numbers = [TextID](repeating: 0, count: old.count)
    rename { id in
      if id != 0, numbers[Int(id)] == 0 {
        numbers[Int(id)] = TextID(new.count)
        new.append(old[Int(id)])
      }
      return numbers[Int(id)]
    }
    texts = new
    used = new.count
    var size = 256
    while size < new.count * 2 { size *= 2 }
    rebuild(size: size)
  }

  /// Bytes held.
  var memory: Int {
    // A string of up to 15 bytes lies in its own 16; a longer one has 32 bytes of head before its text.
    texts.reduce(texts.capacity * 16 + entries.capacity * 8) { $0 + ($1.utf8.count > 15 ? 32 + $1.utf8.count : 0) }
  }

  private mutating func rebuild(size: Int) {
    entries = Array(repeating: 0, count: size)
    for id in texts.indices.dropFirst() {
      let hash = texts[id].withContiguousUTF8(hash)
      var at = Int(truncatingIfNeeded: hash >> 32) & (size - 1)
      while entries[at] != 0 { at = (at + 1) & (size - 1) }
      entries[at] = hash | UInt64(id)
    }
  }

  private func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    let raw = UnsafeRawBufferPointer(bytes)
    var hash = seed ^ UInt64(bytes.count)
    var at = 0
    while at + 8 <= raw.count {
      hash = Self.mix(hash ^ raw.loadUnaligned(fromByteOffset: at, as: UInt64.self))
      at += 8
    }
    var rest: UInt64 = 0
    while at < raw.count {
      rest = rest << 8 | UInt64(raw[at])
      at += 1
    }
    return Self.mix(hash ^ rest) & ~0xFFFF_FFFF
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    let mixed = (value ^ value >> 32) &* 0x9E37_79B9_7F4A_7C15
    return (mixed ^ mixed >> 29) &* 0xBF58_476D_1CE4_E5B9
  }

  private static func isSame(_ text: String, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    text.withContiguousUTF8 { $0.count == bytes.count && $0.elementsEqual(bytes) }
  }
}

extension String {
  fileprivate func withContiguousUTF8<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    return Array(utf8).withUnsafeBufferPointer(body)
  }
}
