/// Something wrong with a record, as `toteboard inspect` tells of it.
package struct FeedIssue: Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    // Set aside, nothing of it applied:
    case missingID
    case wrongType(WireField)
    case oddsBelowOne(DecimalOdds)
    // Against what the feed promises, but dealt with:
    case createOfKnown
    case updateOfUnknown
    case deleteOfUnknown
    /// The parent did not come while the record was kept waiting.
    case parentMissing
  }

  package let reason: Reason
  package let kind: EntityKind
  /// Nil where the record has none.
  package let id: UInt64?
  /// Where the record begins in the frame's bytes; nil for one that came earlier.
  package let offset: UInt32?
}
