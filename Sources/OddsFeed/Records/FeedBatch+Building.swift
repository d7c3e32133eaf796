/// Functions that build messages and records one by one, for sources of records other than a decoder.
extension FeedBatch {
  /// Appends a message with the records that `build` appends.
  ///
  /// - Parameters:
  ///   - kind: The kind of the message.
  ///   - version: Milliseconds since 1970; nil if there is none.
  ///   - build: Appends the records.
  public mutating func appendMessage(_ kind: MessageKind, version: Int64? = nil, _ build: (inout FeedBatch) -> Void) {
    var message = Message()
    message.kind = kind
    message.version = version
    let first = records.count
    build(&self)
    message.records = first..<records.count
    messages.append(message)
  }

  /// Appends a record with the fields that `build` sets. Appends none if `build` throws.
  public mutating func appendRecord<Failure: Error>(
    _ kind: RecordKind, _ change: ChangeKind = .create, id: UInt64,
    _ build: (inout FeedBatch) throws(Failure) -> Void = { _ in }
  ) throws(Failure) {
    var record = Record()
    record.kind = kind
    record.change = change
    record.id = id
    record.offset = nil
    let first = properties.count
    try build(&self)
    record.properties = first..<properties.count
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
