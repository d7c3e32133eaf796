internal import CNATS
internal import NIOCore

/// A key of the lease, in a JetStream key-value bucket of its own. Its functions block for up to `timeout`, and longer
/// only to create the bucket.
package final class LeaseStore: Sendable {
  private static let key = "book"

  private let connection: NATSConnection
  private let context: JetStreamContext
  private let bucket: String

  /// - Parameter timeout: The time to wait for an answer. Shorter than the lease lasts.
  /// - Throws: `NATSError` if the connection is closed.
  package init(
    _ connection: NATSConnection, bucket: String, timeout: Duration = .milliseconds(250)
  ) throws(NATSError) {
    self.connection = connection
    self.bucket = bucket
    context = try JetStreamContext(connection, timeout: timeout)
  }

  /// The JetStream stream of a bucket.
  static func stream(ofBucket bucket: String) -> String { "KV_\(bucket)" }

  private var subject: String { "$KV.\(bucket).\(Self.key)" }

  /// Returns the entry; nil if it does not exist. Creates the bucket if it does not exist.
  package func read() throws(NATSError) -> LeaseEntry? {
    var message: OpaquePointer?
    var code = jsErrCode(0)
    // NB: Asks the leader of the stream. A read of the bucket may be answered by another server, with an old entry.
    let status = js_GetLastMsg(&message, context.pointer, Self.stream(ofBucket: bucket), subject, nil, &code)
    if code == JSNoMessageFoundErr { return nil }
    if code == JSStreamNotFoundErr {
      try JetStreamBucket.create(bucket, connection)
      return nil
    }
    guard status == NATS_OK, let message else { throw NATSError(status, bucket) }
    defer { natsMsg_Destroy(message) }
    let bytes = UnsafeRawBufferPointer(start: natsMsg_GetData(message), count: Int(natsMsg_GetDataLength(message)))
    guard let record = LeaseRecord(ByteBuffer(bytes: bytes)) else {
      throw NATSError(.other, "'\(bucket)': the bucket has a lease of another version: delete the bucket")
    }
    return LeaseEntry(record: record, revision: natsMsg_GetSequence(message))
  }

  /// Writes the entry if its revision is `expected`, or if it does not exist and `expected` is 0.
  package func write(_ record: LeaseRecord, expecting expected: UInt64) -> LeaseMachine.WriteResult {
    var options = jsPubOptions()
    jsPubOptions_Init(&options)
    // NB: The functions of the bucket do the same, but hide the code that tells a conflict from other errors.
    options.ExpectLastSubjectSeq = expected
    options.ExpectNoMessage = expected == 0
    var acknowledgement: UnsafeMutablePointer<jsPubAck>?
    var code = jsErrCode(0)
    let status = record.encoded.withUnsafeReadableBytes { bytes in
      js_Publish(
        &acknowledgement, context.pointer, subject, bytes.baseAddress, CInt(bytes.count), &options, &code)
    }
    defer { jsPubAck_Destroy(acknowledgement) }
    if status == NATS_OK, let acknowledgement { return .written(revision: acknowledgement.pointee.Sequence) }
    return code == JSStreamWrongLastSequenceErr ? .conflict : .unknown
  }
}
