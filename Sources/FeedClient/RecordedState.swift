/// What the messages of a topic add up to, record by record as they were sent: so a recording can be asked for a dump at
/// any moment. What is not as FEED.md §2 has it is passed over.
package struct RecordedState {
  fileprivate struct Table {
    /// The places in `records`, by id.
    var places: [[UInt8]: Int] = [:]
    /// JSON objects, in the order of their coming; nil for one that is gone.
    var records: [[UInt8]?] = []
  }

  /// In the order of a dump (FEED.md §2); others follow in the order of their coming.
  private static let usualTypes = [
    "SPORT", "LOCATION", "EVENT_CATEGORY", "MATCH", "EVENT_STATISTICS", "EVENT_INFO", "MARKET", "OUTCOME",
    "MARKET_OUTCOME_RELATION", "BETTING_OFFER", "MAIN_MARKET", "MARKET_INFO", "LIVE_MATCHES_NUMBER",
  ].map { Array($0.utf8) }

  private var types = RecordedState.usualTypes
  private var tables: [[UInt8]: Table] = [:]
  private var version: Int64 = 0

  package init() {}

  /// The place of the message in a recording's line: of what is under `message`, or of all of it.
  package static func message(in line: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    var shape = JSONShape(line)
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
    var records: Range<Int>?
    var isDump = false
    var shape = JSONShape(message)
    let isWhole = shape.keys { key, shape in
      guard let value = shape.value() else { return nil }
      if shape.has("records", at: key) { records = value }
      if shape.has("messageType", at: key) { isDump = shape.isText("INITIAL_DUMP", value) }
      if shape.has("version", at: key), let time = Int64(text(message[value])) { version = time }
      return true
    }
    guard isWhole, let records else { return }
    if isDump { tables = [:] }
    JSONShape(message, from: records.lowerBound).elements { add(UnsafeBufferPointer(rebasing: message[$0]), isDump) }
  }

  /// An INITIAL_DUMP of what is there.
  package var dump: [UInt8] {
    var text = Array(#"{"version":"\#(version)","format":"AGGREGATOR","messageType":"INITIAL_DUMP","records":["#.utf8)
    var isFirst = true
    for record in types.flatMap({ tables[$0]?.records ?? [] }) {
      guard let record else { continue }
      if !isFirst { text.append(UInt8(ascii: ",")) }
      isFirst = false
      text += record
    }
    return text + Array("]}".utf8)
  }

  /// A record of a dump has its fields beside `_type`, one of an update in `entity` or `changedProperties`.
  private mutating func add(_ record: UnsafeBufferPointer<UInt8>, _ isDump: Bool) {
    let fields = Fields(record)
    guard let type = fields["entityType"] ?? fields["_type"], type.count > 2 else { return }
    let name = Array(type.dropFirst().dropLast())
    switch fields["changeType"].map({ text($0[...]) }) {
    case nil: put(fields, name)
    case "CREATE": if let entity = fields["entity"] { put(entity.withUnsafeBufferPointer { Fields($0) }, name) }
    case "UPDATE":
      guard let id = fields["id"], let place = tables[name]?.places[id], let old = tables[name]?.records[place],
        let changed = fields["changedProperties"]
      else { return }
      var merged = old.withUnsafeBufferPointer { Fields($0) }
      merged.merge(changed.withUnsafeBufferPointer { Fields($0) })
      tables[name]!.records[place] = merged.json
    case "DELETE":
      guard let id = fields["id"], let place = tables[name]?.places.removeValue(forKey: id) else { return }
      tables[name]!.records[place] = nil
      tables[name]!.compact()
    default: return
    }
  }

  private mutating func put(_ fields: Fields, _ type: [UInt8]) {
    guard let id = fields["id"] else { return }
    var fields = fields
    if fields["_type"] == nil { fields["_type"] = Array("\"".utf8) + type + Array("\"".utf8) }
    if !types.contains(type) { types.append(type) }
    tables[type, default: Table()].put(fields.json, id)
  }
}

extension RecordedState.Table {
  fileprivate mutating func put(_ record: [UInt8], _ id: [UInt8]) {
    if let place = places[id] {
      records[place] = record
    } else {
      places[id] = records.count
      records.append(record)
    }
  }

  /// Gives up the places of what is gone once they are the most.
  fileprivate mutating func compact() {
    guard records.count > 32, places.count * 2 < records.count else { return }
    let order = places.sorted { $0.value < $1.value }
    records = order.map { records[$0.value] }
    places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1.key, $0) })
  }
}

/// The fields of a JSON object as they are written, in order.
private struct Fields {
  private var fields: [(key: [UInt8], value: [UInt8])] = []

  init(_ object: UnsafeBufferPointer<UInt8>) {
    var shape = JSONShape(object)
    _ = shape.keys { key, shape in
      guard let value = shape.value() else { return nil }
      fields.append((Array(object[key]), Array(object[value])))
      return true
    }
  }

  subscript(key: String) -> [UInt8]? {
    get { fields.first { $0.key.elementsEqual(key.utf8) }?.value }
    set { if let newValue { set(Array(key.utf8), newValue) } }
  }

  /// A null clears its field (FEED.md §3).
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

/// A JSON string without its quotes, as far as it needs no unescaping, or a bare word.
private func text(_ value: some Sequence<UInt8>) -> String {
  String(decoding: value.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
}

extension JSONShape {
  /// Steps over one value; its place, without the white space before it.
  fileprivate mutating func value() -> Range<Int>? {
    guard peek() != nil else { return nil }
    let start = at
    return skipValue() ? start..<at : nil
  }

  fileprivate func isText(_ text: StaticString, _ value: Range<Int>) -> Bool {
    value.count == text.utf8CodeUnitCount + 2 && has(text, from: value.lowerBound + 1)
  }

  /// The places of the elements of the array that begins here, as far as it is one.
  fileprivate consuming func elements(_ visit: (Range<Int>) -> Void) {
    guard take(UInt8(ascii: "[")), peek() != UInt8(ascii: "]") else { return }
    repeat {
      guard let place = value() else { return }
      visit(place)
    } while take(UInt8(ascii: ","))
  }
}
