/// An array that is emptied and refilled often. Emptying it keeps its memory, up to 1 MiB.
package struct ReusableArray<Element: Sendable>: RandomAccessCollection, ExpressibleByArrayLiteral, Sendable {
  @usableFromInline var elements: [Element] = []
  @usableFromInline package internal(set) var count = 0

  @inlinable init() {}

  package init(arrayLiteral elements: Element...) {
    self.elements = elements
    count = elements.count
  }

  @inlinable package var startIndex: Int { 0 }
  @inlinable package var endIndex: Int { count }

  @inlinable @inline(__always)
  package subscript(_ place: Int) -> Element {
    get {
      elements[place]
    }
    _modify { yield &elements[place] }
  }

  @inlinable @inline(__always)
  package mutating func append(_ element: Element) {
    if count < elements.count { elements[count] = element } else { appendAnew(element) }
    count &+= 1
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
  @inlinable package mutating func empty() {
    count = 0
    if elements.count * MemoryLayout<Element>.stride > 1 << 20 { elements = [] }
  }

  /// Removes all elements after the first `count`.
  @inlinable @inline(__always)
  package mutating func cut(to count: Int) {
    self.count = count
  }
}

extension ReusableArray: Equatable where Element: Equatable {
  package static func == (left: ReusableArray, right: ReusableArray) -> Bool { left.elementsEqual(right) }
}

extension ReusableArray: Hashable where Element: Hashable {
  package func hash(into hasher: inout Hasher) { for element in self { hasher.combine(element) } }
}
