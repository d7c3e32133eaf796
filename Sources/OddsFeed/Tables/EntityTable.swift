/// What stands in a table: a record of one type with its links to others, all of fixed size.
protocol Node: Sendable {
  var id: UInt64 { get }
  /// False for a record that others point to and that has not come yet.
  var isPresent: Bool { get }
  init(id: UInt64)
}

/// Records of one type, each in a slot that it keeps as long as it lives.
struct EntityTable<Record: Node>: Sendable {
  private(set) var nodes: [Record] = []
  private var free: [Slot] = []
  private var index = IDIndex()

  /// The record in a slot, in use or not.
  subscript(_ slot: Slot) -> Record {
    @inline(__always) _read { yield nodes[Int(slot)] }
    @inline(__always) _modify { yield &nodes[Int(slot)] }
  }

  /// The slot of a record or placeholder; `.none` where there is neither.
  @inline(__always)
  func slot(of id: UInt64) -> Slot {
    nodes.withUnsafeBufferPointer { nodes in index.slot(of: id) { nodes[Int($0)].id == id } }
  }

  /// The slot of a record that has come, or `.none`.
  @inline(__always)
  func present(_ id: UInt64) -> Slot {
    let slot = slot(of: id)
    return slot != .none && nodes[Int(slot)].isPresent ? slot : .none
  }

  /// The slot of an id, a fresh placeholder's where there was none.
  mutating func slotOrPlaceholder(_ id: UInt64) -> Slot {
    let known = slot(of: id)
    if known != .none { return known }
    let slot = add(Record(id: id))
    index.insert(id, slot)
    return slot
  }

  /// Adds a record that is not to be found by an id.
  mutating func add(_ node: Record) -> Slot {
    if let slot = free.popLast() {
      nodes[Int(slot)] = node
      return slot
    }
    nodes.growInLargePages()
    nodes.append(node)
    return Slot(nodes.count - 1)
  }

  /// Frees a slot.
  mutating func remove(_ slot: Slot, isIndexed: Bool = true) {
    let id = nodes[Int(slot)].id
    if isIndexed { index.remove(id, slot) }
    nodes[Int(slot)] = Record(id: RawID.none)
    free.append(slot)
  }

  /// The slots of all records that have come, ascending.
  var slots: some Sequence<Slot> {
    nodes.indices.lazy.filter { nodes[$0].isPresent }.map(Slot.init)
  }

  /// The slots of all records and placeholders. Unlike `slots`, a list of its own: the table can be changed on the way.
  var allSlots: [Slot] { nodes.indices.filter { nodes[$0].id != RawID.none }.map(Slot.init) }

  /// Bytes held.
  var memory: Int {
    nodes.capacity * MemoryLayout<Record>.stride + free.capacity * MemoryLayout<Slot>.stride + index.capacity * 8
  }
}
