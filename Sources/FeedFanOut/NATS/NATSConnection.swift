internal import CNATS
package import NIOCore
internal import Platform

/// A connection to a NATS cluster through libnats. Reconnects without end.
///
/// Threads: libnats reads on a thread of its own, delivers messages on a pool of two threads, and reports events on
/// one more. Closures are called there and must not block for long. Every function may be called on any thread.
///
/// Flushing: `publish` copies a message into the library's buffer. Its flusher thread writes the buffer 1 ms after the
/// first message, or when 32 KiB wait, so the messages of a tick share system calls.
package final class NATSConnection: Sendable {
  package enum Event: Sendable {
    case connected
    /// The connection is lost. The library tries all servers again until one answers.
    case disconnected
    case reconnected
    /// A subscription had more bytes pending than its limit, so that messages were dropped.
    case slowConsumer
    case error(NATSError)
    /// The connection ended: by `close()`, or because the servers refused the credentials twice.
    case closed
  }

  private struct Handle: @unchecked Sendable {
    // `@unchecked Sendable` is safe: libnats locks its connection in every function. The pointer is constant, and
    // destroyed in `deinit`, when nobody has a reference that could still use it.
    let pointer: OpaquePointer
  }

  /// The receiver of the callbacks. Not the connection itself, which ends when its owner releases it.
  private final class Receiver: Sendable {
    let onEvent: @Sendable (Event) -> Void
    let subscriptions = Locked<[ObjectIdentifier: WeakReference<NATSSubscription>]>([:])

    init(_ onEvent: @escaping @Sendable (Event) -> Void) { self.onEvent = onEvent }

    func add(_ subscription: NATSSubscription) {
      subscriptions.withLock { subscriptions in
        subscriptions = subscriptions.filter { $0.value.value != nil }
        subscriptions[ObjectIdentifier(subscription)] = WeakReference(subscription)
      }
    }

    /// NB: The subscription that libnats names in its error callback may be freed by then. So each one that is alive
    /// looks for drops of its own.
    func reportDrops() {
      for subscription in subscriptions.withLock({ Array($0.values) }) { subscription.value?.reportDrops() }
    }
  }

  private static let receivers = CallbackRegistry<Receiver>()
  /// Sets the number of delivery threads, at the first access: before the library starts its first thread.
  private static let poolSize: Void = { _ = nats_SetMessageDeliveryPoolSize(2) }()

  private let handle: Handle
  private let receiver: Receiver
  private let number: UInt
  /// The pending requests and their inbox.
  let requests = NATSRequests()

  /// Connects. Returns after one attempt at all servers, with a connection or without: the library then keeps trying.
  ///
  /// - Parameter onEvent: Called on a thread of libnats.
  /// - Throws: `NATSError` if an option cannot be used or the servers refuse the credentials.
  package init(_ options: NATSOptions, onEvent: @escaping @Sendable (Event) -> Void) throws(NATSError) {
    _ = Self.poolSize
    let receiver = Receiver(onEvent)
    let number = Self.receivers.insert(receiver)
    do throws(NATSError) {
      handle = try options.withOptions { pointer throws(NATSError) in
        try Self.connect(pointer, number, servers: options.shownServers)
      }
    } catch {
      Self.receivers.remove(number)
      throw error
    }
    self.receiver = receiver
    self.number = number
    if isConnected { onEvent(.connected) }
  }

  deinit {
    Self.receivers.remove(number)
    // Closes the connection, joins its reader thread and releases it. NB: may run on a delivery thread of the library,
    // which it does not join.
    natsConnection_Destroy(handle.pointer)
  }

  private static func connect(
    _ options: OpaquePointer, _ number: UInt, servers: String
  ) throws(NATSError) -> Handle {
    let closure = UnsafeMutableRawPointer(bitPattern: number)
    natsOptions_SetDisconnectedCB(
      options, { _, to in NATSConnection.receivers.target(to)?.onEvent(.disconnected) }, closure)
    natsOptions_SetReconnectedCB(
      options, { _, to in NATSConnection.receivers.target(to)?.onEvent(.reconnected) }, closure)
    natsOptions_SetClosedCB(options, { _, to in NATSConnection.receivers.target(to)?.onEvent(.closed) }, closure)
    natsOptions_SetErrorHandler(
      options,
      { _, _, status, to in
        guard let receiver = NATSConnection.receivers.target(to) else { return }
        if status == NATS_SLOW_CONSUMER {
          receiver.onEvent(.slowConsumer)
          receiver.reportDrops()
        } else {
          receiver.onEvent(.error(NATSError(status, "connection")))
        }
      }, closure)
    natsOptions_SetRetryOnFailedConnect(
      options, true, { _, to in NATSConnection.receivers.target(to)?.onEvent(.connected) }, closure)
    var connection: OpaquePointer?
    let status = natsConnection_Connect(&connection, options)
    guard let connection, status == NATS_OK || status == NATS_NOT_YET_CONNECTED else {
      throw NATSError(status, servers)
    }
    return Handle(pointer: connection)
  }

  package var isConnected: Bool { natsConnection_Status(handle.pointer) == NATS_CONN_STATUS_CONNECTED }

  /// The maximum number of bytes of a message: what the server says, or 1 MiB while there is none.
  package var maxPayload: Int {
    let limit = Int(natsConnection_GetMaxPayload(handle.pointer))
    return limit > 0 ? limit : 1 << 20
  }

  /// The bytes of messages received and sent since the first connection, and the number of connections after that one.
  package var statistics: (received: UInt64, sent: UInt64, reconnects: UInt64) {
    var created: OpaquePointer?
    guard natsStatistics_Create(&created) == NATS_OK, let statistics = created else { return (0, 0, 0) }
    defer { natsStatistics_Destroy(statistics) }
    var (received, sent, reconnects): (UInt64, UInt64, UInt64) = (0, 0, 0)
    guard natsConnection_GetStats(handle.pointer, statistics) == NATS_OK,
      natsStatistics_GetCounts(statistics, nil, &received, nil, &sent, &reconnects) == NATS_OK
    else { return (0, 0, 0) }
    return (received, sent, reconnects)
  }

  /// The connection of libnats, for the files of this module. Valid as long as `self`.
  var pointer: OpaquePointer { handle.pointer }

  /// Publishes a message. Fails at once while there is no connection. NB: blocks for up to 2 s if the socket is full.
  ///
  /// - Parameter reply: The subject to answer on.
  package func publish(_ payload: ByteBuffer, to subject: String, reply: String? = nil) throws(NATSError) {
    let status = payload.withUnsafeReadableBytes { bytes in
      reply == nil
        ? natsConnection_Publish(handle.pointer, subject, bytes.baseAddress, CInt(bytes.count))
        : natsConnection_PublishRequest(handle.pointer, subject, reply, bytes.baseAddress, CInt(bytes.count))
    }
    try NATSError.check(status, subject)
  }

  /// Subscribes to a subject, which may have wildcards.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of bytes that wait for `onMessage`; NATS drops messages beyond it. Nil for no limit.
  ///   - onDrop: Called on a thread of libnats after messages were dropped.
  ///   - onMessage: Called for each message in order, on a thread of libnats, one call at a time.
  package func subscribe(
    _ subject: String, limit: Int? = nil, onDrop: @escaping @Sendable (_ count: Int) -> Void = { _ in },
    onMessage: @escaping @Sendable (NATSMessage) -> Void
  ) throws(NATSError) -> NATSSubscription {
    let subscription = try NATSSubscription(
      handle.pointer, subject: subject, limit: limit ?? -1, onDrop: onDrop, onMessage: onMessage)
    receiver.add(subscription)
    return subscription
  }

  /// Returns after the server has processed everything published and subscribed so far.
  package func flush(timeout: Duration = .seconds(2)) throws(NATSError) {
    try NATSError.check(natsConnection_FlushTimeout(handle.pointer, timeout.milliseconds), "flush")
  }

  /// Ends the subscriptions after their pending messages were handled, then publishing, then the connection. Returns at
  /// once; `Event.closed` reports the end.
  package func drain(timeout: Duration = .seconds(5)) throws(NATSError) {
    try NATSError.check(natsConnection_DrainTimeout(handle.pointer, timeout.milliseconds), "drain")
  }

  /// Writes what is buffered and closes the connection.
  package func close() { natsConnection_Close(handle.pointer) }
}

extension Duration {
  /// The duration in milliseconds, rounded up.
  var milliseconds: Int64 { Int64((self / .milliseconds(1)).rounded(.up)) }
}
