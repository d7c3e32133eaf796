internal import Platform

/// The objects that C callbacks reach, by number.
///
/// A C library keeps a `void *` for each callback. Here it is a number and never dereferenced: a callback looks the
/// number up and finds nothing once the object was removed. So a callback that the library delivers late, on whichever
/// thread, cannot touch freed memory, and nothing here depends on the order in which the library ends its threads. A
/// number is not used twice. An object that was found is retained until its callback returns.
final class CallbackRegistry<Target: AnyObject & Sendable>: Sendable {
  private struct State {
    var targets: [UInt: Target] = [:]
    var last: UInt = 0
  }

  private let state = Locked(State())

  /// Adds an object and returns the closure argument of its callbacks.
  func insert(_ target: Target) -> UInt {
    state.withLock { state in
      state.last += 1
      state.targets[state.last] = target
      return state.last
    }
  }

  func remove(_ number: UInt) { state.withLock { $0.targets[number] = nil } }

  /// Returns the object of a callback's closure argument; nil once it was removed.
  func target(_ closure: UnsafeMutableRawPointer?) -> Target? {
    let number = UInt(bitPattern: closure)
    return state.withLock { $0.targets[number] }
  }
}
