import NIOCore
import Platform

/// A limit on the dumps that are being made for subscribers of one address that are behind. Sessions beyond it wait for
/// a place in turn. A place that becomes free is handed to the session that waits longest, so that no later one takes
/// it.
final class CatchUpPlaces: Sendable {
  private struct State {
    /// The places in use, by address.
    var used: [String: Int] = [:]
    /// The calls that hand a place over. No queue is empty.
    var waiting: [String: CircularBuffer<@Sendable () -> Void>] = [:]
  }

  private let limit: Int
  private let state = Locked(State())

  init(limit: Int) { self.limit = limit }

  /// Takes a place. Follow it by `free`. Returns false if there is none now.
  ///
  /// - Parameter onPlace: Called once, on any thread, if there is no place now: the session then has one, which it must
  ///   free too.
  func take(_ address: String, onPlace: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { [limit] state in
      let used = state.used[address] ?? 0
      guard used < limit else {
        state.waiting[address, default: CircularBuffer()].append(onPlace)
        return false
      }
      state.used[address] = used + 1
      return true
    }
  }

  /// Returns a place, or hands it to the session that waits longest.
  func free(_ address: String) {
    let next: (@Sendable () -> Void)? = state.withLock { state in
      guard let first = state.waiting[address]?.popFirst() else {
        let left = state.used[address]! - 1
        state.used[address] = left > 0 ? left : nil
        return nil
      }
      if state.waiting[address]!.isEmpty { state.waiting[address] = nil }
      return first
    }
    next?()
  }
}
