import OddsFeed

/// What the messages of a topic add up to, so that a recording can be asked for a dump at any moment. A client that begins
/// with that dump shows what a client shows that was there from the start: the engine's channel says which records stand,
/// and with which fields. Fields and types that it does not keep are passed on as they were sent.
package struct RecordedState {
  private struct Key: Hashable {
    let kind: EntityKind
    let id: UInt64
  }

  private var channel = ChannelState()
  private var decoder = MessageDecoder()
  private var batch = FeedBatch()
  /// The fields of records that the channel does not keep.
  private var extras: [Key: Fields] = [:]
  /// The records of types that the channel does not keep, each type in the order of its coming.
  private var others: [(type: [UInt8], records: OtherRecords)] = []
  /// Changes that wait for the CREATE of their record, as they were sent.
  private var pending: [Key: [(version: Int64?, record: [UInt8])]] = [:]

  package init() {}

  /// The place of the message in a recording's line: of what is under `message`, or of all of it.
  package static func message(in line: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    var shape = JSONScanner(line)
    var message: Range<Int>?
    let isWhole = shape.keys { key, shape in
      guard let value = shape.value() else { return nil }
      if shape.has("message", at: key), line[value.lowerBound] == UInt8(ascii: "{") { message = value }
      return true
    }
    return isWhole ? message ?? 0..<line.count : nil
  }

  /// Takes in a message.
  package mutating func apply(_ message: UnsafeBufferPointer<UInt8>) {
    decoder.decode(message, 0..<message.count, into: &batch)
    defer { batch.removeAll() }
    channel.apply(batch)
    for place in batch.messages.indices {
      let head = batch.messages[place]
      if head.kind == .dump { (extras, others, pending) = ([:], [], [:]) }
      for at in head.records { add(batch.records[at], of: head, message) }
    }
    if !pending.isEmpty { pending = pending.filter { channel.hasPendingChange($0.key.kind, $0.key.id) } }
  }

  /// An INITIAL_DUMP of what is there.
  package mutating func dump() -> [UInt8] {
    extras = extras.filter { channel.hasRecord($0.key.kind, $0.key.id) }
    var json = JSONWriter()
    channel.writeDump(into: &json) { kind, id, json in
      extras[Key(kind: kind, id: id)]?.write(into: &json)
    } records: { json in
      for (_, records) in others { for case let record? in records.records { json.element(copying: record) } }
    }
    return json.bytes
  }

  /// What a client that begins with the dump lacks: changes that still wait for the CREATE of their record, as updates.
  package var pendingUpdates: [[UInt8]] {
    let all = pending.values.joined()
    return Set(all.map(\.version)).sorted { $0 ?? 0 < $1 ?? 0 }.map { version in
      var json = JSONWriter()
      json.object { json in
        if let version { json.field("version", id: version) }
        json.field("format", "AGGREGATOR")
        json.field("messageType", "UPDATE")
        json.array("records") { json in
          for change in all where change.version == version { json.element(copying: change.record) }
        }
      }
      return json.bytes
    }
  }

  /// A record of a dump has its fields beside `_type`, one of an update in `entity` or `changedProperties`.
  private mutating func add(
    _ record: FeedBatch.Record, of message: FeedBatch.Message, _ bytes: UnsafeBufferPointer<UInt8>
  ) {
    guard let offset = record.offset else { return }
    var shape = JSONScanner(bytes, from: offset)
    guard let place = shape.value() else { return }
    let text = UnsafeBufferPointer(rebasing: bytes[place])
    let fields = Fields(text)
    let content = fields.content(record.change) ?? fields
    if record.kind == .other { return add(fields, content, isDump: message.kind == .dump) }
    guard let id = record.id else { return }
    let key = Key(kind: record.kind, id: id)
    switch message.kind == .dump ? .create : record.change {
    case .create: extras[key] = content.without(record.kind)
    case .update where channel.hasRecord(record.kind, id):
      extras[key, default: Fields()].merge(content.without(record.kind))
    case .update: break
    case .delete: extras[key] = nil
    }
    if message.kind == .update, record.change != .create, channel.hasPendingChange(record.kind, id) {
      pending[key, default: []].append((message.version, Array(text)))
    }
  }

  private mutating func add(_ fields: Fields, _ content: Fields, isDump: Bool) {
    guard let type = fields["entityType"] ?? fields["_type"], type.count > 2, let id = fields["id"] ?? content["id"]
    else { return }
    let name = Array(type.dropFirst().dropLast())
    let place = others.firstIndex { $0.type == name } ?? others.count
    if place == others.count { others.append((name, OtherRecords())) }
    switch isDump ? nil : fields["changeType"].map({ String(decoding: $0, as: UTF8.self) }) {
    case nil, "\"CREATE\"": others[place].records.put(content.typed(type).json, id)
    case "\"UPDATE\"": others[place].records.merge(content, id)
    case "\"DELETE\"": others[place].records.remove(id)
    default: break
    }
  }
}

