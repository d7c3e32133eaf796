/// The figures of a book for metrics.
package struct BookCounters: Hashable, Sendable {
  /// The number of frames published, and of those that could not be.
  package var frames = 0
  package var unsent = 0
  /// The number of dumps built, and of requests for parts answered.
  package var dumps = 0
  package var dumpParts = 0
  /// The number of topics open, gateways known and bytes of dumps kept, now.
  package var openTopics = 0
  package var gateways = 0
  package var dumpBytes = 0
}
