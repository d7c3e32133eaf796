import OddsFeed

/// What an aggregator topic asks for.
struct TopicSelection: Sendable {
  let kind: Topic.Aggregator
  /// Nil stands for every sport.
  let sport: Sport?
  /// The most matches.
  let matches: Int
  /// The most markets of each match, from the result on.
  let markets: Int

  /// Nil where the topic is of another kind or of a sport that the book does not have.
  init?(topic: Topic) {
    guard let parts = topic.aggregatorParts else { return nil }
    if parts.sport == Topic.allSports {
      sport = nil
    } else if let named = Sport.allCases.first(where: { $0.id.description == parts.sport }) {
      sport = named
    } else {
      return nil
    }
    kind = parts.kind
    matches = max(0, parts.matches)
    markets = min(max(0, parts.markets), MarketKind.allCases.count)
  }

  func includes(_ sport: Sport) -> Bool {
    self.sport == nil || self.sport == sport
  }

  /// The first matches by start time, then id, as slots of the book.
  func slots(in book: SimulatedBook) -> [Int] {
    var slots: [Int] = []
    for slot in book.order where slots.count < matches {
      // NB: Not a whole match in one expression: with 20,000 of them, copies would take most of a tick.
      if includes(book.matches[slot].sport), includes(isUpcoming: book.matches[slot].isUpcoming) { slots.append(slot) }
    }
    return slots
  }

  /// A match that has ended stays among the live ones until it is gone, so that its end can be seen.
  private func includes(isUpcoming: Bool) -> Bool {
    switch kind {
    case .live: !isUpcoming
    case .next: isUpcoming
    case .popular: true
    }
  }
}
