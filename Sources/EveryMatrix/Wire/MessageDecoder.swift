import JSONText
public import OddsFeed
import OddsModel

/// A decoder of the feed's JSON into batches of flat records (Messages.md, Records.md).
///
/// Unknown keys, types and message kinds are skipped. Texts that are not JSON are counted in `FeedBatch.unparsable`.
public struct MessageDecoder: FeedDecoder {
  enum Key: Sendable {
    case changeType, entityType, id, content
    case field(RecordField)
  }

  private enum Envelope: String, CaseIterable {
    case version, messageType, records, receivedAt, message
  }

  private static let keys = PerfectHashTable<Key>(
    [
      ("changeType", .changeType), ("entityType", .entityType), ("_type", .entityType), ("id", .id),
      ("changedProperties", .content), ("entity", .content),
    ] + RecordField.onWire.map { ("\($0.wireName)", .field($0)) })
  private static let kinds = PerfectHashTable(RecordKind.byWireName)
  private static let changes = PerfectHashTable([
    ("CREATE", ChangeKind.create), ("UPDATE", .update), ("DELETE", .delete),
  ])
  private static let messages = PerfectHashTable([("UPDATE", MessageKind.update), ("INITIAL_DUMP", .dump)])
  private static let envelope = PerfectHashTable(Envelope.allCases.map { ($0.rawValue, $0) })

  private var keys = PredictiveKeyReader(Self.keys)
  private var kinds = PredictiveKeyReader(Self.kinds)
  private var changes = PredictiveKeyReader(Self.changes)
  private var messages = PredictiveKeyReader(Self.messages)
  private var envelope = PredictiveKeyReader(Self.envelope)

  /// Creates a decoder in its initial state.
  public init() {}

