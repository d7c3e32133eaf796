/// An array that is emptied and refilled often. Emptying it keeps its memory, up to 1 MiB.
public struct ReusableArray<Element: Sendable>: RandomAccessCollection, ExpressibleByArrayLiteral, Sendable {
  @usableFromInline var elements: [Element] = []
  /// The number of elements in use.
  @usableFromInline var used = 0

  @inlinable init() {}

  public init(arrayLiteral elements: Element...) {
    self.elements = elements
    used = elements.count
  }

  @inlinable public var count: Int { used }
  @inlinable public var startIndex: Int { 0 }
  @inlinable public var endIndex: Int { used }

  @inlinable @inline(__always)
  public subscript(_ index: Int) -> Element {
    get {
      elements[index]
    }
    _modify { yield &elements[index] }
  }

  @inlinable @inline(__always)
  public mutating func append(_ element: Element) {
    if used < elements.count { elements[used] = element } else { appendAnew(element) }
    used &+= 1
  }

  @inlinable @inline(never)
  mutating func appendAnew(_ element: Element) {
    elements.growInLargePages()
    elements.append(element)
  }

  @inlinable static func += (left: inout ReusableArray, right: some Sequence<Element>) {
    for element in right { left.append(element) }
  }

  /// Removes all elements. Releases the memory if it is larger than 1 MiB.
  @inlinable public mutating func empty() {
    used = 0
    if elements.count * MemoryLayout<Element>.stride > 1 << 20 { elements = [] }
  }

  /// Removes all elements after the first `count`.
  @inlinable @inline(__always)
  public mutating func cut(to count: Int) {
    used = count
  }
}

extension ReusableArray: Equatable where Element: Equatable {
  public static func == (left: ReusableArray, right: ReusableArray) -> Bool { left.elementsEqual(right) }
}

extension ReusableArray: Hashable where Element: Hashable {
  public func hash(into hasher: inout Hasher) { for element in self { hasher.combine(element) } }
}
