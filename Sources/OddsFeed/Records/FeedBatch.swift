import OddsModel

/// One or more decoded messages, in flat arrays that the decoder refills for each batch.
///
/// Nothing is nested and no strings are created, so a batch needs no allocation once its arrays have grown. A decoder
/// fills the batch; the store applies it.
public struct FeedBatch: Hashable, Sendable {
  /// A message with its kind, version and records.
  package struct Message: Hashable, Sendable {
    package var kind = MessageKind.update
    /// The version: milliseconds since 1970 by the sender's clock; nil if the message has none.
    package var version: Int64? { rawVersion == absentNumber ? nil : rawVersion }
    /// The time of receipt, in milliseconds since 1970. Nil except in recordings that have it and in kept messages.
    package var receivedAt: Int64? { rawReceivedAt == absentNumber ? nil : rawReceivedAt }
    package var records: Range<Int> { firstRecord..<endRecord }

    package var rawVersion = absentNumber
    package var rawReceivedAt = absentNumber
    package var firstRecord = 0
    package var endRecord = 0

    package init() {}
  }

  /// One record of a message: the entity and its changes.
  package struct Record: Hashable, Sendable {
    /// The id; nil if the record has no usable id.
    package var id: UInt64? { rawID == RawID.none ? nil : rawID }
    /// The id; `RawID.none` if there is none.
    package var rawID = RawID.none
    package var firstProperty: UInt32 = 0
    package var endProperty: UInt32 = 0
    /// The offset of the record in the frame's bytes; `noOffset` for a record that was pending.
    package var rawOffset: UInt32 = 0
    package var change = ChangeKind.create
    package var kind = RecordKind.other
    /// The reason why the record cannot be applied, apart from the values of its fields.
    package var fault = RecordFault.none

    package init() {}

    /// The offset of the record in the frame's bytes; nil for a record that was pending.
    package var offset: Int? { rawOffset == FeedBatch.noOffset ? nil : Int(rawOffset) }

    package var properties: Range<Int> { Int(firstProperty)..<Int(endProperty) }
  }

  static let noOffset = UInt32.max

  /// One field of a record and its value.
  package struct Property: Hashable, Sendable {
    package var field: RecordField
    package var value: FieldValue

    @inlinable
    package init(field: RecordField, value: FieldValue) {
      self.field = field
      self.value = value
    }
  }

  package var messages = ReusableArray<Message>()
  package var records = ReusableArray<Record>()
  package var properties = ReusableArray<Property>()
  /// The texts of all properties, concatenated.
  package var text: [UInt8] = []
  /// The number of texts that the decoder could not read.
  package var unparsable = 0
  /// Counts of texts that could be read but not used, or only in part.
  package var exceptions = DecodingExceptions()

  /// Creates an empty batch.
  public init() {}

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

  /// Returns the text of a property, or nil if its value is not a text.
  package func string(_ value: FieldValue) -> String? {
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

/// The kind of a message.
package enum MessageKind: Sendable {
  case dump
  case update
}

/// The reason why a record of an update does not define a change. A record of a dump needs neither a change nor fields.
package enum RecordFault: UInt8, Sendable {
  case none
  /// The change is of an unknown kind.
  case unknownChange
  /// The kind of the change is missing.
  case noChangeType
  /// The fields of a creation or update are missing.
  case noContent
}

/// Counts of the irregularities that the decoder found.
package struct DecodingExceptions: Hashable, Sendable {
  /// Messages of an unknown kind.
  package var unknownMessages = 0
  /// Messages without records.
  package var malformedMessages = 0
  /// Records that cannot be read as such.
  package var malformedRecords = 0
  /// Texts that are nested too deep to be read. They also count as unparsable.
  package var nestedTooDeep = 0
  /// Texts that began with a byte order mark, which the decoder skips.
  package var byteOrderMarks = 0

  package init() {}

  /// The kinds of irregularities in messages, each once.
  package var reasons: [FeedIssue.Reason] {
    let counts: [(FeedIssue.Reason, Int)] = [
      (.unknownMessage, unknownMessages), (.malformedMessage, malformedMessages), (.nestedTooDeep, nestedTooDeep),
      (.byteOrderMark, byteOrderMarks),
    ]
    return counts.filter { $0.1 > 0 }.map(\.0)
  }
}

/// The effect of a record. Records of a dump are creations.
package enum ChangeKind: Sendable {
  case create
  case update
  case delete
}

extension FeedCounters {
  mutating func add(_ exceptions: DecodingExceptions) {
    unknownMessages += exceptions.unknownMessages
    malformedMessages += exceptions.malformedMessages
    rejected += exceptions.malformedRecords
    nestedTooDeep += exceptions.nestedTooDeep
    byteOrderMarks += exceptions.byteOrderMarks
  }
}