  public mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, into batch: inout FeedBatch) {
    var cursor = JSONCursor(bytes, range)
    let hadMark = cursor.skipByteOrderMark()
    if cursor.peek() == 0 { return }
    let mark = (batch.messages.count, batch.records.count, batch.properties.count, batch.text.count)
    let exceptions = batch.exceptions
    if hadMark { batch.exceptions.byteOrderMarks += 1 }
    do throws(JSONError) {
      try message(&cursor, &batch, depth: 0)
      guard cursor.peek() == 0 else { throw JSONError.syntax }
    } catch {
      batch.unparsable += 1
      batch.exceptions = exceptions
      if error == .depth { batch.exceptions.nestedTooDeep += 1 }
      batch.messages.cut(to: mark.0)
      batch.records.cut(to: mark.1)
      batch.properties.cut(to: mark.2)
      batch.text.removeSubrange(mark.3...)
    }
  }

  /// Decodes a message, or a line of a recording that wraps one: `{"receivedAt":ms,"topic":…,"message":{…}}`.
  private mutating func message(_ cursor: inout JSONCursor, _ batch: inout FeedBatch, depth: Int) throws(JSONError) {
    var message = FeedBatch.Message()
    var isKnown = true
    var isWrapper = false
    var list = RecordList.missing
    var malformedRecords = 0
    let index = batch.messages.count
    let firstRecord = batch.records.count
    envelope.begin()
    guard try cursor.enter(UInt8(ascii: "{"), close: UInt8(ascii: "}")) else { return }
    repeat {
      switch try envelope.read(&cursor, then: UInt8(ascii: ":")) {
      case .version: message.version = try time(&cursor)
      case .messageType:
        let kind = try messages.readValue(&cursor)
        isKnown = kind != nil
        message.kind = kind ?? .update
      case .records where !isWrapper: list = try records(&cursor, &batch, malformed: &malformedRecords)
      case .receivedAt: message.receivedAt = try time(&cursor)
      case .message where depth == 0 && !isWrapper && cursor.peek() == UInt8(ascii: "{"):
        try self.message(&cursor, &batch, depth: 1)
        isWrapper = true
      case .message where depth == 0 && message.receivedAt != nil:
        // A recording also has texts that were received but are no message.
        throw JSONError.syntax
      default: try cursor.skip()
      }
    } while try cursor.more(until: UInt8(ascii: "}"))
    message.records = firstRecord..<batch.records.count
    if isWrapper {
      if index < batch.messages.count { batch.messages[index].receivedAt = message.receivedAt }
    } else if !isKnown {
      batch.exceptions.unknownMessages += 1
    } else if list == .invalid || list == .missing && message.kind == .dump {
      // NB: a dump replaces everything, so an unreadable dump must not pass for an empty one.
      batch.exceptions.malformedMessages += 1
    } else {
      batch.exceptions.malformedRecords += malformedRecords
      batch.messages.append(message)
    }
  }

  /// The form of a message's `records`.
  private enum RecordList { case missing, invalid, valid }

  private mutating func records(
    _ cursor: inout JSONCursor, _ batch: inout FeedBatch, malformed: inout Int
  ) throws(JSONError) -> RecordList {
    guard cursor.peek() == UInt8(ascii: "[") else {
      try cursor.skip()
      return .invalid
    }
    guard try cursor.enter(UInt8(ascii: "["), close: UInt8(ascii: "]")) else { return .valid }
    var objects = 0
    repeat {
      if cursor.peek() == UInt8(ascii: "{") {
        try record(&cursor, &batch)
        objects += 1
      } else {
        try cursor.skip()
        malformed += 1
      }
    } while try cursor.more(until: UInt8(ascii: "]"))
    return objects == 0 ? .invalid : .valid
  }

  /// Decodes a record. A record of a dump has its fields beside `_type`. A record of an update has them in `entity` or
  /// `changedProperties`, beside `entityType` and `changeType`.
  private mutating func record(_ cursor: inout JSONCursor, _ batch: inout FeedBatch) throws(JSONError) {
    var record = FeedBatch.Record()
    var contentID: UInt64?
    var hasContent = false
    record.fault = .noChangeType
    keys.begin()
    record.offset = cursor.at
    let firstProperty = batch.properties.count
    if try cursor.enter(UInt8(ascii: "{"), close: UInt8(ascii: "}")) {
      repeat {
        switch try keys.read(&cursor, then: UInt8(ascii: ":")) {
        case .field(let field): try property(field, &cursor, &batch)
        case .changeType:
          // An unknown change is skipped: a guess could corrupt the store.
          let change = try changes.readValue(&cursor)
          record.fault = change == nil ? .unknownChange : .none
          record.change = change ?? .update
        case .entityType: record.kind = try kinds.readValue(&cursor) ?? .other
        case .id: record.id = try id(&cursor)
        case .content:
          hasContent = cursor.peek() == UInt8(ascii: "{")
          contentID = try content(&cursor, &batch)
        case nil: try cursor.skip()
        }
      } while try cursor.more(until: UInt8(ascii: "}"))
    }
    if record.id == nil { record.id = contentID }
    record.properties = firstProperty..<batch.properties.count
    // Some producers put the fields beside the id.
    if !hasContent, record.fault == .none, record.change != .delete, record.properties.isEmpty {
      record.fault = .noContent
    }
    batch.records.append(record)
  }

  /// Decodes the fields of a nested object. Returns its id, or nil.
  @inline(__always)
  private mutating func content(_ cursor: inout JSONCursor, _ batch: inout FeedBatch) throws(JSONError)
    -> UInt64?
  {
    var found: UInt64?
    guard cursor.peek() == UInt8(ascii: "{") else {
      try cursor.skip()
      return found
    }
    guard try cursor.enter(UInt8(ascii: "{"), close: UInt8(ascii: "}")) else { return found }
    repeat {
      switch try keys.read(&cursor, then: UInt8(ascii: ":")) {
      case .field(let field): try property(field, &cursor, &batch)
      case .id: found = try id(&cursor)
      default: try cursor.skip()
      }
    } while try cursor.more(until: UInt8(ascii: "}"))
    return found
  }

  @inline(__always)
  private mutating func property(_ field: RecordField, _ cursor: inout JSONCursor, _ batch: inout FeedBatch)
    throws(JSONError)
  {
    var value = try value(field.kind, &cursor, &batch.text)
    if field == .infoType, case .integer(let number) = value { value = .integer(Self.infoTypeNumber(number)) }
    batch.properties.append(FeedBatch.Property(field: field, value: value))
  }

  /// Returns the store's number of an EVENT_INFO type for the feed's number, or the feed's number for the store's
  /// (Records.md, EVENT_INFO typeId).
  ///
  /// Serve and match time exchange their numbers with types that the store does not use, so no number is lost.
  static func infoTypeNumber(_ number: Int64) -> Int64 {
    switch number {
    case 37: 2
    case 2: 37
    case 95: 5
    case 5: 95
    default: number
    }
  }
}
