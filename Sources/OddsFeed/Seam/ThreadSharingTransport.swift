package import Platform

/// A transport whose events can be read and applied on a thread with other work, while they are few and small.
package protocol ThreadSharingTransport: FeedTransport {
  /// Returns the thread for the next event; nil for one that the transport may block. Only the reader of the events calls
  /// this, before it reads one.
  func nextThread() -> (any InputThread)?
}
