internal import CNATS
internal import NIOCore
internal import Platform

/// A JetStream key-value bucket, opened at its first use and created if it does not exist. Its functions block for up
/// to `timeout`, and are called one at a time.
final class JetStreamBucket: Sendable {
  private struct Opened: @unchecked Sendable {
    // `@unchecked Sendable` is safe: the pointer is reached only under the lock of `opened`, and destroyed once. It
    // retains the connection of libnats.
    let context: JetStreamContext
    let bucket: OpaquePointer
  }

  let name: String
  let timeout: Duration
  private let connection: NATSConnection
  private let opened = Locked<Opened?>(nil)

  init(_ connection: NATSConnection, name: String, timeout: Duration) {
    self.connection = connection
    self.name = name
    self.timeout = timeout
  }

  deinit { opened.withLock { Self.close(&$0) } }

  /// Calls `body` with the context and the bucket of libnats, which are valid during the call.
  func withOpened<Output: Sendable>(
    _ body: (_ context: OpaquePointer, _ bucket: OpaquePointer) throws(NATSError) -> Output
  ) throws(NATSError) -> Output {
    try opened.withLock { opened throws(NATSError) in
      do throws(NATSError) {
        let current = try open(&opened)
        return try body(current.context.pointer, current.bucket)
      } catch {
        // The bucket may have been deleted: the next call opens it anew.
        if error.code != .timedOut { Self.close(&opened) }
        throw error
      }
    }
  }

  /// Writes a value, or for nil a mark by which readers of the bucket take the key as removed. `options` sets what is
  /// expected of the bucket.
  func publish(
    _ value: ByteBuffer?, to key: String, options change: (inout jsPubOptions) -> Void
  ) -> LeaseMachine.WriteResult {
    opened.withLock { opened in
      let context: JetStreamContext
      do throws(NATSError) { context = try open(&opened).context } catch { return .unknown }
      var options = jsPubOptions()
      jsPubOptions_Init(&options)
      change(&options)
      var acknowledgement: UnsafeMutablePointer<jsPubAck>?
      var code = jsErrCode(0)
      var message: OpaquePointer?
      var status = (value ?? ByteBuffer()).withUnsafeReadableBytes { bytes in
        natsMsg_Create(
          &message, subject(of: key), nil, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(bytes.count))
      }
      defer { natsMsg_Destroy(message) }
      if status == NATS_OK, value == nil { status = natsMsgHeader_Set(message, "KV-Operation", "DEL") }
      if status == NATS_OK { status = js_PublishMsg(&acknowledgement, context.pointer, message, &options, &code) }
      defer { jsPubAck_Destroy(acknowledgement) }
      if status == NATS_OK, let acknowledgement { return .written(revision: acknowledgement.pointee.Sequence) }
      if code == JSStreamWrongLastSequenceErr { return .conflict }
      // The bucket may have been deleted: the next call opens it anew.
      if status != NATS_TIMEOUT { Self.close(&opened) }
      return .unknown
    }
  }

  func subject(of key: String) -> String { "$KV.\(name).\(key)" }
  /// The name of the stream that keeps the bucket.
  var stream: String { "KV_\(name)" }

  /// Copies the value of an entry.
  static func value(of entry: OpaquePointer) -> ByteBuffer {
    ByteBuffer(bytes: UnsafeRawBufferPointer(start: kvEntry_Value(entry), count: Int(kvEntry_ValueLen(entry))))
  }

  /// Opens the bucket unless it is open.
  private func open(_ opened: inout Opened?) throws(NATSError) -> Opened {
    if let opened { return opened }
    let context = try JetStreamContext(connection, timeout: timeout)
    var bucket: OpaquePointer?
    var status = js_KeyValue(&bucket, context.pointer, name)
    if status == NATS_NOT_FOUND {
      try Self.create(name, connection)
      status = js_KeyValue(&bucket, context.pointer, name)
    }
    try NATSError.check(status, name)
    guard let bucket else { throw NATSError(NATS_ERR, name) }
    let new = Opened(context: context, bucket: bucket)
    opened = new
    return new
  }

  /// Creates a bucket on three servers, or on one if the cluster does not have three. Then `StreamReplicas` adds the
  /// others.
  static func create(_ name: String, _ connection: NATSConnection) throws(NATSError) {
    let context = try JetStreamContext(connection, timeout: .seconds(3))
    var status = NATS_ERR
    for replicas: CInt in [CInt(StreamReplicas.target), 1] where status == NATS_ERR {
      status = name.withCString { name in
        var config = kvConfig()
        kvConfig_Init(&config)
        config.Bucket = name
        config.History = 1
        config.Replicas = replicas
        config.StorageType = js_FileStorage
        var bucket: OpaquePointer?
        defer { kvStore_Destroy(bucket) }
        return js_CreateKeyValue(&bucket, context.pointer, &config)
      }
    }
    try NATSError.check(status, name)
  }

  private static func close(_ opened: inout Opened?) {
    if let opened { kvStore_Destroy(opened.bucket) }
    opened = nil
  }
}
