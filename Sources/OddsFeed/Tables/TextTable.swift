/// The number of a text in a `TextTable`.
typealias TextID = UInt32

/// A table of numbered texts. Names recur, so each becomes a string only once.
struct TextTable: Sendable {
  private var texts = [""]
  /// The entries: half of each text's hash, then its number. 0 is a free entry. The count is a power of two.
  private var entries: [UInt64] = Array(repeating: 0, count: 256)
  /// The number of texts that were in use after the last sweep.
  private var used = 0

  // NB: The seed is random for each process, so that no feed can choose texts with colliding hashes.
  private static let seed = UInt64.random(in: .min ... .max) | 1
  private let seed = Self.seed

  subscript(_ id: TextID) -> String { texts[Int(id)] }

  /// True if a sweep may be worthwhile. Texts fall out of use as matches come and go.
  var isDue: Bool { texts.count > 2 * used + 4096 }

  /// Returns the number of a text, and adds the text if it is new. Replaces invalid UTF-8 by U+FFFD.
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
      guard let text = String(validating: bytes, as: UTF8.self) else {
        return self.id(Array(String(decoding: bytes, as: UTF8.self).utf8)[...])
      }
      let id = TextID(texts.count)
      texts.append(text)
      entries[at] = hash | UInt64(id)
      if texts.count > entries.count / 2 { rebuild(size: entries.count * 2) }
      return id
    }
  }

  /// Keeps only the texts in use and renumbers them.
  ///
  /// - Parameter rename: Calls its argument for each reference to a text and stores the number that it returns.
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

  /// The size of the table in memory, in bytes.
  var memory: Int {
    // A string stores up to 15 bytes inline in its 16 bytes. A longer one has a header of 32 bytes before its text.
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
