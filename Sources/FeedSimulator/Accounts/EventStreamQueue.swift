import AccountModel
import OddsFeed
package import OddsModel
import Platform

/// The unread bytes of an account stream, up to a maximum.
///
/// The queue has one reader and any number of writers.
package final class EventStreamQueue: EventStreamConnection {
  private let parts: Mailbox<[UInt8], Never>
  private let onEnd: @Sendable () -> Void

  /// Creates a queue of at most `bound` unread bytes. `onEnd` is called on `close()` and again on deinitialization.
  package init(bound: Int, onEnd: @escaping @Sendable () -> Void) {
    parts = Mailbox(limits: MailboxLimits(cost: bound), cost: \.count)
    self.onEnd = onEnd
  }

  deinit { onEnd() }

  /// Appends bytes. Returns false if they exceed the bound or the stream is over.
  func push(_ bytes: [UInt8]) -> Bool { parts.offer(bytes) }

  /// Ends the stream after the unread bytes.
  func end() { parts.finish() }

  package func close() {
    end()
    onEnd()
  }

  package func read() async throws(ConnectionError) -> [UInt8]? {
    let parts = await parts.nextBatch()
    return parts.isEmpty ? nil : Array(parts.joined())
  }
}
