/// A transport whose events can be read and applied on a thread with other work, while they are few and small.
package protocol ThreadSharingTransport: FeedTransport {
  /// The executor of the task that reads the events; nil for one with a thread that the transport may block.
  var readingExecutor: (any TaskExecutor)? { get }
}
