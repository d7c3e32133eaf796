/// One or more messages, decoded: flat arrays that the decoder fills anew each time.
///
/// Nothing is nested, so a batch costs no allocation once its arrays have grown; only texts are made anew.
package struct FeedBatch: Sendable {
  /// A message: its kind, version and records.
  package struct Message: Sendable, Equatable {
    package var kind: MessageKind
    /// Milliseconds since 1970 as the sender counts them; nil where the message gave none (FEED.md §2).
    package var version: Int64?
    /// When the message arrived, in milliseconds since 1970, where a recording says so.
    package var receivedAt: Int64?
    package var records: Range<Int>
  }

  /// One record of a message: what it is about and what it changes.
  package struct Record: Sendable {
    package var change: ChangeKind
    package var kind: EntityKind
    /// Nil where the record has no usable id.
    package var id: UInt64?
    package var properties: Range<Int>
  }

  /// One key of a record with its value.
  package struct Property: Sendable {
    package var field: WireField
    package var value: WireValue
  }

  package var messages: [Message] = []
  package var records: [Record] = []
  package var properties: [Property] = []
  package var texts: [String] = []
  /// Texts that were no JSON, or no message.
  package var unparsable = 0

  package init() {}

  package mutating func removeAll() {
    messages.removeAll(keepingCapacity: true)
    records.removeAll(keepingCapacity: true)
    properties.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
    unparsable = 0
  }
}

/// What a message is (FEED.md §2, messageType).
package enum MessageKind: Sendable {
  case dump
  case update
}

/// What a record does (FEED.md §2, changeType); a record of a dump creates.
package enum ChangeKind: Sendable {
  case create
  case update
  case delete
}

/// A value of a known key, small and without storage of its own.
package enum WireValue: Sendable, Equatable {
  /// The key was sent as null: the field is cleared.
  case null
  case id(UInt64)
  /// A number or a time in milliseconds since 1970.
  case integer(Int64)
  /// A number in ten-millionths.
  case fixed(Int64)
  case flag(Bool)
  /// A place in `FeedBatch.texts`.
  case text(Int)
  /// A value of a kind that the key cannot have.
  case wrongType
}
