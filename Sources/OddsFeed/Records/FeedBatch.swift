public import OddsModel

/// One or more decoded messages, in flat arrays that the decoder refills for each batch.
///
/// Nothing is nested and no strings are created, so a batch needs no allocation once its arrays have grown. A decoder
/// fills the batch; the store applies it.
public struct FeedBatch: Hashable, Sendable {
  /// A message with its kind, version and records.
  public struct Message: Hashable, Sendable {
    public var kind = MessageKind.update
    /// The state of the provider's own source of prices from this message on; nil if it is unchanged.
    public var source: SourceState?
    /// The version: milliseconds since 1970 by the sender's clock; nil if the message has none.
    @inlinable public var version: Int64? {
      get { rawVersion == absentNumber ? nil : rawVersion }
      set { rawVersion = newValue ?? absentNumber }
    }
    /// The time of receipt, in milliseconds since 1970; nil if it is not known. A decoder sets it only for recordings.
    /// `Provider` sets it for all other messages.
    @inlinable public var receivedAt: Int64? {
      get { rawReceivedAt == absentNumber ? nil : rawReceivedAt }
      set { rawReceivedAt = newValue ?? absentNumber }
    }
    /// The indices of its records.
    @inlinable public var records: Range<Int> {
      get { firstRecord..<endRecord }
      set {
        firstRecord = newValue.lowerBound
        endRecord = newValue.upperBound
      }
    }

    @usableFromInline var rawVersion = absentNumber
    @usableFromInline var rawReceivedAt = absentNumber
    @usableFromInline var firstRecord = 0
    @usableFromInline var endRecord = 0

    @inlinable public init() {}
  }

  /// One record of a message: the entity and its changes.
  public struct Record: Hashable, Sendable {
    /// The id; nil if the record has no usable id.
    @inlinable public var id: UInt64? {
      get { rawID == RawID.none ? nil : rawID }
      set { rawID = newValue ?? RawID.none }
    }
    /// The id; `RawID.none` if there is none.
    @usableFromInline package var rawID = RawID.none
    @usableFromInline var firstProperty: UInt32 = 0
    @usableFromInline var endProperty: UInt32 = 0
    /// The offset of the record in the frame's bytes; `noOffset` if it was pending or built by `appendRecord`.
    @usableFromInline var rawOffset: UInt32 = 0
    /// The effect of the record.
    public var change = ChangeKind.create
    /// The type of the record.
    public var kind = RecordKind.other
    /// The reason why the record cannot be applied, apart from the values of its fields.
    public var fault = RecordFault.none

    @inlinable public init() {}

    /// The offset of the record in the frame's bytes, below 4 GiB; nil if it was pending or built by `appendRecord`.
    @inlinable public var offset: Int? {
      get { rawOffset == FeedBatch.noOffset ? nil : Int(rawOffset) }
      set { rawOffset = newValue.map { UInt32(truncatingIfNeeded: $0) } ?? FeedBatch.noOffset }
    }

    /// The indices of its fields.
    @inlinable public var properties: Range<Int> {
      get { Int(firstProperty)..<Int(endProperty) }
      set {
        firstProperty = UInt32(truncatingIfNeeded: newValue.lowerBound)
        endProperty = UInt32(truncatingIfNeeded: newValue.upperBound)
      }
    }
  }

  @usableFromInline static var noOffset: UInt32 { .max }

  /// One field of a record and its value.
  public struct Property: Hashable, Sendable {
    /// The field.
    public var field: RecordField
    /// The value, of the field's kind.
    public var value: FieldValue

    @inlinable
    public init(field: RecordField, value: FieldValue) {
      self.field = field
      self.value = value
    }
  }

  /// The messages, in the order in which they were sent.
  public var messages = ReusableArray<Message>()
  /// The records of all messages.
  public var records = ReusableArray<Record>()
  /// The fields of all records.
  public var properties = ReusableArray<Property>()
  /// The texts of all properties, concatenated.
  public var text: [UInt8] = []
  /// The number of texts that the decoder could not read.
  public var unparsable = 0
  /// Counts of texts that could be read but not used, or only in part.
  public var exceptions = DecodingExceptions()

  /// Creates an empty batch.
  public init() {}

  /// Empties the batch. Keeps its memory, up to a limit.
  public mutating func removeAll() {
    messages.empty()
    records.empty()
    properties.empty()
    if !text.isEmpty { text.removeAll(keepingCapacity: text.count < 1 << 24) }
    unparsable = 0
    exceptions = DecodingExceptions()
  }

  func text(_ range: TextRange) -> ArraySlice<UInt8> { text[Int(range.start)..<Int(range.start + range.count)] }

  /// Returns the text of a property, or nil if its value is not a text.
  public func string(_ value: FieldValue) -> String? {
    guard case .text(let range) = value else { return nil }
    return String(decoding: text(range), as: UTF8.self)
  }

  mutating func append(_ message: Message, of other: FeedBatch) {
    let first = records.count
    for record in other.records[message.records] { append(record, of: other) }
    var message = message
    message.firstRecord = first
    message.endRecord = records.count
    messages.append(message)
  }

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
public enum MessageKind: Sendable {
  /// A dump, which replaces the content of the channel.
  case dump
  /// Changes of the content.
  case update
}

/// The state of the source of a provider's prices.
public enum SourceState: Hashable, Sendable {
  /// The provider receives and sends prices as usual.
  case live
  /// The provider says that its prices are not live.
  case impaired(Freshness.Cause)
}

/// The reason why a record of an update does not define a change. A record of a dump needs neither a change nor fields.
public enum RecordFault: UInt8, Sendable {
  /// The record defines a change.
  case none
  /// The change is of an unknown kind.
  case unknownChange
  /// The kind of the change is missing.
  case noChangeType
  /// The fields of a creation or update are missing.
  case noContent
}

/// Counts of the irregularities that the decoder found.
public struct DecodingExceptions: Hashable, Sendable {
  /// Messages of an unknown kind.
  public var unknownMessages = 0
  /// Messages that could not be read, in whole or in part, and dumps without a list of records.
  public var malformedMessages = 0
  /// Records that cannot be read as such.
  public var malformedRecords = 0
  /// Texts that are nested too deep to be read. They also count as unparsable.
  public var nestedTooDeep = 0
  /// Texts that began with a byte order mark, which the decoder skips.
  public var byteOrderMarks = 0
  /// Changes into which the provider had merged others.
  public var merged = 0

  /// Creates counts that are all zero.
  public init() {}

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
public enum ChangeKind: Sendable {
  /// A new record, with all its fields.
  case create
  /// Fields of a record that change.
  case update
  /// The removal of a record.
  case delete
}

extension FeedCounters {
  mutating func add(_ exceptions: DecodingExceptions) {
    unknownMessages += exceptions.unknownMessages
    malformedMessages += exceptions.malformedMessages
    rejected += exceptions.malformedRecords
    nestedTooDeep += exceptions.nestedTooDeep
    byteOrderMarks += exceptions.byteOrderMarks
    merged += exceptions.merged
  }
}
