internal import CNATS
internal import NIOCore

/// The key of the lease in a JetStream key-value bucket. Its functions block for up to `timeout`.
package final class LeaseStore: Sendable {
  private static let key = "book"

  private let bucket: JetStreamBucket

  /// - Parameter timeout: The time to wait for an answer. Shorter than the lease lasts.
  package init(_ connection: NATSConnection, _ subjects: Subjects, timeout: Duration = .milliseconds(250)) {
    bucket = JetStreamBucket(connection, name: subjects.leaseBucket, timeout: timeout)
  }

  /// Returns the lease; nil if it does not exist.
  package func read() throws(NATSError) -> LeaseEntry? {
    try bucket.withOpened { _, pointer throws(NATSError) in
      var entry: OpaquePointer?
      let status = kvStore_Get(&entry, pointer, Self.key)
      if status == NATS_NOT_FOUND { return nil }
      guard status == NATS_OK, let entry else { throw NATSError(status, bucket.name) }
      defer { kvEntry_Destroy(entry) }
      guard let record = LeaseRecord(JetStreamBucket.value(of: entry)) else {
        throw NATSError(.other, "'\(bucket.name)': the bucket has a lease of another version: delete the bucket")
      }
      return LeaseEntry(record: record, revision: kvEntry_Revision(entry))
    }
  }

  /// Writes the lease if its revision is `expected`, or if it does not exist and `expected` is 0.
  package func write(_ record: LeaseRecord, expecting expected: UInt64) -> LeaseMachine.WriteResult {
    bucket.publish(record.encoded, to: Self.key) { options in
      // NB: The functions of the bucket do the same, but hide the code that tells a conflict from other errors.
      options.ExpectLastSubjectSeq = expected
      options.ExpectNoMessage = expected == 0
    }
  }
}
