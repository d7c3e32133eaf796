import Platform

/// The reports of callbacks, in order, for tests that wait for them.
final class EventRecorder<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var waiters: [(isMet: @Sendable ([Element]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Locked(State())

  var elements: [Element] { state.withLock { $0.elements } }

  func add(_ element: Element) { change { $0.append(element) } }

  func change(_ body: (inout [Element]) -> Void) {
    let ready = state.withLock { state in
      body(&state.elements)
      let elements = state.elements
      let ready = state.waiters.filter { $0.isMet(elements) }.map(\.continuation)
      state.waiters.removeAll { $0.isMet(elements) }
      return ready
    }
    for continuation in ready { continuation.resume() }
  }

  /// Returns once the elements meet the condition.
  func wait(until isMet: @escaping @Sendable ([Element]) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if isMet(state.elements) { return true }
        state.waiters.append((isMet, continuation))
        return false
      }
      if isReady { continuation.resume() }
    }
  }

  /// Returns once an element meets the condition.
  func wait(for isMet: @escaping @Sendable (Element) -> Bool) async { await wait { $0.contains(where: isMet) } }
}
