/// A problem with a record or with a whole text.
package struct FeedIssue: Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    /// The text is not JSON.
    case unparsable
    // Rejected: nothing is applied.
    case missingID
    case noChangeType
    case noContent
    case malformedMessage
    case wrongType(WireField)
    case oddsOutOfRange(DecimalOdds)
    // Unreadable: replaced by a safe value.
    case unreadableStatus(WireField)
    case timeOutOfRange(WireField)
    // Against the feed's specification, but handled:
    case unknownMessage
    case byteOrderMark
    case nestedTooDeep
    case createOfKnown
    case updateOfUnknown
    case deleteOfUnknown
    /// The parent did not arrive while the record was pending.
    case parentMissing
  }

  package let reason: Reason
  package let kind: EntityKind
  /// The id of the record; nil if it has none.
  package let id: UInt64?
  /// The offset of the record in the frame's bytes; nil for a record that was pending.
  package let offset: UInt32?

  init(reason: Reason, kind: EntityKind, id: UInt64?, offset: UInt32?) {
    (self.reason, self.kind, self.id, self.offset) = (reason, kind, id, offset)
  }

  /// Creates an issue about a whole text that begins at an offset in the frame's bytes.
  package init(ofText reason: Reason, offset: UInt32) {
    self.init(reason: reason, kind: .other, id: nil, offset: offset)
  }

  /// True if the issue is about a whole text and not about one record.
  package var isOfText: Bool {
    switch reason {
    case .unparsable, .malformedMessage, .unknownMessage, .byteOrderMark, .nestedTooDeep: true
    default: false
    }
  }

  /// The id as the feed writes it; nil if the record has none.
  package var idText: String? { id.map(RawID.text) }
}

extension FeedIssue.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unparsable: "no JSON"
    case .missingID: "no usable id"
    case .noChangeType: "no changeType"
    case .noContent: "no object with the changed fields"
    case .malformedMessage: "a message without an array of records"
    case .unreadableStatus(let field): "a value in '\(field)' that cannot be read: the price is not bettable"
    case .timeOutOfRange(let field): "a time in '\(field)' before 1970 or after 9999: taken as not given"
    case .unknownMessage: "a messageType that is not known"
    case .byteOrderMark: "a byte order mark, skipped"
    case .nestedTooDeep: "no JSON that can be read: nested deeper than \(JSONCursor.depthLimit) levels"
    case .wrongType(let field): "a value of the wrong type in '\(field)'"
    case .oddsOutOfRange(let odds): "odds of \(odds): below 1, or above \(OfferContent.highestOdds)"
    case .createOfKnown: "CREATE of an id that is there"
    case .updateOfUnknown: "UPDATE of an id that is not there"
    case .deleteOfUnknown: "DELETE of an id that is not there"
    case .parentMissing: "a foreign key that never resolved"
    }
  }
}
