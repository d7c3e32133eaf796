import JSONText
import OddsModel

/// The text of a dump in the disk cache: `{"version":ms,"records":[…]}`, where each record is an array of its type, its
/// id, and the names and values of its fields in turn.
///
/// Types and fields have the names of the cases of `RecordKind` and `RecordField`. Codes are whole numbers, times
/// are in milliseconds since 1970, other numbers are in ten-millionths, and flags are 0 or 1.
enum RecordText {
  private static let kinds = PerfectHashTable(RecordKind.allCases.map { ("\($0)", $0) })
  private static let fields = PerfectHashTable(RecordField.allCases.map { ("\($0)", $0) })

  /// Returns the text of the batch's only message, a dump.
  static func text(_ batch: FeedBatch) -> [UInt8] {
    var json = JSONWriter(capacity: batch.properties.count * 24 + batch.text.count)
    json.object { json in
      if let version = batch.messages.first?.version { json.field("version", version) }
      json.array("records") { json in
        for record in batch.records { append(record, of: batch, to: &json) }
      }
    }
    return json.bytes
  }

  private static func append(_ record: FeedBatch.Record, of batch: FeedBatch, to json: inout JSONWriter) {
    json.array { json in
      json.element("\(record.kind)")
      json.element(RawID.text(record.rawID))
      for property in batch.properties[record.properties] {
        json.element("\(property.field)")
        switch property.value {
        case .id(let id): json.element(RawID.text(id))
        case .integer(let number), .fixed(let number): json.element(number)
        case .flag(let flag): json.element(flag ? 1 : 0)
        case .text: json.element(batch.string(property.value) ?? "")
        case .null, .outOfRange, .wrongType: preconditionFailure("a dump of the store has no such values")
        }
      }
    }
  }

  /// Returns the dump in a text; nil if the text has another form.
  static func batch(_ text: ArraySlice<UInt8>) -> FeedBatch? { text.withUnsafeBufferPointer { try? read($0) } }

  private static func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) -> FeedBatch {
    var cursor = JSONCursor(bytes, 0..<bytes.count)
    var batch = FeedBatch()
    var message = FeedBatch.Message()
    message.kind = .dump
    try cursor.decodedFields { key, cursor throws(JSONError) in
      switch key {
      case "version": message.version = try number(&cursor)
      case "records": try readRecords(&cursor, into: &batch)
      default: throw JSONError.syntax
      }
    }
    guard cursor.peek() == 0 else { throw .syntax }
    message.records = 0..<batch.records.count
    batch.messages.append(message)
    return batch
  }

  private static func readRecords(_ cursor: inout JSONCursor, into batch: inout FeedBatch) throws(JSONError) {
    var kinds = PredictiveKeyReader(Self.kinds)
    var fields = PredictiveKeyReader(Self.fields)
    guard try cursor.enter(UInt8(ascii: "["), close: UInt8(ascii: "]")) else { return }
    repeat {
      fields.begin()
      guard try cursor.enter(UInt8(ascii: "["), close: UInt8(ascii: "]")), let kind = try kinds.readValue(&cursor),
        try cursor.more(until: UInt8(ascii: "]"))
      else { throw .syntax }
      let id = try id(&cursor)
      try batch.appendRecord(kind, id: id) { batch throws(JSONError) in
        while try cursor.more(until: UInt8(ascii: "]")) {
          guard let field = try fields.readValue(&cursor), try cursor.more(until: UInt8(ascii: "]")) else {
            throw .syntax
          }
          try readValue(of: field, &cursor, into: &batch)
        }
      }
    } while try cursor.more(until: UInt8(ascii: "]"))
  }

  private static func readValue(
    of field: RecordField, _ cursor: inout JSONCursor, into batch: inout FeedBatch
  ) throws(JSONError) {
    switch field.kind {
    case .id: batch.set(field, .id(try id(&cursor)))
    case .code, .time: batch.set(field, .integer(try number(&cursor)))
    case .fixed: batch.set(field, .fixed(try number(&cursor)))
    case .flag: batch.set(field, .flag(try number(&cursor) != 0))
    case .text: batch.set(field, text: try cursor.text().utf8)
    }
  }

  private static func id(_ cursor: inout JSONCursor) throws(JSONError) -> UInt64 {
    guard cursor.peek() == UInt8(ascii: "\"") else { throw .syntax }
    if let id = cursor.plainID() { return id }
    var text = try cursor.text()
    guard let id = text.withUTF8({ RawID.parse($0) }) else { throw .syntax }
    return id
  }

  private static func number(_ cursor: inout JSONCursor) throws(JSONError) -> Int64 {
    guard let number = JSONValue.integer(try cursor.bare()) else { throw .syntax }
    return number
  }
}
