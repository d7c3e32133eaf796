import JSONText

/// A copy of the part of a book that a topic includes, from which the dump can be made on another thread.
struct TopicContents: Sendable {
  /// Nil if the feed does not have the topic.
  let selection: TopicSelection?
  /// The time of the book, in milliseconds since 1970.
  let time: Int64
  /// The matches of the topic, in the order of the book.
  let matches: [SimulatedMatch]
  let counts: [SportCount]
  let names: NameList

  init(selection: TopicSelection?, book: SimulatedBook) {
    self.selection = selection
    time = book.time
    matches = (selection?.slots(in: book) ?? []).map { book.matches[$0] }
    counts = book.counts
    names = book.names
  }

  /// The INITIAL_DUMP. Each access writes it anew.
  var dump: [UInt8] {
    var json = JSONWriter(capacity: 4096 + matches.count * 6000)
    json.object { json in
      json.messageHead(version: time, type: "INITIAL_DUMP")
      json.array("records") { json in
        if let selection { json.records(selection, of: self) }
      }
    }
    return json.bytes
  }
}
