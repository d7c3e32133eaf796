/// Records of one type by id.
struct EntityTable<Record: WireRecord & Equatable>: Sendable {
  private(set) var records: [UInt64: Record] = [:]

  var count: Int { records.count }

  subscript(_ id: UInt64) -> Record? { records[id] }

  /// Puts a record in; returns the one it replaces.
  mutating func put(_ id: UInt64, _ record: Record) -> Record? {
    records.updateValue(record, forKey: id)
  }

  mutating func remove(_ id: UInt64) -> Record? {
    records.removeValue(forKey: id)
  }
}

/// Which children hang on which parent, in the order in which the feed first named them.
///
/// A child is listed under its parent's id whether or not the parent is there yet: records may come in any order.
struct ChildIndex: Sendable {
  private var children: [UInt64: [UInt64]] = [:]

  subscript(_ parent: UInt64) -> [UInt64] { children[parent] ?? [] }

  mutating func move(_ child: UInt64, from old: UInt64?, to new: UInt64?) {
    if old == new { return }
    if let old { remove(child, from: old) }
    if let new { children[new, default: []].append(child) }
  }

  mutating func remove(_ child: UInt64, from parent: UInt64) {
    guard let at = children[parent]?.firstIndex(of: child) else { return }
    children[parent]!.remove(at: at)
    if children[parent]!.isEmpty { children[parent] = nil }
  }
}
