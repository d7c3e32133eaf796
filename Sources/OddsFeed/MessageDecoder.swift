/// Turns the feed's JSON into batches of flat records (FEED.md §2, §3).
///
/// Unknown keys, types and message kinds are stepped over; what is no JSON is counted in `FeedBatch.unparsable`.
package struct MessageDecoder {
  private static let fields = NameTable(WireField.allCases.map { ("\($0)", $0) })
  private static let kinds = NameTable(EntityKind.names)
  private static let changes = NameTable([("CREATE", ChangeKind.create), ("UPDATE", .update), ("DELETE", .delete)])

  private enum Envelope: CaseIterable {
    case version, messageType, records, changeType, entityType, _type, id, changedProperties, entity
  }

  private static let envelope = NameTable(Envelope.allCases.map { ("\($0)", $0) })

  private let fields = Self.fields
  let kinds = Self.kinds
  let changes = Self.changes
  private let envelope = Self.envelope

  package init() {}

  /// Decodes all messages of a frame into the batch, behind what it holds.
  package func decode(_ frame: TransportFrame, into batch: inout FeedBatch) {
    frame.bytes.withUnsafeBufferPointer { bytes in
      switch frame.framing {
      case .message: decode(message: bytes, into: &batch)
      case .lines:
        var start = 0
        while start < bytes.count {
          let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
          decode(message: UnsafeBufferPointer(rebasing: bytes[start..<end]), into: &batch)
          start = end + 1
        }
      }
    }
  }

  /// Decodes one JSON text. White space alone is no message and no error.
  func decode(message bytes: UnsafeBufferPointer<UInt8>, into batch: inout FeedBatch) {
    var cursor = JSONCursor(bytes)
    if cursor.peek() == 0 { return }
    let mark = (batch.records.count, batch.properties.count, batch.texts.count)
    do {
      let message = try self.message(&cursor, &batch)
      guard cursor.peek() == 0 else { throw JSONCursor.Fault.syntax }
      if let message { batch.messages.append(message) }
    } catch {
      batch.unparsable += 1
      batch.records.removeSubrange(mark.0...)
      batch.properties.removeSubrange(mark.1...)
      batch.texts.removeSubrange(mark.2...)
    }
  }

  private func message(_ cursor: inout JSONCursor, _ batch: inout FeedBatch) throws(JSONCursor.Fault)
    -> FeedBatch.Message?
  {
    var kind: MessageKind? = .update
    var version: Int64?
    let start = batch.records.count
    guard try cursor.enter(UInt8(ascii: "{"), close: UInt8(ascii: "}")) else { return nil }
    repeat {
      let key = try cursor.string().bytes
      try cursor.expect(UInt8(ascii: ":"))
      switch envelope[key] {
      case .version: version = try time(&cursor)
      case .messageType: kind = try messageKind(&cursor)
      case .records: try records(&cursor, &batch)
      default: try cursor.skip()
      }
    } while try cursor.more(until: UInt8(ascii: "}"))
    guard let kind else { return nil }
    return FeedBatch.Message(kind: kind, version: version, records: start..<batch.records.count)
  }

  /// Nil for a kind that nobody has seen yet, or where the value is no string.
  private func messageKind(_ cursor: inout JSONCursor) throws(JSONCursor.Fault) -> MessageKind? {
    guard cursor.peek() == UInt8(ascii: "\"") else {
      try cursor.skip()
      return nil
    }
    let name = try cursor.string().bytes
    if name.elementsEqual("UPDATE".utf8) { return .update }
    return name.elementsEqual("INITIAL_DUMP".utf8) ? .dump : nil
  }

  private func records(_ cursor: inout JSONCursor, _ batch: inout FeedBatch) throws(JSONCursor.Fault) {
    guard try cursor.enter(UInt8(ascii: "["), close: UInt8(ascii: "]")) else { return }
    repeat {
      if cursor.peek() == UInt8(ascii: "{") { try record(&cursor, &batch) } else { try cursor.skip() }
    } while try cursor.more(until: UInt8(ascii: "]"))
  }

  /// A record of a dump has its fields beside `_type`; one of an update has them in `entity` or
  /// `changedProperties`, beside `entityType` and `changeType`.
  private func record(_ cursor: inout JSONCursor, _ batch: inout FeedBatch) throws(JSONCursor.Fault) {
    var record = FeedBatch.Record(change: .create, kind: .other, id: nil, properties: 0..<0)
    var entityID: UInt64?
    var isKnownChange = true
    let start = batch.properties.count
    if try cursor.enter(UInt8(ascii: "{"), close: UInt8(ascii: "}")) {
      repeat {
        let key = try cursor.string().bytes
        try cursor.expect(UInt8(ascii: ":"))
        switch envelope[key] {
        case .changeType:
          let change = try changeKind(&cursor)
          isKnownChange = change != nil
          record.change = change ?? .update
        case .entityType, ._type: record.kind = try entityKind(&cursor)
        case .id: record.id = try id(&cursor)
        case .changedProperties, .entity: entityID = try object(&cursor, &batch)
        default: try property(key, &cursor, &batch)
        }
      } while try cursor.more(until: UInt8(ascii: "}"))
    }
    if !isKnownChange { record.kind = .other }
    record.id = record.id ?? entityID
    record.properties = start..<batch.properties.count
    batch.records.append(record)
  }

  /// The fields of a nested object; returns its id, where it has one.
  private func object(_ cursor: inout JSONCursor, _ batch: inout FeedBatch) throws(JSONCursor.Fault) -> UInt64? {
    var found: UInt64?
    guard cursor.peek() == UInt8(ascii: "{") else {
      try cursor.skip()
      return nil
    }
    guard try cursor.enter(UInt8(ascii: "{"), close: UInt8(ascii: "}")) else { return nil }
    repeat {
      let key = try cursor.string().bytes
      try cursor.expect(UInt8(ascii: ":"))
      if envelope[key] == .id { found = try id(&cursor) } else { try property(key, &cursor, &batch) }
    } while try cursor.more(until: UInt8(ascii: "}"))
    return found
  }

  private func property(
    _ key: UnsafeBufferPointer<UInt8>, _ cursor: inout JSONCursor, _ batch: inout FeedBatch
  ) throws(JSONCursor.Fault) {
    guard let field = fields[key] else { return try cursor.skip() }
    let value = try value(field.kind, &cursor, &batch.texts)
    batch.properties.append(FeedBatch.Property(field: field, value: value))
  }
}
