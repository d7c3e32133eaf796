package import OddsFeed

/// The matches that a user has pinned, each with the prices to watch: those of its main market when it was last seen in
/// a channel.
package struct Pins: Hashable, Sendable {
  /// How many prices there is room for: they all stand in the path of one topic.
  package static let mostOffers = 200
  /// How many matches.
  package static let mostMatches = 200

  /// The offers of each pinned match; none of one whose main market has none.
  package private(set) var offers: [MatchID: [OfferID]] = [:]

  /// Nothing is pinned.
  package init() {}

  /// Those are pinned, by ascending id as far as there is room.
  package init(_ offers: [MatchID: [OfferID]]) {
    for (id, offers) in offers.sorted(by: { $0.key < $1.key }) { _ = pin(id, offers) }
  }

  package var matches: Set<MatchID> { Set(offers.keys) }

  /// Every price to watch, ascending.
  var allOffers: [OfferID] { offers.values.joined().sorted() }

  var isEmpty: Bool { offers.isEmpty }

  func contains(_ id: MatchID) -> Bool { offers[id] != nil }

  /// Pins a match, or takes the offers of one that is pinned already; false, and nothing has changed, where there is no
  /// room.
  mutating func pin(_ id: MatchID, _ new: [OfferID]) -> Bool {
    if offers[id] == new { return true }
    let others = offers.reduce(0) { $0 + ($1.key == id ? 0 : $1.value.count) }
    guard others + new.count <= Self.mostOffers, contains(id) || offers.count < Self.mostMatches else { return false }
    offers[id] = new
    return true
  }

  mutating func release(_ id: MatchID) { offers[id] = nil }
}
