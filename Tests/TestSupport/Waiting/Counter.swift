import Synchronization

/// A counter that any thread can increment.
package final class Counter: Sendable {
  private let value = Atomic(0)

  package init() {}

  package var count: Int { value.load(ordering: .sequentiallyConsistent) }

  package func add() { value.add(1, ordering: .sequentiallyConsistent) }
}