/// Records of a type that no channel keeps, as they were sent.
private struct OtherRecords {
  /// The places in `records`, by id.
  private var places: [[UInt8]: Int] = [:]
  /// JSON objects, in the order of their coming; nil for one that is gone.
  private(set) var records: [[UInt8]?] = []

  mutating func put(_ record: [UInt8], _ id: [UInt8]) {
    if let place = places[id] {
      records[place] = record
    } else {
      places[id] = records.count
      records.append(record)
    }
  }

  mutating func merge(_ changed: Fields, _ id: [UInt8]) {
    guard let place = places[id], let old = records[place] else { return }
    var merged = old.withUnsafeBufferPointer { Fields($0) }
    merged.merge(changed)
    records[place] = merged.json
  }

  mutating func remove(_ id: [UInt8]) {
    guard let place = places.removeValue(forKey: id) else { return }
    records[place] = nil
    compact()
  }

  /// Gives up the places of what is gone once they are the most.
  private mutating func compact() {
    guard records.count > 32, places.count * 2 < records.count else { return }
    let order = places.sorted { $0.value < $1.value }
    records = order.map { records[$0.value] }
    places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1.key, $0) })
  }
}

/// The fields of a JSON object as they are written, in order.
private struct Fields {
  private var fields: [(key: [UInt8], value: [UInt8])] = []

  init() {}

  init(_ object: UnsafeBufferPointer<UInt8>) {
    var shape = JSONScanner(object)
    _ = shape.keys { key, shape in
      guard let value = shape.value() else { return nil }
      fields.append((Array(object[key]), Array(object[value])))
      return true
    }
  }

  subscript(key: String) -> [UInt8]? { fields.first { $0.key.elementsEqual(key.utf8) }?.value }

  /// The fields under `entity` or `changedProperties`; nil where there are none.
  func content(_ change: ChangeKind) -> Fields? {
    self[change == .update ? "changedProperties" : "entity"].map { $0.withUnsafeBufferPointer { Fields($0) } }
  }

  /// Without those that a channel keeps of such a record, and those of every record. A name with an escape in it may be
  /// any.
  func without(_ kind: EntityKind) -> Fields {
    let kept = EntityKind.keptFields[kind] ?? []
    var rest = self
    rest.fields.removeAll { key, _ in
      let name = String(decoding: key, as: UTF8.self)
      return Self.frame.contains(name) || kept.contains(name) || name.contains("\\")
    }
    return rest
  }

  private static let frame: Set<String> = [
    "_type", "id", "entityType", "changeType", "entity", "changedProperties",
  ]

  /// With its type, where it does not say.
  func typed(_ type: [UInt8]) -> Fields {
    var typed = self
    if self["_type"] == nil { typed.set(Array("_type".utf8), type) }
    return typed
  }

  func write(into json: inout JSONWriter) {
    for (key, value) in fields { json.field(copying: key, value) }
  }

  /// A null clears its field (Records.md).
  mutating func merge(_ changed: Fields) {
    for (key, value) in changed.fields {
      if value.elementsEqual("null".utf8) { fields.removeAll { $0.key == key } } else { set(key, value) }
    }
  }

  private mutating func set(_ key: [UInt8], _ value: [UInt8]) {
    if let place = fields.firstIndex(where: { $0.key == key }) {
      fields[place].value = value
    } else {
      fields.append((key, value))
    }
  }

  var json: [UInt8] {
    var text = [UInt8(ascii: "{")]
    for (key, value) in fields {
      if text.count > 1 { text.append(UInt8(ascii: ",")) }
      text += Array("\"".utf8) + key + Array("\":".utf8) + value
    }
    return text + [UInt8(ascii: "}")]
  }
}

extension JSONScanner {
  /// Steps over one value; its place, without the white space before it.
  fileprivate mutating func value() -> Range<Int>? {
    guard peek() != nil else { return nil }
    let start = at
    return skipValue() ? start..<at : nil
  }
}
