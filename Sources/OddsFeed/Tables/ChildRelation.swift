import OddsModel

/// The links of a child to its neighbours among its parent's children.
struct SiblingLinks: Sendable {
  var previous = Slot.none
  var next = Slot.none
}

/// A parent's children as a doubly linked list, sorted by key and then by id. The order depends on the feed's content
/// and not on the order of arrival.
///
/// A child whose position is neither the first nor near the end is appended, and the list is marked as unsorted. It is
/// sorted before its order is read. This bounds the cost of an insertion: no feed can force a walk through a long list
/// for each child.
struct IntrusiveChildList: Sendable {
  // NB: the flag is the highest bit of the first slot. A byte of its own would make each record eight bytes larger.
  private var firstAndFlag = Self.noFirst
  var last = Slot.none

  private static let flag: UInt32 = 1 << 31
  private static let noFirst = Slot.none & ~Self.flag

  init() {}

  init(first: Slot, last: Slot) {
    self.first = first
    self.last = last
  }

  var first: Slot {
    get {
      let slot = firstAndFlag & ~Self.flag
      return slot == Self.noFirst ? .none : slot
    }
    set { firstAndFlag = firstAndFlag & Self.flag | newValue & ~Self.flag }
  }

  var isUnsorted: Bool {
    get { firstAndFlag & Self.flag != 0 }
    set { firstAndFlag = newValue ? firstAndFlag | Self.flag : firstAndFlag & ~Self.flag }
  }

  var isEmpty: Bool { first == .none }
}

/// A relation in which records of one type are children of another record.
protocol ChildRelation {
  associatedtype Record: Node
  static func links(_ record: Record) -> SiblingLinks
  static func withLinks(_ record: inout Record, _ body: (inout SiblingLinks) -> Void)
  /// Returns the sort key of a record among its siblings. Ties are broken by id.
  static func key(_ record: Record) -> UInt64
}

extension ChildRelation {
  static func key(_ record: Record) -> UInt64 { record.id }
}

enum MarketsOfMatch: ChildRelation {
  static func links(_ record: MarketNode) -> SiblingLinks { record.inMatch }
  static func withLinks(_ record: inout MarketNode, _ body: (inout SiblingLinks) -> Void) { body(&record.inMatch) }
}

enum InfosOfMatch: ChildRelation {
  static func links(_ record: EventInfoNode) -> SiblingLinks { record.inMatch }
  static func withLinks(_ record: inout EventInfoNode, _ body: (inout SiblingLinks) -> Void) { body(&record.inMatch) }
}

enum RelationsOfMarket: ChildRelation {
  static func links(_ record: RelationNode) -> SiblingLinks { record.inMarket }
  static func withLinks(_ record: inout RelationNode, _ body: (inout SiblingLinks) -> Void) { body(&record.inMarket) }
  static func key(_ record: RelationNode) -> UInt64 { record.content.outcomeID }
}

enum RelationsOfOutcome: ChildRelation {
  static func links(_ record: RelationNode) -> SiblingLinks { record.inOutcome }
  static func withLinks(_ record: inout RelationNode, _ body: (inout SiblingLinks) -> Void) { body(&record.inOutcome) }
  static func key(_ record: RelationNode) -> UInt64 { record.content.marketID }
}

enum OffersOfOutcome: ChildRelation {
  static func links(_ record: OfferNode) -> SiblingLinks { record.inOutcome }
  static func withLinks(_ record: inout OfferNode, _ body: (inout SiblingLinks) -> Void) { body(&record.inOutcome) }
}

extension EntityTable {
  /// The maximum number of steps from the end when searching for the position of a child.
  private static var reach: Int { 32 }

  /// Links a record into the children at its sorted position. Appends it if that position is not the first and more
  /// than `reach` steps from the end.
  /// Returns true if the children become unsorted by this call.
  mutating func link<C: ChildRelation>(_ slot: Slot, into children: inout IntrusiveChildList, _ chain: C.Type) -> Bool
  where C.Record == Record {
    var previous = children.last
    var becomesUnsorted = false
    if !children.isUnsorted {
      if children.first != .none, Self.precedes(self[slot], self[children.first], chain) {
        previous = .none
      } else {
        // Feeds send children mostly in ascending order, so the search begins at the end.
        var steps = 0
        while previous != .none, !Self.precedes(self[previous], self[slot], chain) {
          previous = C.links(self[previous]).previous
          steps += 1
          if steps > Self.reach {
            previous = children.last
            becomesUnsorted = true
            children.isUnsorted = true
            break
          }
        }
      }
    }
    let next = previous == .none ? children.first : C.links(self[previous]).next
    C.withLinks(&self[slot]) { $0 = SiblingLinks(previous: previous, next: next) }
    if previous == .none { children.first = slot } else { C.withLinks(&self[previous]) { $0.next = slot } }
    if next == .none { children.last = slot } else { C.withLinks(&self[next]) { $0.previous = slot } }
    return becomesUnsorted
  }

  private static func precedes<C: ChildRelation>(_ left: Record, _ right: Record, _ chain: C.Type) -> Bool
  where C.Record == Record {
    let (a, b) = (C.key(left), C.key(right))
    return a == b ? RawID.precedes(left.id, right.id) : RawID.precedes(a, b)
  }

  /// Sorts the children if they are marked as unsorted.
  mutating func sort<C: ChildRelation>(_ children: inout IntrusiveChildList, _ chain: C.Type) where C.Record == Record {
    guard children.isUnsorted else { return }
    let slots = all(children, chain).sorted { Self.precedes(self[$0], self[$1], chain) }
    for (index, slot) in slots.enumerated() {
      let links = SiblingLinks(
        previous: index > 0 ? slots[index - 1] : .none, next: index + 1 < slots.count ? slots[index + 1] : .none)
      C.withLinks(&self[slot]) { $0 = links }
    }
    children = IntrusiveChildList(first: slots.first ?? .none, last: slots.last ?? .none)
  }

  mutating func unlink<C: ChildRelation>(_ slot: Slot, from children: inout IntrusiveChildList, _ chain: C.Type)
  where C.Record == Record {
    let links = C.links(self[slot])
    if links.previous == .none {
      children.first = links.next
    } else {
      C.withLinks(&self[links.previous]) { $0.next = links.next }
    }
    if links.next == .none {
      children.last = links.previous
    } else {
      C.withLinks(&self[links.next]) { $0.previous = links.previous }
    }
    C.withLinks(&self[slot]) { $0 = SiblingLinks() }
  }

  /// Returns the slots of the children, in order. The array allows unlinking children during iteration.
  func all<C: ChildRelation>(_ children: IntrusiveChildList, _ chain: C.Type) -> [Slot] where C.Record == Record {
    var slots: [Slot] = []
    var slot = children.first
    while slot != .none {
      slots.append(slot)
      slot = C.links(self[slot]).next
    }
    return slots
  }
}
