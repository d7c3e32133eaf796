/// The arrival of one message in parts.
///
/// Each part is a sign of life, because a long message takes its time. After `limit` the parts of a message no longer
/// count: otherwise a peer that never ends a message would seem alive for ever.
package struct UnfinishedMessage: Hashable, Sendable {
  private let limit: Duration
  private var since: Duration?

  package init(limit: Duration) { self.limit = limit }

  /// True from the first part of a message to its end.
  package var hasBegun: Bool { since != nil }

  /// Records that a part of a message has arrived. Returns false if the message takes too long.
  package mutating func partArrived(at now: Duration) -> Bool {
    let since = since ?? now
    self.since = since
    return now - since < limit
  }

  /// Records the end of the message, or a pause of the reader, in which no part can be seen.
  package mutating func reset() { since = nil }
}
