import OddsModel

/// The watch lists of the user. There is always a first one, which cannot be deleted.
struct WatchLists: Hashable, Sendable {
  enum PinResult: Hashable {
    case pinned, unpinned
    /// The list has no room for another match.
    case full
  }

  /// The most lists that the user can make.
  static let limit = 100

  private(set) var lists: [WatchList]
  /// The index of the current list: the one opened or named last. Its matches are at the top of their channels.
  private(set) var current = 0
  /// The indices of the lists that have each match.
  private var indices: [MatchID: [Int]] = [:]

  /// Creates the lists that an earlier run has kept. `current` is the name of the current one.
  init(_ lists: [WatchList] = [], current name: String? = nil) {
    self.lists = lists.isEmpty ? [WatchList(name: "")] : lists
    if let name { current = self.lists.firstIndex { $0.isCalled(name) } ?? 0 }
    indexMatches()
  }

  /// The pins of the current list.
  var pins: Pins { lists[current].pins }

  /// True if no list has a match.
  var isEmpty: Bool { indices.isEmpty }

  mutating func select(_ index: Int) { current = index }

  /// Adds an empty list. Returns its index.
  mutating func add(_ name: String) -> Int {
    lists.append(WatchList(name: name))
    return lists.count - 1
  }

  mutating func rename(_ index: Int, to name: String) { lists[index].name = name }

  /// Deletes a list. If it is the current one, the first list becomes current.
  mutating func remove(_ index: Int) {
    precondition(index > 0, "the first watch list stays")
    lists.remove(at: index)
    if current == index { current = 0 } else if current > index { current -= 1 }
    indexMatches()
  }

  /// Pins a match in a list with its prices to watch, or unpins it.
  mutating func toggle(_ id: MatchID, _ offers: [OfferID], in index: Int) -> PinResult {
    if lists[index].pins.contains(id) {
      release([id], from: index)
      return .unpinned
    }
    guard lists[index].pins.pin(id, offers) else { return .full }
    indices[id, default: []].append(index)
    return .pinned
  }

  /// Unpins matches of a list.
  mutating func release(_ matches: [MatchID], from index: Int) {
    for id in matches {
      lists[index].pins.release(id)
      indices[id]?.removeAll { $0 == index }
      if indices[id]?.isEmpty == true { indices[id] = nil }
    }
  }

  /// Replaces the prices to watch of a match in all lists that have it. A list without room keeps the former ones.
  mutating func update(_ id: MatchID, _ offers: [OfferID]) {
    for index in indices[id] ?? [] { lists[index].pins.pin(id, offers) }
  }

  /// Returns true if a list has the match.
  func contains(_ id: MatchID) -> Bool { indices[id] != nil }

  private mutating func indexMatches() {
    indices = [:]
    for (index, list) in lists.enumerated() {
      for id in list.pins.offers.keys { indices[id, default: []].append(index) }
    }
  }
}
