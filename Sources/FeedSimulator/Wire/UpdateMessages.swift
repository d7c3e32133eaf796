import JSONText

/// Writes the records of one tick into as few UPDATE messages as the feed's limit allows.
struct UpdateMessages {
  /// The maximum number of records in a message of the real feed.
  static let longest = 67

  /// The version of the messages, in milliseconds since 1970.
  private let version: Int64
  private var done: [[UInt8]] = []
  private var json = JSONWriter(capacity: 0)
  private var count = 0

  init(version: Int64) {
    self.version = version
  }

  /// Keeps the next `records` records in one message if they fit into one: half of them would be an invalid state.
  mutating func keepTogether(_ records: Int) {
    if count + records > Self.longest { closeMessage() }
  }

  mutating func create(_ type: StaticString, _ id: Int64, _ fields: (inout JSONWriter) -> Void) {
    record("CREATE", type) { json in
      json.field("id", id: id)
      json.object("entity", fields)
    }
  }

  mutating func update(_ type: StaticString, _ id: Int64, _ fields: (inout JSONWriter) -> Void) {
    record("UPDATE", type) { json in
      json.field("id", id: id)
      json.object("changedProperties", fields)
    }
  }

  /// Writes an update of a sport. Only sports have short ids in the feed.
  mutating func update(_ sport: SimulatedSport, _ fields: (inout JSONWriter) -> Void) {
    record("UPDATE", "SPORT") { json in
      json.field("id", sport.id)
      json.object("changedProperties", fields)
    }
  }

  mutating func create(_ sport: SimulatedSport, _ count: SportCount) {
    record("CREATE", "SPORT") { json in
      json.field("id", sport.id)
      json.object("entity") { $0.sportFields(sport, count) }
    }
  }

  mutating func delete(_ sport: SimulatedSport) {
    record("DELETE", "SPORT") { $0.field("id", sport.id) }
  }

  mutating func delete(_ type: StaticString, _ id: Int64) {
    record("DELETE", type) { $0.field("id", id: id) }
  }

  /// Returns the messages, in order.
  mutating func finish() -> [[UInt8]] {
    closeMessage()
    return done
  }

  private mutating func record(
    _ change: StaticString, _ type: StaticString, _ fields: (inout JSONWriter) -> Void
  ) {
    keepTogether(1)
    if count == 0 { openMessage() }
    count += 1
    json.object { json in
      json.field("changeType", change)
      json.field("entityType", type)
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
