/// An array that is emptied and refilled often. Emptying it keeps its memory, up to 1 MiB.
package struct ReusableArray<Element: Sendable>: RandomAccessCollection, ExpressibleByArrayLiteral, Sendable {
  private var elements: [Element] = []
  package private(set) var count = 0

  init() {}

  package init(arrayLiteral elements: Element...) {
    self.elements = elements
    count = elements.count
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { count }

  @inline(__always)
  package subscript(_ place: Int) -> Element {
    get {
      elements[place]
    }
    _modify { yield &elements[place] }
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count < elements.count { elements[count] = element } else { appendAnew(element) }
    count &+= 1
  }

  @inline(never)
  private mutating func appendAnew(_ element: Element) {
    elements.growInLargePages()
    elements.append(element)
  }

  static func += (left: inout ReusableArray, right: some Sequence<Element>) {
    for element in right { left.append(element) }
  }

  /// Removes all elements. Releases the memory if it is larger than 1 MiB.
  mutating func empty() {
    count = 0
    if elements.count * MemoryLayout<Element>.stride > 1 << 20 { elements = [] }
  }

  /// Removes all elements after the first `count`.
  @inline(__always)
  mutating func cut(to count: Int) {
    self.count = count
  }
}

extension ReusableArray: Equatable where Element: Equatable {
  package static func == (left: ReusableArray, right: ReusableArray) -> Bool { left.elementsEqual(right) }
}
