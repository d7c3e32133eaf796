import EveryMatrix
import OddsModel

/// The part of the book that a topic includes.
struct TopicSelection: Sendable {
  enum Matches: Sendable {
    /// The first matches of a list by start time, then id, up to a number.
    case first(Int, Topic.MatchList)
    case one(Int64)
    /// The matches that have one of these offers.
    case ofOffers(Set<Int64>)
    case none
  }

  private let matches: Matches
  /// The markets and offers of these matches.
  let markets: MarketFilter
  /// The only sport; nil for every sport.
  private let sport: SimulatedSport?
  /// True if a sport is listed only while it has a match in progress.
  private let liveSportsOnly: Bool

  /// Creates the selection of a topic; nil if its kind is unknown or the book does not have its sport.
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
      let offers = Set(ids.compactMap { Int64($0) })
      matches = .ofOffers(offers)
      markets = .offers(offers)
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

  /// Returns true if the topic currently has a record of the sport.
  func lists(_ sport: SimulatedSport, _ count: SportCount) -> Bool {
    includes(sport) && (!liveSportsOnly || count.live > 0)
  }

  /// Returns false if the topic is that of a match that the book does not have.
  func exists(in book: SimulatedBook) -> Bool {
    guard case .one(let id) = matches else { return true }
    return book.slot(ofMatch: id) != nil
  }

  /// True if the topic has sports only.
  var hasNoMatches: Bool { if case .none = matches { true } else { false } }

  /// Returns true if a tick may have changed the matches of the topic.
  func mayChange(in tick: BookTick) -> Bool {
    if !tick.sports.isEmpty { return true }
    guard case .ofOffers = matches else { return false }
    return tick.changes.contains { if case .lineReplaced = $0.kind { true } else { false } }
  }

  func slots(in book: SimulatedBook) -> [Int] {
    switch matches {
    case .first(let most, let kind): first(most, kind, in: book)
    case .one(let id): book.slot(ofMatch: id).map { [$0] } ?? []
    case .ofOffers(let ids):
      Set(ids.compactMap(book.slot(ofOffer:)))
        .filter { slot in book.matches[slot].markets.contains { markets.includes($0) } }
        .sorted(by: book.comesBefore)
    case .none: []
    }
  }

  private func first(_ most: Int, _ kind: Topic.MatchList, in book: SimulatedBook) -> [Int] {
    var slots: [Int] = []
    for slot in book.order where slots.count < most {
      // NB: Read single fields here and do not pass the match: with 20,000 matches, copies would take most of a tick.
      if includes(book.matches[slot].sport), Self.includes(kind, book.matches[slot].isUpcoming) { slots.append(slot) }
    }
    return slots
  }

  /// Returns true if a list includes a match. An ended match stays in the live list until its removal.
  private static func includes(_ kind: Topic.MatchList, _ isUpcoming: Bool) -> Bool {
    switch kind {
    case .live: !isUpcoming
    case .next: isUpcoming
    case .popular: true
    }
  }
}
