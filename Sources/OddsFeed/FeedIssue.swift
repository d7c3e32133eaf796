/// Something wrong with a record, as `toteboard inspect` tells of it.
package struct FeedIssue: Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    /// The text is no JSON.
    case unparsable
    // Set aside, nothing of it applied:
    case missingID
    case wrongType(WireField)
    case oddsOutOfRange(DecimalOdds)
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

  init(reason: Reason, kind: EntityKind, id: UInt64?, offset: UInt32?) {
    (self.reason, self.kind, self.id, self.offset) = (reason, kind, id, offset)
  }

  /// A text that is no JSON, from that place in the frame's bytes on.
  package init(unparsable offset: UInt32) {
    self.init(reason: .unparsable, kind: .other, id: nil, offset: offset)
  }

  /// The id as the feed writes it.
  package var idText: String? { id.map(RawID.text) }
}

extension FeedIssue.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unparsable: "no JSON"
    case .missingID: "no usable id"
    case .wrongType(let field): "a value of the wrong type in '\(field)'"
    case .oddsOutOfRange(let odds): "odds of \(odds): below 1, or above \(OfferContent.highestOdds)"
    case .createOfKnown: "CREATE of an id that is there"
    case .updateOfUnknown: "UPDATE of an id that is not there"
    case .deleteOfUnknown: "DELETE of an id that is not there"
    case .parentMissing: "a foreign key that never resolved"
    }
  }
}
