internal import CNATS
internal import Dispatch
internal import Platform

/// A subscription to a subject. Ends with `cancel()`, with its connection, and when it is released.
package final class NATSSubscription: Sendable {
  /// The receiver of the callbacks. Not the subscription itself, which ends when its owner releases it.
  final class Receiver: Sendable {
    let onMessage: @Sendable (NATSMessage) -> Void

    init(_ onMessage: @escaping @Sendable (NATSMessage) -> Void) { self.onMessage = onMessage }
  }

  private struct State: @unchecked Sendable {
    // `@unchecked Sendable` is safe: the pointer is reached only under the lock of `state`, and nil once destroyed.
    var pointer: OpaquePointer?
    /// The number of messages dropped so far, as `reportDrops()` last read it.
    var dropped: Int64 = 0
  }

  static let receivers = CallbackRegistry<Receiver>()

  package let subject: String
  private let state: Locked<State>
  private let number: UInt
  /// Called on a thread of libnats after messages were dropped.
  let onDrop: @Sendable (_ count: Int) -> Void

  /// Subscribes.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of bytes that wait for `onMessage`; -1 for no limit. Beyond it, NATS drops messages.
  ///   - onMessage: Called for each message in order, on a thread of libnats, one call at a time.
  init(
    _ connection: OpaquePointer, subject: String, limit: Int, onDrop: @escaping @Sendable (_ count: Int) -> Void,
    onMessage: @escaping @Sendable (NATSMessage) -> Void
  ) throws(NATSError) {
    self.subject = subject
    self.onDrop = onDrop
    number = Self.receivers.insert(Receiver(onMessage))
    var pointer: OpaquePointer?
    let status = natsConnection_Subscribe(
      &pointer, connection, subject,
      { _, _, message, closure in
        guard let message else { return }
        // Owned by the callback.
        defer { natsMsg_Destroy(message) }
        NATSSubscription.receivers.target(closure)?.onMessage(NATSMessage(copying: message))
      }, UnsafeMutableRawPointer(bitPattern: number))
    state = Locked(State(pointer: pointer))
    if status == NATS_OK {
      natsSubscription_SetPendingLimits(pointer, -1, CInt(clamping: limit))
    } else {
      Self.receivers.remove(number)
      throw NATSError(status, subject)
    }
  }

  deinit { cancel() }

  /// The time for which the library's object is kept after its end.
  private static let releaseDelay = DispatchTimeInterval.seconds(10)

  /// Unsubscribes. A call of `onMessage` that has begun may still run after this function returns; no other begins.
  package func cancel() {
    Self.receivers.remove(number)
    let ended = state.withLock { State(pointer: $0.pointer.take()) }
    guard let pointer = ended.pointer else { return }
    natsSubscription_Unsubscribe(pointer)
    // NB: The reader thread of libnats 3.4 uses the object of a message that it is just receiving without a reference
    // of its own, also while the connection is closed. If the object were released now, that thread could lock freed
    // memory.
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.releaseDelay) { natsSubscription_Destroy(ended.pointer) }
  }

  /// Reports the messages that were dropped since the last call.
  func reportDrops() {
    let count = state.withLock { state in
      var total: Int64 = 0
      guard let pointer = state.pointer, natsSubscription_GetDropped(pointer, &total) == NATS_OK else { return 0 }
      defer { state.dropped = total }
      return Int(total - state.dropped)
    }
    if count > 0 { onDrop(count) }
  }
}
