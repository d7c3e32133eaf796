import OddsFeed

/// What a topic asks for, of the book.
struct TopicSelection: Sendable {
  /// Which matches.
  enum Matches: Sendable {
    /// The first by start time, then id, and no more than that many.
    case first(Int, Topic.MatchList)
    case one(Int64)
    /// Those that have one of the selection's offers.
    case ofOffers
    case none
  }

  private let matches: Matches
  /// Which markets and offers of them.
  let markets: MarketFilter
  /// Nil stands for every sport.
  private let sport: SimulatedSport?
  /// Whether a sport is listed only while it has a match in progress.
  private let liveSportsOnly: Bool

  /// Nil where the topic is of no known kind, or of a sport that the book does not have.
  init?(topic: Topic) {
    var sport: SimulatedSport?
    var isLiveOnly = false
    switch topic.content {
    case .aggregator(let kind, let name, let most, let markets):
      sport = SimulatedSport.allCases.first { $0.id.description == name }
      if sport == nil, name != Topic.allSports { return nil }
      matches = .first(max(0, most), kind)
      self.markets = .first(markets)
    case .match(let id):
      guard let id = Int64(id) else { return nil }
      matches = .one(id)
      markets = .first(.max)
    case .offers(let ids):
      matches = .ofOffers
      markets = .offers(Set(ids.compactMap { Int64($0) }))
    case .sports(let liveOnly):
      matches = .none
      markets = .first(0)
      isLiveOnly = liveOnly
    case nil: return nil
    }
    self.sport = sport
    liveSportsOnly = isLiveOnly
  }

  func includes(_ sport: SimulatedSport) -> Bool { self.sport == nil || self.sport == sport }

  /// Whether the sport is among the topic's records now.
  func lists(_ sport: SimulatedSport, _ count: SportCount) -> Bool {
    includes(sport) && (!liveSportsOnly || count.live > 0)
  }

  /// True where the topic is about sports alone.
  var hasNoMatches: Bool { if case .none = matches { true } else { false } }

  /// Whether other matches may be the topic's after a tick.
  func mayChange(in tick: BookTick) -> Bool {
    if !tick.sports.isEmpty { return true }
    guard case .ofOffers = matches else { return false }
    return tick.changes.contains { if case .lineReplaced = $0.kind { true } else { false } }
  }

  /// The matches, as slots of the book.
  func slots(in book: SimulatedBook) -> [Int] {
    switch matches {
    case .first(let most, let kind): first(most, kind, in: book)
    case .one(let id): book.matches.firstIndex { $0.id == id }.map { [$0] } ?? []
    case .ofOffers: book.order.filter { slot in book.matches[slot].markets.contains { markets.includes($0) } }
    case .none: []
    }
  }

  private func first(_ most: Int, _ kind: Topic.MatchList, in book: SimulatedBook) -> [Int] {
    var slots: [Int] = []
    for slot in book.order where slots.count < most {
      // NB: Not a whole match in one expression: with 20,000 of them, copies would take most of a tick.
      if includes(book.matches[slot].sport), Self.includes(kind, book.matches[slot].isUpcoming) { slots.append(slot) }
    }
    return slots
  }

  /// A match that has ended stays among the live ones until it is gone, so that its end can be seen.
  private static func includes(_ kind: Topic.MatchList, _ isUpcoming: Bool) -> Bool {
    switch kind {
    case .live: !isUpcoming
    case .next: isUpcoming
    case .popular: true
    }
  }
}
