package import OddsFeed

/// The server's side of one subscription: which matches the topic holds, and what to send about them.
///
/// A pure value: events of the book in, frames out. Who is in a topic follows from the book alone (the first matches by
/// start time, then id), so that at any moment the dump and the updates since add up to what a fresh dump says.
package struct TopicFeed: Sendable {
  /// Nil for a topic that the simulated feed does not know; its dump is empty and no update follows.
  let selection: TopicSelection?
  /// By slot: the id of the match that the subscriber knows, or 0.
  private var members: [Int64] = []
  /// By `SimulatedSport.rawValue`: whether the subscriber knows the sport.
  private var listed: [Bool] = []

  package init(topic: Topic) {
    selection = TopicSelection(topic: topic)
  }

  /// The INITIAL_DUMP of the topic. Updates count from here.
  package mutating func dump(of book: SimulatedBook) -> [UInt8] {
    let slots = selection?.slots(in: book) ?? []
    members = [Int64](repeating: 0, count: book.matches.count)
    for slot in slots { members[slot] = book.matches[slot].id }
    listed = SimulatedSport.allCases.map { selection?.lists($0, book.counts[$0.rawValue]) ?? false }

    var json = JSONWriter(capacity: 4096 + slots.count * 6000)
    json.object { json in
      json.messageHead(version: book.time, type: "INITIAL_DUMP")
      json.array("records") { json in
        if let selection { json.records(selection, slots, of: book) }
      }
    }
    return json.bytes
  }

  /// The UPDATE messages for what a tick did, in order; none before the dump, or where nothing of it shows here.
  package mutating func frames(for tick: BookTick, of book: SimulatedBook) -> [[UInt8]] {
    guard let selection, !members.isEmpty else { return [] }
    var messages = UpdateMessages(version: book.time)
    for change in tick.changes where members[change.slot] == change.matchID {
      messages.write(change, of: book.matches[change.slot], markets: selection.markets)
    }
    for sport in SimulatedSport.allCases where tick.sports.contains(sport) && selection.includes(sport) {
      writeCounts(selection, sport, book.counts[sport.rawValue], &messages)
    }
    if selection.mayChange(in: tick) { exchangeMembers(selection, tick, book, &messages) }
    return messages.finish()
  }

  private mutating func writeCounts(
    _ selection: TopicSelection, _ sport: SimulatedSport, _ count: SportCount, _ messages: inout UpdateMessages
  ) {
    switch (listed[sport.rawValue], selection.lists(sport, count)) {
    case (true, true):
      messages.writeCounts(sport, count)
      if !selection.hasNoMatches { messages.writeLiveNumber(sport, count) }
    case (false, true): messages.create(sport, count)
    case (true, false): messages.delete(sport)
    case (false, false): break
    }
    listed[sport.rawValue] = selection.lists(sport, count)
  }

  private mutating func exchangeMembers(
    _ selection: TopicSelection, _ tick: BookTick, _ book: SimulatedBook, _ messages: inout UpdateMessages
  ) {
    let slots = selection.slots(in: book)
    var stays = [Bool](repeating: false, count: members.count)
    for slot in slots { stays[slot] = members[slot] == book.matches[slot].id }
    for slot in members.indices where members[slot] != 0 && !stays[slot] {
      messages.delete(tick.removed[members[slot]] ?? book.matches[slot], markets: selection.markets)
      members[slot] = 0
    }
    for slot in slots where members[slot] == 0 {
      messages.create(book.matches[slot], markets: selection.markets)
      members[slot] = book.matches[slot].id
    }
  }
}
