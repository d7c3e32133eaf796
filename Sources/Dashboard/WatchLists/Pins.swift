import OddsModel

/// The pinned matches, each with the prices to watch: those of its main market when a channel last showed it.
struct Pins: Hashable, Sendable {
  /// The most prices in total: all of them are part of one topic's path.
  static let maxOffers = 200
  /// The most prices of a match whose main market has none in a column, so that there is room for several of them.
  static let maxOffersWithoutColumn = 40
  /// The most matches.
  static let maxMatches = 200

  /// The offers of each pinned match; empty for a match whose main market has none.
  private(set) var offers: [MatchID: [OfferID]] = [:]

  var matches: Set<MatchID> { Set(offers.keys) }

  /// The prices to watch, ascending.
  var allOffers: [OfferID] { offers.values.joined().sorted() }

  var isEmpty: Bool { offers.isEmpty }

  func contains(_ id: MatchID) -> Bool { offers[id] != nil }

  /// Pins a match, or replaces the offers of a pinned one. Returns false and changes nothing if there is no room.
  @discardableResult
  mutating func pin(_ id: MatchID, _ new: [OfferID]) -> Bool {
    if offers[id] == new { return true }
    let others = offers.reduce(0) { $0 + ($1.key == id ? 0 : $1.value.count) }
    guard others + new.count <= Self.maxOffers, contains(id) || offers.count < Self.maxMatches else { return false }
    offers[id] = new
    return true
  }

  mutating func release(_ id: MatchID) { offers[id] = nil }
}

extension Pins {
  /// Pins matches by ascending id, as far as there is room.
  init(_ offers: [MatchID: [OfferID]]) {
    for (id, offers) in offers.sorted(by: { $0.key < $1.key }) { pin(id, offers) }
  }
}
