/// A table that finds a value by name without creating a string. Each name has its own slot, so a lookup needs one
/// comparison.
///
/// The memory is never freed: tables are created once, as static properties.
// NB: `@unchecked Sendable` is safe although the table holds pointers: their memory is written in `init` only, before
// the table is shared, and is never freed.
public struct PerfectHashTable<Value: Sendable>: @unchecked Sendable {
  /// The index of a name in a table.
  public typealias Index = UInt8

  @inlinable public static var none: Index { .max }

  @usableFromInline struct Entry {
    @usableFromInline let name: PackedKey
    /// The bits of each word of `name` that are compared.
    @usableFromInline let mask: UInt64
    @usableFromInline let middleOffset: Int
    @usableFromInline let tailOffset: Int
    @usableFromInline let value: Value
  }

  @usableFromInline let multiplier: UInt64
  @usableFromInline let entries: UnsafePointer<Entry>
  @usableFromInline let indices: UnsafePointer<Index>
  @usableFromInline let count: Int

  /// Creates a table of names and their values. The names must be ASCII, of 1 to `PackedKey.longest` bytes.
  ///
  /// NB: The names must differ, otherwise the search for a multiplier does not end.
  public init(_ pairs: [(String, Value)]) {
    precondition(pairs.count < Int(Self.none), "too many names for a table")
    let known = pairs.map { name, value in
      precondition(1...PackedKey.longest ~= name.utf8.count, "no name of a table: '\(name)'")
      let count = name.utf8.count
      return Entry(
        name: Array(name.utf8).withUnsafeBufferPointer(PackedKey.init),
        mask: count < 8 ? 1 << (UInt64(count) * 8) - 1 : .max,
        middleOffset: max(0, min(8, count - 8)), tailOffset: max(0, count - 8), value: value)
    }
    // Tries multipliers until each name has a slot of its own.
    var multiplier: UInt64 = 0xD6E8_FEB8_6659_FD93
    while Set(known.map { $0.name.slot(multiplier) }).count < known.count {
      multiplier = multiplier &* 0x5851_F42D_4C95_7F2D &+ 0x1405_7B7E_F767_814F | 1
    }
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: known.count)
    // NB: an empty slot refers to the first name, which then does not compare equal.
    let indices = UnsafeMutablePointer<Index>.allocate(capacity: 512)
    indices.initialize(repeating: 0, count: 512)
    for (index, entry) in known.enumerated() {
      (entries + index).initialize(to: entry)
      indices[entry.name.slot(multiplier)] = Index(index)
    }
    self.multiplier = multiplier
    self.entries = UnsafePointer(entries)
    self.indices = UnsafePointer(indices)
    count = known.count
  }

  @inlinable @inline(__always)
  public subscript(_ index: Index) -> Value { entries[Int(index)].value }

  /// Returns the index of a name, or `none`.
  @inlinable @inline(__always)
  public func index(of name: PackedKey) -> Index {
    let index = indices[name.slot(multiplier)]
    return entries[Int(index)].name == name ? index : Self.none
  }

  /// Steps over the next string if it is the name at `index`, and over the character `then` if it follows directly.
  ///
  /// Feeds repeat the same keys in the same order, so comparing with the expected key is much cheaper than a lookup.
  ///
  /// - Returns: False, without moving, if there is another string or character, or if the end of the text is too close
  ///   to compare.
  @inlinable @inline(__always)
  public func step(over index: Index, then: UInt8?, _ cursor: inout JSONCursor) -> Bool {
    let entry = entries + Int(index)
    let first = cursor.at &+ 1
    let quote = first &+ entry.pointee.name.count
    guard quote &+ 1 < cursor.end, cursor.hasWord(first), cursor.base[cursor.at] == UInt8(ascii: "\"") else {
      return false
    }
    let difference =
      (cursor.word(first) & entry.pointee.mask ^ entry.pointee.name.head)
      | (cursor.word(first &+ entry.pointee.middleOffset) & entry.pointee.mask ^ entry.pointee.name.middle)
      | (cursor.word(first &+ entry.pointee.tailOffset) & entry.pointee.mask ^ entry.pointee.name.tail)
    guard difference == 0, cursor.base[quote] == UInt8(ascii: "\"") else { return false }
    guard let then else {
      cursor.at = quote &+ 1
      return true
    }
    guard cursor.base[quote &+ 1] == then else { return false }
    cursor.at = quote &+ 2
    return true
  }
}

/// A reader of a table's names that predicts each name from the previous one.
public struct PredictiveKeyReader<Value: Sendable>: Sendable {
  @usableFromInline let table: PerfectHashTable<Value>
  /// The index that last followed each index. The last element is for the first name of an object.
  @usableFromInline var next: [PerfectHashTable<Value>.Index]
  @usableFromInline var last: PerfectHashTable<Value>.Index

  public init(_ table: PerfectHashTable<Value>) {
    self.table = table
    next = Array(repeating: 0, count: table.count + 1)
    last = PerfectHashTable<Value>.Index(table.count)
  }

  /// Begins a new object. Its first name is predicted from the first name of the previous one.
  @inlinable @inline(__always)
  public mutating func begin() { last = PerfectHashTable<Value>.Index(truncatingIfNeeded: table.count) }

  /// Steps over the next string and the character `then`, and returns the string's value. Nil if the name is not in the
  /// table.
  @inlinable @inline(__always)
  public mutating func read(_ cursor: inout JSONCursor, then: UInt8? = nil) throws(JSONError) -> Value? {
    let guess = next[Int(last)]
    if table.step(over: guess, then: then, &cursor) {
      last = guess
      return table[guess]
    }
    return try readUnexpected(&cursor, then: then)
  }

  /// Steps over the next value and returns the string's value. Nil if the value is no string or is not in the table.
  @inlinable @inline(__always)
  public mutating func readValue(_ cursor: inout JSONCursor) throws(JSONError) -> Value? {
    guard cursor.peek() == UInt8(ascii: "\"") else {
      try cursor.skip()
      return nil
    }
    return try read(&cursor)
  }

  @usableFromInline @inline(never)
  mutating func readUnexpected(_ cursor: inout JSONCursor, then: UInt8?) throws(JSONError) -> Value? {
    _ = cursor.peek()
    let index = table.index(of: try cursor.name())
    if let then { try cursor.expect(then) }
    if index == PerfectHashTable<Value>.none { return nil }
    next[Int(last)] = index
    last = index
    return table[index]
  }
}
