import NIOCore
import Platform

/// A limit on the dumps that are being made for subscribers of one address that are behind. Sessions beyond it wait for a
/// place in turn.
final class CatchUpPlaces: Sendable {
  private struct State {
    /// The places in use, by address.
    var used: [String: Int] = [:]
    /// The calls to make when a place becomes free. No queue is empty.
    var waiting: [String: CircularBuffer<@Sendable () -> Void>] = [:]
  }

  private let limit: Int
  private let state = Locked(State())

  init(limit: Int) { self.limit = limit }

  /// Takes a place, if there is one. Follow it by `free`.
  ///
  /// - Parameter onFree: Called once, on any thread, when a place is free, if there is none now. Must cause a call of
  ///   `offer` if it takes no place.
  func take(_ address: String, onFree: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { [limit] state in
      let used = state.used[address] ?? 0
      guard used < limit else {
        state.waiting[address, default: CircularBuffer()].append(onFree)
        return false
      }
      state.used[address] = used + 1
      return true
    }
  }

  /// Returns a place.
  func free(_ address: String) {
    state.withLock { state in
      let left = state.used[address]! - 1
      state.used[address] = left > 0 ? left : nil
    }
    offer(address)
  }

  /// Tells the session that waits longest, if a place is free.
  func offer(_ address: String) {
    let call: (@Sendable () -> Void)? = state.withLock { [limit] state in
      guard state.used[address] ?? 0 < limit, let first = state.waiting[address]?.popFirst() else { return nil }
      if state.waiting[address]?.isEmpty == true { state.waiting[address] = nil }
      return first
    }
    call?()
  }
}
