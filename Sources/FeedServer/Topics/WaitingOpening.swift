import Platform

/// An opening that waits for the turn of an address. If others request its topic, it waits for their turns too, and
/// begins with the first one.
final class WaitingOpening: Sendable {
  private struct State {
    /// Nil once the opening has begun.
    var body: (@Sendable () -> Void)?
    var addresses: Set<String>
  }

  private let state: Locked<State>

  init(_ address: String, body: @escaping @Sendable () -> Void) {
    state = Locked(State(body: body, addresses: [address]))
  }

  /// Returns true if the opening is now to wait for a turn of the address too.
  func add(_ address: String) -> Bool {
    state.withLock { state in state.body != nil && state.addresses.insert(address).inserted }
  }

  /// Returns the function that begins the opening; nil after the first call.
  func take() -> (@Sendable () -> Void)? { state.withLock { $0.body.take() } }
}
