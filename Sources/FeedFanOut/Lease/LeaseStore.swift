internal import CNATS
internal import NIOCore
internal import Platform

/// The key of the lease in a JetStream key-value bucket. Its functions block for up to `timeout`.
package final class LeaseStore: Sendable {
  private struct Opened: @unchecked Sendable {
    // `@unchecked Sendable` is safe: the pointers are reached only under the lock of `opened`, and destroyed once. Both
    // retain the connection of libnats.
    var context: OpaquePointer?
    var bucket: OpaquePointer?
  }

  private static let key = "book"

  private let connection: NATSConnection
  private let name: String
  private let timeout: Duration
  private let opened = Locked(Opened())

  /// - Parameter timeout: The time to wait for an answer. Shorter than the lease lasts.
  package init(_ connection: NATSConnection, _ subjects: Subjects, timeout: Duration = .milliseconds(250)) {
    self.connection = connection
    self.timeout = timeout
    name = subjects.leaseBucket
  }

  deinit { opened.withLock { Self.close(&$0) } }

  /// Returns the lease; nil if it does not exist.
  package func read() throws(NATSError) -> LeaseEntry? {
    try opened.withLock { opened throws(NATSError) in
      try open(&opened)
      var entry: OpaquePointer?
      let status = kvStore_Get(&entry, opened.bucket, Self.key)
      if status == NATS_NOT_FOUND { return nil }
      guard status == NATS_OK, let entry else { throw NATSError(status, name) }
      defer { kvEntry_Destroy(entry) }
      let bytes = UnsafeRawBufferPointer(start: kvEntry_Value(entry), count: Int(kvEntry_ValueLen(entry)))
      guard let record = LeaseRecord(ByteBuffer(bytes: bytes)) else {
        throw NATSError(.other, "'\(name)': the bucket has a lease of another version: delete the bucket")
      }
      return LeaseEntry(record: record, revision: kvEntry_Revision(entry))
    }
  }

  /// Writes the lease if its revision is `expected`, or if it does not exist and `expected` is 0.
  package func write(_ record: LeaseRecord, expecting expected: UInt64) -> LeaseMachine.WriteResult {
    opened.withLock { opened in
      do throws(NATSError) { try open(&opened) } catch { return .unknown }
      var options = jsPubOptions()
      jsPubOptions_Init(&options)
      // NB: The functions of the bucket do the same, but hide the code that tells a conflict from other errors.
      options.ExpectLastSubjectSeq = expected
      options.ExpectNoMessage = expected == 0
      var acknowledgement: UnsafeMutablePointer<jsPubAck>?
      var code = jsErrCode(0)
      let status = record.encoded.withUnsafeReadableBytes { bytes in
        js_Publish(
          &acknowledgement, opened.context, "$KV.\(name).\(Self.key)", bytes.baseAddress, CInt(bytes.count), &options,
          &code)
      }
      defer { jsPubAck_Destroy(acknowledgement) }
      if status == NATS_OK, let acknowledgement { return .written(revision: acknowledgement.pointee.Sequence) }
      if code == JSStreamWrongLastSequenceErr { return .conflict }
      // The bucket may have been deleted: the next call opens it anew.
      if status != NATS_TIMEOUT { Self.close(&opened) }
      return .unknown
    }
  }

  // MARK: The bucket

  private func open(_ opened: inout Opened) throws(NATSError) {
    if opened.bucket != nil { return }
    var options = jsOptions()
    jsOptions_Init(&options)
    options.Wait = timeout.milliseconds
    do throws(NATSError) {
      try NATSError.check(natsConnection_JetStream(&opened.context, connection.pointer, &options), name)
      let status = js_KeyValue(&opened.bucket, opened.context, name)
      if status == NATS_NOT_FOUND { try create() }
      try NATSError.check(
        status == NATS_NOT_FOUND ? js_KeyValue(&opened.bucket, opened.context, name) : status, name)
    } catch {
      Self.close(&opened)
      throw error
    }
  }

  /// Creates the bucket on three servers, or on one if the cluster does not have three.
  private func create() throws(NATSError) {
    var options = jsOptions()
    jsOptions_Init(&options)
    options.Wait = 3000
    var context: OpaquePointer?
    try NATSError.check(natsConnection_JetStream(&context, connection.pointer, &options), name)
    defer { jsCtx_Destroy(context) }
    var status = NATS_ERR
    for replicas: CInt in [3, 1] where status == NATS_ERR {
      status = name.withCString { name in
        var config = kvConfig()
        kvConfig_Init(&config)
        config.Bucket = name
        config.History = 1
        config.Replicas = replicas
        config.StorageType = js_FileStorage
        var bucket: OpaquePointer?
        defer { kvStore_Destroy(bucket) }
        return js_CreateKeyValue(&bucket, context, &config)
      }
    }
    try NATSError.check(status, name)
  }

  private static func close(_ opened: inout Opened) {
    kvStore_Destroy(opened.bucket)
    jsCtx_Destroy(opened.context)
    opened = Opened()
  }
}
