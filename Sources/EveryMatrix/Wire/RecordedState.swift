import JSONText
import OddsFeed

/// The accumulated state of a topic's messages, from which a dump can be made at any moment of a recording.
///
/// A client that starts with that dump and the messages of `takePending` shows the same as one that received all
/// messages. A `ChannelState` determines which records exist and their fields. Fields and types that it does not keep
/// are passed on as sent.
package struct RecordedState {
  private struct Key: Hashable {
    let kind: RecordKind
    let id: UInt64
  }

  private var channel = ChannelState()
  private var decoder = MessageDecoder()
  private var batch = FeedBatch()
  /// The fields that the channel does not keep, by record.
  private var extras: [Key: Fields] = [:]
  /// The records of types that the channel does not keep, in order of arrival within each type.
  private var others: [(type: [UInt8], records: OtherRecords)] = []
  /// Changes that are pending until the CREATE of their record, as sent.
  private var pending: [Key: [(version: Int64?, record: [UInt8])]] = [:]
  /// True if `dumpBuilder` was called since the last call of `takePending`.
  private var owesPending = false

  package init() {}

  /// Applies a message.
  package mutating func apply(_ message: UnsafeBufferPointer<UInt8>) {
    decoder.decode(message, 0..<message.count, into: &batch)
    defer { batch.removeAll() }
    channel.apply(batch)
    for index in batch.messages.indices {
      let head = batch.messages[index]
      if head.kind == .dump {
        extras = [:]
        others = []
        pending = [:]
      }
      for at in head.records { add(batch.records[at], of: head, message) }
    }
    if !pending.isEmpty { pending = pending.filter { channel.hasPendingChange($0.key.kind, $0.key.id) } }
  }

  /// Returns the current state as an INITIAL_DUMP.
  package mutating func dump() -> [UInt8] {
    extras = extras.filter { channel.hasRecord($0.key.kind, $0.key.id) }
    var state = FeedBatch()
    channel.appendDump(to: &state)
    var json = JSONWriter()
    json.dump(state.messages[0], of: state) { record, json in
      extras[Key(kind: record.kind, id: record.rawID)]?.write(into: &json)
    } records: { json in
      for (_, records) in others { for case let record? in records.records { json.element(copying: record) } }
    }
    return json.bytes
  }

  /// Returns a function that builds an INITIAL_DUMP of the state as it is now. A client that gets it also needs the
  /// messages of `takePending`, before any other.
  package mutating func dumpBuilder() -> @Sendable () -> [UInt8] {
    owesPending = true
    let state = self
    return {
      var state = state
      return state.dump()
    }
  }

  /// Returns the messages that a client needs in addition to the dumps of `dumpBuilder` so far. Other clients know them
  /// already, and they change nothing there.
  package mutating func takePending() -> [[UInt8]] {
    defer { owesPending = false }
    return owesPending ? pendingUpdates : []
  }

  /// Returns true if the dumps of both states have the same records with the same fields, in any order. The state of
  /// pending changes does not count. Takes as long as two dumps.
  package func hasSameRecords(as other: RecordedState) -> Bool { recordSet == other.recordSet }

  /// The records of a dump as JSON texts, each with its fields in the order of their names and without null.
  private var recordSet: Set<[UInt8]> {
    var state = self
    let dump = state.dump()
    var records: Set<[UInt8]> = []
    dump.withUnsafeBufferPointer { bytes in
      var cursor = JSONCursor(bytes)
      try? cursor.fields { key, cursor throws(JSONError) in
        guard key.equals("records") else {
          try cursor.skip()
          return true
        }
        var another = try cursor.enter(UInt8(ascii: "["), close: UInt8(ascii: "]"))
        while another {
          records.insert(Fields(UnsafeBufferPointer(rebasing: bytes[try cursor.value()])).sortedJSON)
          another = try cursor.more(until: UInt8(ascii: "]"))
        }
        return true
      }
    }
    return records
  }

  /// Updates that a client needs in addition to the dump: changes that are pending until the CREATE of their record.
  private var pendingUpdates: [[UInt8]] {
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

  /// Adds a record. Its fields are beside `_type` in a dump, and in `entity` or `changedProperties` in an update.
  private mutating func add(
    _ record: FeedBatch.Record, of message: FeedBatch.Message, _ bytes: UnsafeBufferPointer<UInt8>
  ) {
    guard let offset = record.offset else { return }
    var cursor = JSONCursor(bytes, offset..<bytes.count)
    guard let range = try? cursor.value() else { return }
    let text = UnsafeBufferPointer(rebasing: bytes[range])
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
    let index = others.firstIndex { $0.type == name } ?? others.count
    if index == others.count { others.append((name, OtherRecords())) }
    switch isDump ? nil : fields["changeType"].map({ String(decoding: $0, as: UTF8.self) }) {
    case nil, "\"CREATE\"": others[index].records.put(content.typed(type).json, id)
    case "\"UPDATE\"": others[index].records.merge(content, id)
    case "\"DELETE\"": others[index].records.remove(id)
    default: break
    }
  }
}

/// The records of a type that the channel does not keep, as sent.
private struct OtherRecords {
  /// The indices in `records`, by id.
  private var indices: [[UInt8]: Int] = [:]
  /// JSON objects in order of arrival; nil for a deleted one.
  private(set) var records: [[UInt8]?] = []

  mutating func put(_ record: [UInt8], _ id: [UInt8]) {
    if let index = indices[id] {
      records[index] = record
    } else {
      indices[id] = records.count
      records.append(record)
    }
  }

  mutating func merge(_ changed: Fields, _ id: [UInt8]) {
    guard let index = indices[id], let old = records[index] else { return }
    var merged = old.withUnsafeBufferPointer { Fields($0) }
    merged.merge(changed)
    records[index] = merged.json
  }

  mutating func remove(_ id: [UInt8]) {
    guard let index = indices.removeValue(forKey: id) else { return }
    records[index] = nil
    compact()
  }

  /// Removes the entries of deleted records once they are the majority.
  private mutating func compact() {
    guard records.count > 32, indices.count * 2 < records.count else { return }
    let order = indices.sorted { $0.value < $1.value }
    records = order.map { records[$0.value] }
    indices = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1.key, $0) })
  }
}

