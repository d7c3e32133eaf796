/// A moment in a book's term.
package struct BookTime: Hashable, Codable, Sendable {
  package let epoch: UInt64
  /// The wall clock of the book, in milliseconds since 1970.
  package let time: Int64

  package init(epoch: UInt64, time: Int64) {
    self.epoch = epoch
    self.time = time
  }
}

/// The figures of a gateway for metrics.
package struct GatewayStatus: Hashable, Sendable {
  /// The book that is heard; nil if none is.
  package let book: BookIdentity?
  /// The time since its last heartbeat.
  package let silence: Duration?
  /// The time that the last heartbeat took, by the wall clocks of both machines: may be negative.
  package let lag: Duration?
  /// The time that a message of this process to itself takes through NATS; nil before the first one came back.
  package let echoDelay: Duration?
  package let openTopics: Int
  /// The number of open topics that wait for a dump.
  package let staleTopics: Int
  package let counters: TopicReplica.Counters
}
