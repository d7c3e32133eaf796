/// Turns the feed's JSON into batches of flat records (FEED.md §2, §3).
///
/// Unknown keys, types and message kinds are stepped over; what is no JSON is counted in `FeedBatch.unparsable`.
package struct MessageDecoder {
  enum Key: Sendable {
    case changeType, entityType, id, content
    case field(WireField)
  }

  private enum Envelope: CaseIterable {
    case version, messageType, records, receivedAt, message
  }

  private static let keys = NameTable<Key>(
    [
      ("changeType", .changeType), ("entityType", .entityType), ("_type", .entityType), ("id", .id),
      ("changedProperties", .content), ("entity", .content),
    ] + WireField.allCases.map { ("\($0)", .field($0)) })
  private static let kinds = NameTable(EntityKind.names)
  private static let changes = NameTable([("CREATE", ChangeKind.create), ("UPDATE", .update), ("DELETE", .delete)])
  private static let envelope = NameTable(Envelope.allCases.map { ("\($0)", $0) })

  private let keys = Self.keys
  let kinds = Self.kinds
  let changes = Self.changes
  private let envelope = Self.envelope

  package init() {}

  /// Decodes all messages of a frame into the batch, behind what it holds.
  package func decode(_ frame: TransportFrame, into batch: inout FeedBatch) {
    frame.bytes.withUnsafeBufferPointer { bytes in
      guard bytes.count < UInt32.max else {
        batch.unparsable += 1
        return
      }
      switch frame.framing {
      case .message: decode(bytes, 0..<bytes.count, into: &batch)
      case .lines:
        var start = 0
        while start < bytes.count {
          let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
          decode(bytes, start..<end, into: &batch)
          start = end + 1
        }
      }
    }
  }

  /// Decodes the JSON text in `bytes[range]`, in less than 4 GiB of bytes. White space alone is no message and no error.
  package func decode(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, into batch: inout FeedBatch) {
    var cursor = JSONCursor(bytes, range)
    if cursor.peek() == 0 { return }
    let mark = (batch.records.count, batch.properties.count, batch.text.count)
    do {
      let message = try self.message(&cursor, &batch, depth: 0)
      guard cursor.peek() == 0 else { throw JSONCursor.Fault.syntax }
      if let message { batch.messages.append(message) }
    } catch {
      batch.unparsable += 1
      batch.records.removeSubrange(mark.0...)
      batch.properties.removeSubrange(mark.1...)
      batch.text.removeSubrange(mark.2...)
    }
  }

  /// A message, or a recording's line around one: `{"receivedAt":ms,"topic":…,"message":{…}}`.
  private func message(_ cursor: inout JSONCursor, _ batch: inout FeedBatch, depth: Int) throws(JSONCursor.Fault)
    -> FeedBatch.Message?
  {
    var kind: MessageKind? = .update
    var version: Int64?
    var receivedAt: Int64?
    var inner: FeedBatch.Message??
    let start = batch.records.count
    guard try cursor.enter(UInt8(ascii: "{"), close: UInt8(ascii: "}")) else { return nil }
    repeat {
      let (name, bytes) = try cursor.name()
      try cursor.expect(UInt8(ascii: ":"))
      switch envelope.value(name, bytes) {
      case .version: version = try time(&cursor)
      case .messageType: kind = try messageKind(&cursor)
      case .records: try records(&cursor, &batch)
      case .receivedAt: receivedAt = try time(&cursor)
      case .message where depth == 0 && cursor.peek() == UInt8(ascii: "{"):
        inner = .some(try message(&cursor, &batch, depth: 1))
      default: try cursor.skip()
      }
    } while try cursor.more(until: UInt8(ascii: "}"))
    if var inner {
      inner?.receivedAt = receivedAt
      return inner
    }
    guard let kind else {
      batch.records.removeSubrange(start...)
      return nil
    }
    return FeedBatch.Message(
      kind: kind, version: version, receivedAt: receivedAt, records: start..<batch.records.count)
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
    guard cursor.peek() == UInt8(ascii: "[") else { return try cursor.skip() }
    guard try cursor.enter(UInt8(ascii: "["), close: UInt8(ascii: "]")) else { return }
    repeat {
      if cursor.peek() == UInt8(ascii: "{") { try record(&cursor, &batch) } else { try cursor.skip() }
    } while try cursor.more(until: UInt8(ascii: "]"))
  }

  /// A record of a dump has its fields beside `_type`; one of an update has them in `entity` or
  /// `changedProperties`, beside `entityType` and `changeType`.
  private func record(_ cursor: inout JSONCursor, _ batch: inout FeedBatch) throws(JSONCursor.Fault) {
    var record = FeedBatch.Record()
    var contentID = RawID.none
    record.offset = UInt32(truncatingIfNeeded: cursor.at)
    record.firstProperty = UInt32(truncatingIfNeeded: batch.properties.count)
    if try cursor.enter(UInt8(ascii: "{"), close: UInt8(ascii: "}")) {
      repeat {
        let (name, bytes) = try cursor.name()
        try cursor.expect(UInt8(ascii: ":"))
        switch keys.value(name, bytes) {
        case .field(let field): try property(field, &cursor, &batch)
        case .changeType:
          let change = try changeKind(&cursor)
          record.isUnknownChange = change == nil
          record.change = change ?? .update
        case .entityType: record.kind = try entityKind(&cursor)
        case .id: record.rawID = try id(&cursor)
        case .content: contentID = try content(&cursor, &batch)
        case nil: try cursor.skip()
        }
      } while try cursor.more(until: UInt8(ascii: "}"))
    }
    if record.rawID == RawID.none { record.rawID = contentID }
    record.endProperty = UInt32(truncatingIfNeeded: batch.properties.count)
    batch.records.append(record)
  }

  /// The fields of a nested object; returns its id, where it has one.
  @inline(__always)
  private func content(_ cursor: inout JSONCursor, _ batch: inout FeedBatch) throws(JSONCursor.Fault) -> UInt64 {
    var found = RawID.none
    guard cursor.peek() == UInt8(ascii: "{") else {
      try cursor.skip()
      return found
    }
    guard try cursor.enter(UInt8(ascii: "{"), close: UInt8(ascii: "}")) else { return found }
    repeat {
      let (name, bytes) = try cursor.name()
      try cursor.expect(UInt8(ascii: ":"))
      switch keys.value(name, bytes) {
      case .field(let field): try property(field, &cursor, &batch)
      case .id: found = try id(&cursor)
      default: try cursor.skip()
      }
    } while try cursor.more(until: UInt8(ascii: "}"))
    return found
  }

  @inline(__always)
  private func property(_ field: WireField, _ cursor: inout JSONCursor, _ batch: inout FeedBatch)
    throws(JSONCursor.Fault)
  {
    let value = try value(field.kind, &cursor, &batch.text)
    batch.properties.append(FeedBatch.Property(field: field, value: value))
  }
}
