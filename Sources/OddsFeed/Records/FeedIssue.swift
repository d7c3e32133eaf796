import JSONText
package import OddsModel

/// A problem with a record or with a whole text.
package struct FeedIssue: Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    /// The text cannot be read.
    case unparsable
    // Rejected: of a known record, at most the fields that decide whether a price is bettable are applied
    // (StoreRules.md, rule 6).
    case missingID
    case noChangeType
    case noContent
    case malformedMessage
    case wrongType(RecordField)
    case oddsOutOfRange(DecimalOdds)
    // Unreadable: replaced by a safe value.
    case unreadableStatus(RecordField)
    case timeOutOfRange(RecordField)
    // Against the specification of the feed, but handled:
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
  package let kind: RecordKind
  /// The id of the record; nil if it has none.
  package let id: UInt64?
  /// The offset of the record in the frame's bytes; nil if it was pending or not decoded from JSON.
  package let offset: UInt32?
}

extension FeedIssue {
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

extension FeedIssue.Reason {
  /// The problem in the words of most providers.
  ///
  /// - Parameter name: Returns the provider's name of a field.
  package func text(naming name: (RecordField) -> String) -> String {
    switch self {
    case .unparsable: "no JSON"
    case .missingID: "no usable id"
    case .noChangeType: "no kind of change"
    case .noContent: "no content"
    case .malformedMessage: "a message of another form"
    case .wrongType(let field): "a value of the wrong type in '\(name(field))'"
    case .oddsOutOfRange(let odds): "odds of \(odds): below 1, or above \(DecimalOdds.limit)"
    case .unreadableStatus(let field): "a value in '\(name(field))' that cannot be read: the price is not bettable"
    case .timeOutOfRange(let field): "a time in '\(name(field))' before 1970 or after 9999: taken as not given"
    case .unknownMessage: "a message of an unknown kind"
    case .byteOrderMark: "a byte order mark, skipped"
    case .nestedTooDeep: "no JSON that can be read: nested deeper than \(JSONCursor.depthLimit) levels"
    case .createOfKnown: "a new record with an id that is there"
    case .updateOfUnknown: "a change of a record that is not there"
    case .deleteOfUnknown: "a removal of a record that is not there"
    case .parentMissing: "a record whose parent never arrived"
    }
  }
}
