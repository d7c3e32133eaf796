import JSONText
package import OddsModel

/// The server's side of one subscription: the matches of a topic and the messages about them.
///
/// A value type that turns changes of the book into messages. The matches of a topic depend on the book alone (the
/// first by start time, then id), so that at any moment the dump plus the updates since equals a new dump.
package struct TopicFeed: Sendable {
  /// The matches and markets of the topic; nil if the feed does not have it: the dump is empty, without updates.
  let selection: TopicSelection?
  /// The ids of the matches that the subscriber has, by slot; 0 for none.
  private var members: [Int64] = []
  /// True for each sport that the subscriber has, by `SimulatedSport.rawValue`.
  private var listed: [Bool] = []

  package init(topic: Topic) { selection = TopicSelection(topic: topic) }

  /// Begins at the current state of the book, without writing it: the subscriber has or gets the dump of this moment,
  /// or a later one. Updates refer to it.
  package mutating func start(in book: SimulatedBook) {
    members = [Int64](repeating: 0, count: book.matches.count)
    for slot in selection?.slots(in: book) ?? [] { members[slot] = book.matches[slot].id }
    listed = SimulatedSport.allCases.map { selection?.lists($0, book.counts[$0.rawValue]) ?? false }
  }

  /// Returns a copy of the current contents of the topic.
  func contents(in book: SimulatedBook) -> TopicContents { TopicContents(selection: selection, book: book) }

  /// Returns the INITIAL_DUMP of the topic. It does not depend on the subscriber.
  package func dump(of book: SimulatedBook) -> [UInt8] { contents(in: book).dump }

  /// Returns the UPDATE messages for the changes of a tick, in order. Empty before `start(in:)`.
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
      messages.update("SPORT", sport.id) { $0.sportCounters(count) }
      if selection.hasNoMatches { break }
      messages.update("LIVE_MATCHES_NUMBER", SimulatedRecordID.liveNumber(sport)) {
        $0.field("number", Int64(count.live))
      }
    case (false, true): messages.create("SPORT", sport.id) { $0.sportFields(sport, count) }
    case (true, false): messages.delete("SPORT", sport.id)
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
