import OddsModel

/// An entry of a table: a record of one type and its links to others, of fixed size.
protocol Node: Sendable {
  var id: UInt64 { get }
  /// False for a placeholder: a record that others refer to and that has not arrived.
  var isPresent: Bool { get }
  init(id: UInt64)
}

/// A table of records of one type. A record keeps its slot until it is removed.
struct EntityTable<Record: Node>: Sendable {
  private(set) var nodes: [Record] = []
  private var free: [Slot] = []
  private var index = IDIndex()

  /// The record in a slot, in use or not.
  subscript(_ slot: Slot) -> Record {
    @inline(__always) _read { yield nodes[Int(slot)] }
    @inline(__always) _modify { yield &nodes[Int(slot)] }
  }

  /// Returns the slot of a record or placeholder, or `.none` if there is neither.
  @inline(__always)
  func slot(of id: UInt64) -> Slot {
    nodes.withUnsafeBufferPointer { nodes in index.slot(of: id) { nodes[Int($0)].id == id } }
  }

  /// Returns the slot of a record that has arrived, or `.none`.
  @inline(__always)
  func present(_ id: UInt64) -> Slot {
    let slot = slot(of: id)
    return slot != .none && nodes[Int(slot)].isPresent ? slot : .none
  }

  /// Returns the slot of an id. Adds a placeholder if the id has no slot.
  mutating func slotOrPlaceholder(_ id: UInt64) -> Slot {
    let known = slot(of: id)
    if known != .none { return known }
    let slot = add(Record(id: id))
    index.insert(id, slot)
    return slot
  }

  /// Adds a record that is not found by its id, and returns its slot.
  mutating func add(_ node: Record) -> Slot {
    if let slot = free.popLast() {
      nodes[Int(slot)] = node
      return slot
    }
    nodes.growInLargePages()
    nodes.append(node)
    return Slot(nodes.count - 1)
  }

  /// Frees a slot. `isIndexed` is false for a record that was added without an index entry.
  mutating func remove(_ slot: Slot, isIndexed: Bool = true) {
    let id = nodes[Int(slot)].id
    if isIndexed { index.remove(id, slot) }
    nodes[Int(slot)] = Record(id: RawID.none)
    free.append(slot)
  }

  /// True if the table has never had a record.
  @inline(__always)
  var isUnused: Bool { nodes.isEmpty }

  /// The slots of all records that have arrived, in ascending order.
  var slots: some Sequence<Slot> { nodes.indices.lazy.filter { nodes[$0].isPresent }.map(Slot.init) }

  /// The slots of all records and placeholders that have an id, in an array, so that the table can change meanwhile.
  var allSlots: [Slot] { nodes.indices.filter { nodes[$0].id != RawID.none }.map(Slot.init) }

  /// The size of the table in memory, in bytes.
  var memory: Int {
    nodes.capacity * MemoryLayout<Record>.stride + free.capacity * MemoryLayout<Slot>.stride + index.capacity * 8
  }
}
