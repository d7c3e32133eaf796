import Platform

/// The reports of callbacks, in order, for tests that wait for them.
package final class EventRecorder<Element: Sendable>: Sendable {
  private struct Waiter {
    let id: Int
    let isMet: @Sendable ([Element]) -> Bool
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var elements: [Element] = []
    var waiters: [Waiter] = []
    var waiterCount = 0
  }

  private let state = Locked(State())

  package init() {}

  package var elements: [Element] { state.withLock { $0.elements } }

  package func add(_ element: Element) { change { $0.append(element) } }

  package func change(_ body: (inout [Element]) -> Void) {
    let ready = state.withLock { state in
      body(&state.elements)
      let elements = state.elements
      let ready = state.waiters.filter { $0.isMet(elements) }
      state.waiters.removeAll { waiter in ready.contains { $0.id == waiter.id } }
      return ready
    }
    for waiter in ready { waiter.continuation.resume() }
  }

  /// Returns once the elements meet the condition. Throws if the task is cancelled, so that a condition that is never
  /// met ends with the time limit of the test.
  package func wait(until isMet: @escaping @Sendable ([Element]) -> Bool) async throws {
    let id = state.withLock { state in
      state.waiterCount += 1
      return state.waiterCount
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isReady = state.withLock { state in
          // The cancellation handler may have run before the waiter was added.
          if isMet(state.elements) || Task.isCancelled { return true }
          state.waiters.append(Waiter(id: id, isMet: isMet, continuation: continuation))
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        let index = state.waiters.firstIndex { $0.id == id }
        return index.map { state.waiters.remove(at: $0) }
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }
    try Task.checkCancellation()
  }

  /// Returns once an element meets the condition.
  package func wait(for isMet: @escaping @Sendable (Element) -> Bool) async throws {
    try await wait { $0.contains(where: isMet) }
  }
}
