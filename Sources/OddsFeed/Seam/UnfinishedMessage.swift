/// The time for which the parts of one message arrive.
///
/// Parts are signs of life, because a long message takes its time. A peer that never ends a message would be alive for
/// ever, so after `limit` its parts are none any more.
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

  /// Records the end of the message, or a pause of the reader, who then does not see it arrive.
  package mutating func reset() { since = nil }
}
