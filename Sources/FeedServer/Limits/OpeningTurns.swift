import NIOCore
import Platform

/// A limit on the openings of topics that are in progress. Beyond it, addresses take turns: the openings of one address
/// wait for each other, and delay those of another one by little.
final class OpeningTurns: Sendable {
  private struct State {
    var inProgress = 0
    /// The openings that wait, by address. No queue is empty.
    var waiting: [String: CircularBuffer<@Sendable () -> Void>] = [:]
    /// The addresses whose openings wait, in order.
    var turns = CircularBuffer<String>()
  }

  private let limit: Int
  private let state = Locked(State())
  private let calls = CallQueue()

  init(limit: Int) { self.limit = limit }

  /// Calls `body`, now or later on another thread, to begin an opening. Follow it by `end`.
  func begin(_ address: String, _ body: @escaping @Sendable () -> Void) {
    let isNow = state.withLock { [limit] state in
      if state.inProgress < limit {
        state.inProgress += 1
        return true
      }
      if state.waiting[address] == nil { state.turns.append(address) }
      state.waiting[address, default: CircularBuffer()].append(body)
      return false
    }
    if isNow { body() }
  }

  /// Ends an opening, and begins the next one, perhaps on the thread of another call of `end`.
  func end() {
    let next: (@Sendable () -> Void)? = state.withLock { state in
      guard let address = state.turns.popFirst() else {
        state.inProgress -= 1
        return nil
      }
      let next = state.waiting[address]!.removeFirst()
      if state.waiting[address]!.isEmpty { state.waiting[address] = nil } else { state.turns.append(address) }
      return next
    }
    if let next { calls.perform(next) }
  }
}
