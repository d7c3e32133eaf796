import Synchronization

/// A count that any thread may raise.
package final class Counter: Sendable {
  private let value = Atomic(0)

  package init() {}

  package var count: Int { value.load(ordering: .sequentiallyConsistent) }

  package func add() { value.add(1, ordering: .sequentiallyConsistent) }
}
