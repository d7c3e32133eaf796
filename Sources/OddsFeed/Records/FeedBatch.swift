/// One or more messages, decoded: flat arrays that the decoder fills anew each time.
///
/// Nothing is nested and no string is made, so a batch costs no allocation once its arrays have grown.
package struct FeedBatch: Sendable {
  /// A message: its kind, version and records.
  package struct Message: Sendable, Equatable {
    package var kind = MessageKind.update
    /// Milliseconds since 1970 as the sender counts them; nil where the message gave none (Messages.md).
    package var version: Int64? { rawVersion == absentNumber ? nil : rawVersion }
    /// When the message arrived, in milliseconds since 1970, where a recording says so.
    package var receivedAt: Int64? { rawReceivedAt == absentNumber ? nil : rawReceivedAt }
    package var records: Range<Int> { firstRecord..<endRecord }

    var rawVersion = absentNumber
    var rawReceivedAt = absentNumber
    var firstRecord = 0
    var endRecord = 0
  }

  /// One record of a message: what it is about and what it changes.
  package struct Record: Sendable {
    /// Nil where the record has no usable id.
    package var id: UInt64? { rawID == RawID.none ? nil : rawID }
    /// `RawID.none` where there is none.
    var rawID = RawID.none
    var firstProperty: UInt32 = 0
    var endProperty: UInt32 = 0
    /// Where the record begins in the frame's bytes; `noOffset` for one that came earlier.
    var rawOffset: UInt32 = 0
    package var change = ChangeKind.create
    package var kind = EntityKind.other
    /// The reason why the record cannot be applied, apart from the values of its fields.
    var fault = RecordFault.none

    /// Where the record begins in the frame's bytes; nil for one that came earlier.
    package var offset: Int? { rawOffset == FeedBatch.noOffset ? nil : Int(rawOffset) }

    package var properties: Range<Int> { Int(firstProperty)..<Int(endProperty) }
  }

  static let noOffset = UInt32.max

  /// One key of a record with its value.
  package struct Property: Sendable {
    package var field: WireField
    package var value: WireValue
  }

  package internal(set) var messages = ReusableArray<Message>()
  package internal(set) var records = ReusableArray<Record>()
  package internal(set) var properties = ReusableArray<Property>()
  /// The texts of properties, one after the other.
  var text: [UInt8] = []
  /// Texts that were no JSON, or no message.
  package internal(set) var unparsable = 0
  /// Texts that were JSON but could not be used, or not as they were.
  package internal(set) var exceptions = DecodingExceptions()

  package init() {}

  package mutating func removeAll() {
    messages.empty()
    records.empty()
    properties.empty()
    if !text.isEmpty { text.removeAll(keepingCapacity: text.count < 1 << 24) }
    unparsable = 0
    exceptions = DecodingExceptions()
  }

  func text(_ range: TextRange) -> ArraySlice<UInt8> {
    text[Int(range.start)..<Int(range.start + range.count)]
  }

  /// The text of a property; nil where its value is none.
  package func string(_ value: WireValue) -> String? {
    guard case .text(let range) = value else { return nil }
    return String(decoding: text(range), as: UTF8.self)
  }

  /// Appends a message of another batch.
  mutating func append(_ message: Message, of other: FeedBatch) {
    let first = records.count
    for record in other.records[message.records] { append(record, of: other) }
    var message = message
    (message.firstRecord, message.endRecord) = (first, records.count)
    messages.append(message)
  }

  /// Appends a record of another batch.
  mutating func append(_ record: Record, of other: FeedBatch) {
    var copy = record
    copy.firstProperty = UInt32(properties.count)
    for property in other.properties[record.properties] {
      var property = property
      if case .text(let range) = property.value {
        property.value = .text(TextRange(start: UInt32(text.count), count: range.count))
        text += other.text(range)
      }
      properties.append(property)
    }
    copy.endProperty = UInt32(properties.count)
    records.append(copy)
  }
}

/// What a message is (Messages.md, messageType).
package enum MessageKind: Sendable {
  case dump
  case update
}

/// A record of an UPDATE that does not say what it changes. A record of a dump needs neither a changeType nor an entity.
enum RecordFault: UInt8, Sendable {
  case none
  /// The changeType is one that is not known.
  case unknownChange
  /// There is no changeType.
  case noChangeType
  /// A CREATE or an UPDATE comes without an object that holds the fields.
  case noContent
}

/// Counts of what the decoder met besides well-formed messages.
package struct DecodingExceptions: Hashable, Sendable {
  /// Messages with a messageType that is not known.
  package var unknownMessages = 0
  /// Messages without an array of records.
  package var malformedMessages = 0
  /// Elements of arrays of records that are no objects.
  package var malformedRecords = 0
  /// Texts with arrays or objects nested deeper than `JSONCursor.depthLimit`; they count as unparsable, too.
  package var nestedTooDeep = 0
  /// Texts that began with a byte order mark, which is skipped.
  package var byteOrderMarks = 0

  package init() {}

  /// The kinds that were met, each once.
  package var reasons: [FeedIssue.Reason] {
    let counts: [(FeedIssue.Reason, Int)] = [
      (.unknownMessage, unknownMessages), (.malformedMessage, malformedMessages), (.nestedTooDeep, nestedTooDeep),
      (.byteOrderMark, byteOrderMarks),
    ]
    return counts.filter { $0.1 > 0 }.map(\.0)
  }
}

/// What a record does (Messages.md, changeType); a record of a dump creates.
package enum ChangeKind: Sendable {
  case create
  case update
  case delete
}
