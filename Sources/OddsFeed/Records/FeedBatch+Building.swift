/// Functions that build messages and records one by one, for sources of records other than a decoder.
extension FeedBatch {
  /// Appends a message with the records that `build` appends.
  ///
  /// - Parameter version: Milliseconds since 1970; nil if there is none.
  public mutating func appendMessage(
    _ kind: MessageKind, version: Int64? = nil, _ build: (inout FeedBatch) -> Void
  ) {
    var message = Message()
    message.kind = kind
    message.rawVersion = version ?? absentNumber
    message.firstRecord = records.count
    build(&self)
    message.endRecord = records.count
    messages.append(message)
  }

  /// Appends a record with the fields that `build` sets.
  public mutating func appendRecord(
    _ kind: RecordKind, _ change: ChangeKind = .create, id: UInt64, _ build: (inout FeedBatch) -> Void = { _ in }
  ) {
    var record = Record()
    record.kind = kind
    record.change = change
    record.rawID = id
    record.rawOffset = Self.noOffset
    record.firstProperty = UInt32(properties.count)
    build(&self)
    record.endProperty = UInt32(properties.count)
    records.append(record)
  }

  /// Sets a field of the record that is being built.
  public mutating func set(_ field: RecordField, _ value: FieldValue) {
    properties.append(Property(field: field, value: value))
  }

  /// Sets a text of the record that is being built.
  public mutating func set(_ field: RecordField, text value: some Sequence<UInt8>) {
    let start = UInt32(text.count)
    text.append(contentsOf: value)
    set(field, .text(TextRange(start: start, count: UInt32(text.count) - start)))
  }
}
