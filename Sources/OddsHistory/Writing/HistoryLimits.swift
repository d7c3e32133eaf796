/// The limits of a history file.
package struct HistoryLimits: Hashable, Sendable {
  /// The number of days for which changes are kept.
  package var days: Int
  /// The size of the file in bytes, without its log, beyond which the oldest changes are removed.
  package var bytes: Int64

  package init(days: Int = 30, bytes: Int64 = 1_000_000_000) {
    self.days = days
    self.bytes = bytes
  }
}
