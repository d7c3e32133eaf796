import JSONText

/// Writes the records of one tick into UPDATE messages of at most `longest` records each. Records that must be applied
/// together are in one message if they fit into one.
struct UpdateMessages {
  /// The maximum number of records in a message of the real feed.
  static let longest = 67

  /// The version of the messages, in milliseconds since 1970.
  private let version: Int64
  private var done: [[UInt8]] = []
  private var json = JSONWriter(capacity: 0)
  private var count = 0

  init(version: Int64) { self.version = version }

  /// Keeps the next `records` records in one message if they fit into one: half of them would be an invalid state.
  mutating func keepTogether(_ records: Int) { if count + records > Self.longest { closeMessage() } }

  mutating func create(_ type: StaticString, _ id: Int64, _ fields: (inout JSONWriter) -> Void) {
    record("CREATE", type, id) { $0.object("entity", fields) }
  }

  mutating func update(_ type: StaticString, _ id: Int64, _ fields: (inout JSONWriter) -> Void) {
    record("UPDATE", type, id) { $0.object("changedProperties", fields) }
  }

  mutating func delete(_ type: StaticString, _ id: Int64) { record("DELETE", type, id) { _ in } }

  mutating func finish() -> [[UInt8]] {
    closeMessage()
    return done
  }

  private mutating func record(
    _ change: StaticString, _ type: StaticString, _ id: Int64, _ fields: (inout JSONWriter) -> Void
  ) {
    keepTogether(1)
    if count == 0 { openMessage() }
    count += 1
    json.object { json in
      json.field("changeType", change)
      json.field("entityType", type)
      json.field("id", id: id)
      fields(&json)
    }
  }

  private mutating func openMessage() {
    json = JSONWriter(capacity: 1024)
    json.openObject()
    json.messageHead(version: version, type: "UPDATE")
    json.key("records")
    json.openArray()
  }

  private mutating func closeMessage() {
    guard count > 0 else { return }
    json.closeArray()
    json.closeObject()
    done.append(json.bytes)
    count = 0
  }
}

extension JSONWriter {
  mutating func messageHead(version: Int64, type: StaticString) {
    field("version", id: version)
    field("format", "AGGREGATOR")
    field("messageType", type)
  }
}