/// The raw fields of a JSON object, in order.
private struct Fields {
  private var fields: [(key: [UInt8], value: [UInt8])] = []

  init() {}

  init(_ object: UnsafeBufferPointer<UInt8>) {
    var cursor = JSONCursor(object)
    try? cursor.fields { key, cursor throws(JSONError) in
      fields.append((Array(key), Array(object[try cursor.value()])))
      return true
    }
  }

  subscript(key: String) -> [UInt8]? { fields.first { $0.key.elementsEqual(key.utf8) }?.value }

  /// Returns the fields under `entity` or `changedProperties`; nil if there are none.
  func content(_ change: ChangeKind) -> Fields? {
    self[change == .update ? "changedProperties" : "entity"].map { $0.withUnsafeBufferPointer { Fields($0) } }
  }

  /// Returns the fields without those that the channel keeps for such a record and those common to all records. Names
  /// with an escape are removed too, because they may stand for any name.
  func without(_ kind: RecordKind) -> Fields {
    let kept = kind.keptFields
    var rest = self
    rest.fields.removeAll { key, _ in
      let name = String(decoding: key, as: UTF8.self)
      return Self.frame.contains(name) || kept.contains(name) || name.contains("\\")
    }
    return rest
  }

  private static let frame: Set<String> = ["_type", "id", "entityType", "changeType", "entity", "changedProperties"]

  /// Returns the fields with `_type` added if it is missing.
  func typed(_ type: [UInt8]) -> Fields {
    var typed = self
    if self["_type"] == nil { typed.set(Array("_type".utf8), type) }
    return typed
  }

  func write(into json: inout JSONWriter) {
    for (key, value) in fields { json.field(copying: key, value) }
  }

  /// Merges changed fields. A null removes its field (Records.md).
  mutating func merge(_ changed: Fields) {
    for (key, value) in changed.fields {
      if value.elementsEqual("null".utf8) { fields.removeAll { $0.key == key } } else { set(key, value) }
    }
  }

  private mutating func set(_ key: [UInt8], _ value: [UInt8]) {
    if let index = fields.firstIndex(where: { $0.key == key }) {
      fields[index].value = value
    } else {
      fields.append((key, value))
    }
  }

  var sortedJSON: [UInt8] {
    var sorted = self
    sorted.fields.removeAll { $0.value.elementsEqual("null".utf8) }
    sorted.fields.sort { $0.key.lexicographicallyPrecedes($1.key) }
    return sorted.json
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
