internal import CNATS
package import NIOCore
internal import Platform

/// The accounts of a cluster in a JetStream key-value bucket, which outlives every book. Its functions block for up to
/// some seconds.
///
/// One book writes at a time. Each write expects the number of the last one, and `load` writes too: so a book that was
/// held up, and has lost its lease meanwhile, cannot overwrite what its successor has loaded.
package final class AccountStore: Sendable {
  private static let fence = "book"

  private let bucket: JetStreamBucket
  private let maxEntries: Int
  /// The number of the last write; nil before `load`, and after a write that was refused or not confirmed.
  private let last = Locked<UInt64?>(nil)

  /// - Parameter maxEntries: The maximum number of entries that can be loaded, with the one that `load` writes.
  package init(
    _ connection: NATSConnection, _ subjects: Subjects, timeout: Duration = .seconds(2), maxEntries: Int = 1_000_000
  ) {
    self.maxEntries = maxEntries
    bucket = JetStreamBucket(connection, name: subjects.accountBucket, timeout: timeout)
  }

  /// Returns all entries, and makes this process the only one that can write, until another one calls this.
  ///
  /// - Throws: `NATSError`, with the code `tooManyEntries` if the bucket has more than `maxEntries` entries: what is
  ///   not loaded would be overwritten by later writes.
  package func load(_ identity: BookIdentity) throws(NATSError) -> [(key: String, value: ByteBuffer)] {
    // NB: Before the entries: what is written in between makes the write below fail.
    let sequence = try bucket.withOpened { context, _ throws(NATSError) in try lastSequence(context) }
    let entries = try bucket.withOpened { _, pointer throws(NATSError) in try readEntries(pointer) }
    last.withLock { $0 = sequence }
    try put(ByteBuffer(integer: identity.epoch), for: Self.fence)
    return entries.filter { $0.key != Self.fence }
  }

  /// Writes a value. A key has letters, digits, `-` and `.`.
  ///
  /// - Throws: `wrongRevision` if another process has loaded the accounts. After any error, nothing can be written
  ///   until the next `load`.
  package func put(_ value: ByteBuffer, for key: String) throws(NATSError) { _ = try write(value, to: key) }

  /// Removes a key. Throws as `put` does.
  package func remove(_ key: String) throws(NATSError) {
    // NB: A purge cannot expect a revision, so this write checks that no other process has loaded the accounts.
    let mark = try write(nil, to: key)
    // Removes the mark as well, which is not needed any more. It remains if NATS does not answer.
    try? bucket.withOpened { context, _ throws(NATSError) in
      var options = jsOptions()
      jsOptions_Init(&options)
      // Excludes what is written later.
      options.Stream.Purge.Sequence = mark + 1
      let status = bucket.subject(of: key).withCString { subject in
        options.Stream.Purge.Subject = subject
        return js_PurgeStream(context, bucket.stream, &options, nil)
      }
      try NATSError.check(status, bucket.name)
    }
  }

  /// Writes a value, or the mark of a removed key for nil. Returns the number of the write.
  private func write(_ value: ByteBuffer?, to key: String) throws(NATSError) -> UInt64 {
    guard let expected = last.withLock({ $0 }) else { throw unusable }
    let result = bucket.publish(value, to: key) { options in
      // NB: 0 would expect nothing. An empty bucket does not have the key of the first write.
      options.ExpectLastSeq = expected
      options.ExpectNoMessage = expected == 0
    }
    switch result {
    case .written(let revision):
      last.withLock { $0 = revision }
      return revision
    case .conflict:
      last.withLock { $0 = nil }
      throw NATSError(.wrongRevision, "'\(bucket.name)': another book has written the accounts")
    case .unknown:
      last.withLock { $0 = nil }
      throw NATSError(.timedOut, "'\(bucket.name)': a write was not confirmed: check the load of NATS")
    }
  }

  private var unusable: NATSError { NATSError(.closed, "'\(bucket.name)': the accounts are not loaded") }

  private func lastSequence(_ context: OpaquePointer) throws(NATSError) -> UInt64 {
    var info: UnsafeMutablePointer<jsStreamInfo>?
    let status = js_GetStreamInfo(&info, context, bucket.stream, nil, nil)
    defer { jsStreamInfo_Destroy(info) }
    try NATSError.check(status, bucket.name)
    return info?.pointee.State.LastSeq ?? 0
  }

  private func readEntries(_ pointer: OpaquePointer) throws(NATSError) -> [(key: String, value: ByteBuffer)] {
    var options = kvWatchOptions()
    kvWatchOptions_Init(&options)
    options.IgnoreDeletes = true
    var watcher: OpaquePointer?
    try NATSError.check(kvStore_WatchAll(&watcher, pointer, &options), bucket.name)
    defer { kvWatcher_Destroy(watcher) }
    var entries: [(String, ByteBuffer)] = []
    while true {
      var entry: OpaquePointer?
      try NATSError.check(kvWatcher_Next(&entry, watcher, bucket.timeout.milliseconds), bucket.name)
      // All entries have come.
      guard let entry else { return entries }
      defer { kvEntry_Destroy(entry) }
      if entries.count == maxEntries {
        throw NATSError(
          .tooManyEntries,
          "'\(bucket.name)': the bucket has more than \(maxEntries) entries: delete those of sessions and players that "
            + "are not needed")
      }
      entries.append((String(cString: kvEntry_Key(entry)), JetStreamBucket.value(of: entry)))
    }
  }
}
