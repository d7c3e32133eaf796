internal import CNATS

/// The context of libnats for calls to JetStream that block for up to a timeout.
final class JetStreamContext: Sendable {
  private struct Handle: @unchecked Sendable {
    // `@unchecked Sendable` is safe: libnats locks its context in every function. The pointer is constant, retains the
    // connection of libnats, and is destroyed in `deinit`, when nobody has a reference that could still use it.
    let pointer: OpaquePointer
  }

  private let handle: Handle

  /// Creates the context. Does not wait for a connection.
  init(_ connection: NATSConnection, timeout: Duration) throws(NATSError) {
    var options = jsOptions()
    jsOptions_Init(&options)
    options.Wait = timeout.milliseconds
    var context: OpaquePointer?
    try NATSError.check(natsConnection_JetStream(&context, connection.pointer, &options), "JetStream")
    guard let context else { throw NATSError(NATS_NO_MEMORY, "JetStream") }
    handle = Handle(pointer: context)
  }

  deinit { jsCtx_Destroy(handle.pointer) }

  var pointer: OpaquePointer { handle.pointer }
}
