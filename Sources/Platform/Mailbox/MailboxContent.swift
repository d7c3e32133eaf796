public import DequeModule

/// The number and the total cost of elements from which a mailbox is full.
public struct MailboxLimits: Hashable, Sendable {
  public var count: Int
  public var cost: Int

  /// Creates limits; by default there are none.
  public init(count: Int = .max, cost: Int = .max) {
    self.count = count
    self.cost = cost
  }
}

/// The elements of a mailbox that are not read.
public struct MailboxContent<Element> {
  @usableFromInline var urgent = Deque<Element>()
  @usableFromInline var ordinary = Deque<Element>()
  /// The total cost of `ordinary`.
  @usableFromInline var totalCost = 0
  @usableFromInline let limits: MailboxLimits
  @usableFromInline let cost: @Sendable (Element) -> Int
  @usableFromInline let coalesce: (@Sendable (Element, inout MailboxContent) -> Bool)?

  @inlinable
  init(
    limits: MailboxLimits, cost: @escaping @Sendable (Element) -> Int,
    coalesce: (@Sendable (Element, inout MailboxContent) -> Bool)?
  ) {
    self.limits = limits
    self.cost = cost
    self.coalesce = coalesce
  }

  @inlinable public var count: Int { urgent.count + ordinary.count }
  @inlinable public var isEmpty: Bool { urgent.isEmpty && ordinary.isEmpty }
  @inlinable public var isFull: Bool { ordinary.count >= limits.count || totalCost >= limits.cost }

  /// The element that was added last; nil if there is none.
  @inlinable public var last: Element? { ordinary.last }

  /// Returns true if a further element does not exceed the limits. An empty mailbox accepts an element of any cost.
  @inlinable
  func fits(_ element: Element) -> Bool {
    ordinary.isEmpty || ordinary.count < limits.count && totalCost + cost(element) <= limits.cost
  }

  @inlinable
  mutating func add(_ element: Element) {
    if let coalesce, !coalesce(element, &self) { return }
    ordinary.append(element)
    totalCost += cost(element)
  }

  @inlinable
  mutating func addUrgent(_ element: Element, replacing isObsolete: (Element) -> Bool) {
    urgent.removeAll(where: isObsolete)
    urgent.append(element)
  }

  @inlinable
  mutating func popFirst() -> Element? {
    if let element = urgent.popFirst() { return element }
    guard let element = ordinary.popFirst() else { return nil }
    totalCost -= cost(element)
    return element
  }

  /// Removes the element that was added last.
  @inlinable
  public mutating func removeLast() { if let element = ordinary.popLast() { totalCost -= cost(element) } }

  /// Removes and returns all elements.
  @inlinable
  @discardableResult
  public mutating func removeAll() -> [Element] {
    // NB: An empty deque is not written to: its storage is shared, and the thread sanitizer reports that.
    var elements = ordinary.isEmpty ? [] : Array(ordinary)
    if !ordinary.isEmpty { ordinary.removeAll(keepingCapacity: true) }
    totalCost = 0
    if !urgent.isEmpty {
      elements.insert(contentsOf: urgent, at: 0)
      urgent.removeAll()
    }
    return elements
  }

  /// Replaces all elements. `select` receives them in the order of reading and returns those that stay. They
  /// leave the priority lane.
  @inlinable
  public mutating func replaceAll(_ select: ([Element]) -> [Element]) {
    for element in select(removeAll()) {
      ordinary.append(element)
      totalCost += cost(element)
    }
  }
}
