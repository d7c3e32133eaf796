import Resources

/// A language's file of messages.
///
/// Each message is one line `key = text`, or one line `key.one = text` per plural form. Empty lines and lines that
/// begin with `#` are ignored. Spaces around a text are removed; a text that begins or ends with a space is quoted.
///
/// Reading a file creates no string: the start of the program needs few of its messages.
package struct CatalogFile {
  private let bytes: [UInt8]
  /// The lines, as the ranges of keys and texts in `bytes`.
  private var lines: [(key: Range<Int>, text: Range<Int>)] = []
  /// A hash table of the keys, with open addressing: indices in `lines`, or -1 for an empty slot.
  private var slots: [Int16] = []
  /// Lines without `=`, and lines whose key is a duplicate.
  package private(set) var faults: [String] = []

  package init(of language: Language) { self.init(Resources.words(of: language.rawValue)) }

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    bytes.withUnsafeBufferPointer { bytes in
      var start = 0
      while start < bytes.count {
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        add(Self.trimmed(start..<end, bytes), bytes)
        start = end + 1
      }
      precondition(lines.count < Int16.max, "too many messages for a table")
      var size = 2
      while size < 2 * lines.count + 2 { size *= 2 }
      slots = Array(repeating: -1, count: size)
      for index in lines.indices {
        let slot = slot(of: UnsafeBufferPointer(rebasing: bytes[lines[index].key]), bytes)
        let line = lines[index].key.lowerBound..<lines[index].text.upperBound
        if slots[slot] >= 0 { faults.append(String(decoding: bytes[line], as: UTF8.self)) }
        slots[slot] = Int16(index)
      }
    }
  }

  /// Returns the bytes of a message or form, through `body`; nil if the file lacks it.
  func text<Result>(of key: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result? {
    var key = key
    return bytes.withUnsafeBufferPointer { bytes in
      let index = key.withUTF8 { slots[slot(of: $0, bytes)] }
      return index < 0 ? nil : body(UnsafeBufferPointer(rebasing: bytes[lines[Int(index)].text]))
    }
  }

  /// All messages and forms, by their keys.
  package var texts: [String: String] {
    lines.reduce(into: [:]) { texts, line in
      texts[String(decoding: bytes[line.key], as: UTF8.self)] = String(decoding: bytes[line.text], as: UTF8.self)
    }
  }

  private mutating func add(_ line: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>) {
    if line.isEmpty || bytes[line.lowerBound] == UInt8(ascii: "#") { return }
    guard let equals = bytes[line].firstIndex(of: UInt8(ascii: "=")) else {
      faults.append(String(decoding: bytes[line], as: UTF8.self))
      return
    }
    var text = Self.trimmed(equals + 1..<line.upperBound, bytes)
    let quote = UInt8(ascii: "\"")
    if text.count > 1, bytes[text.lowerBound] == quote, bytes[text.upperBound - 1] == quote {
      text = text.lowerBound + 1..<text.upperBound - 1
    }
    lines.append((Self.trimmed(line.lowerBound..<equals, bytes), text))
  }

  private static func trimmed(_ range: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, bytes[start] == UInt8(ascii: " ") { start += 1 }
    while start < end, bytes[end - 1] == UInt8(ascii: " ") { end -= 1 }
    return start..<end
  }

  /// Returns the slot that has a key, or the empty slot for it.
  private func slot(of key: UnsafeBufferPointer<UInt8>, _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var hash: UInt32 = 0x811C_9DC5
    for byte in key { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    var slot = Int(hash ^ hash >> 15) & (slots.count - 1)
    while slots[slot] >= 0 {
      let other = bytes[lines[Int(slots[slot])].key]
      if other.count == key.count, other.elementsEqual(key) { break }
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }
}
