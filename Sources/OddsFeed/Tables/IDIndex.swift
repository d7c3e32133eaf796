/// The index of a record in its table.
typealias Slot = UInt32

extension Slot {
  /// The absence of a record.
  static let none = Slot.max
}

/// An index from ids to slots: a hash table with open addressing and eight bytes per entry.
///
/// An entry holds half of the id's hash and the slot. The id itself is in the record, which the caller reads anyway.
struct IDIndex: Sendable {
  /// The entries: half of the hash, then the slot plus one. 0 is a free entry.
  private var entries: [UInt64] = Array(repeating: 0, count: 8)
  private var count = 0

  // NB: the seed is random for each process, so that no feed can choose ids with colliding hashes.
  private static let seed = UInt64.random(in: .min ... .max)
  private let seed = Self.seed

  var capacity: Int { entries.capacity }

  @inline(__always)
  private func hash(_ id: UInt64) -> UInt64 {
    var mixed = (id ^ seed) &* 0x9E37_79B9_7F4A_7C15
    mixed ^= mixed >> 32
    return mixed &* 0xD6E8_FEB8_6659_FD93 & 0xFFFF_FFFF_0000_0000
  }

  @inline(__always)
  private static func home(_ entry: UInt64, _ mask: Int) -> Int { Int(truncatingIfNeeded: entry >> 32) & mask }

  /// Returns the slot of an id, or `.none`. `isAt` returns true if the record in a slot has the id.
  @inline(__always)
  func slot(of id: UInt64, isAt: (Slot) -> Bool) -> Slot {
    let hash = hash(id)
    return entries.withUnsafeBufferPointer { entries in
      let mask = entries.count &- 1
      var at = Self.home(hash, mask)
      while true {
        let entry = entries[at]
        if entry == 0 { return .none }
        let slot = Slot(truncatingIfNeeded: entry) &- 1
        if entry & 0xFFFF_FFFF_0000_0000 == hash, isAt(slot) { return slot }
        at = (at &+ 1) & mask
      }
    }
  }

  /// Adds an id that is not in the index.
  mutating func insert(_ id: UInt64, _ slot: Slot) {
    count += 1
    if count > entries.count / 4 * 3 { grow() }
    place(hash(id) | UInt64(slot) + 1)
  }

  private mutating func place(_ entry: UInt64) {
    let mask = entries.count - 1
    var at = Self.home(entry, mask)
    while entries[at] != 0 { at = (at + 1) & mask }
    entries[at] = entry
  }

  private mutating func grow() {
    let old = entries
    entries = .inLargePages(capacity: old.count * 2)
    entries.append(contentsOf: repeatElement(0, count: old.count * 2))
    for entry in old where entry != 0 { place(entry) }
  }

  /// Removes an id that is in the index.
  mutating func remove(_ id: UInt64, _ slot: Slot) {
    count -= 1
    let mask = entries.count - 1
    var hole = Self.home(hash(id), mask)
    while Slot(truncatingIfNeeded: entries[hole]) != slot + 1 { hole = (hole + 1) & mask }
    // Moves later entries of the run into the hole, except those whose home is after the hole.
    var at = hole
    while true {
      at = (at + 1) & mask
      let entry = entries[at]
      if entry == 0 { break }
      if (at &- Self.home(entry, mask)) & mask >= (at &- hole) & mask {
        entries[hole] = entry
        hole = at
      }
    }
    entries[hole] = 0
  }
}
