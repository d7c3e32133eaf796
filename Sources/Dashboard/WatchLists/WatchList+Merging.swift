import OddsModel

extension [WatchList] {
  /// Returns these lists with the changes that another board has made to the same file.
  ///
  /// A match or a list that this board has added or removed since `base` is as this board has it. All others are as in
  /// `other`. A list that one board has deleted stays if the other one has changed it.
  ///
  /// - Parameters:
  ///   - base: The lists as this board last read or wrote them.
  ///   - other: The lists that are in the file now.
  package func merged(since base: [WatchList], with other: [WatchList]) -> [WatchList] {
    if other == base { return self }
    // NB: A file without lists has a first one that is empty.
    let first = WatchList(name: "")
    let base = base.isEmpty ? [first] : base
    let other = other.isEmpty ? [first] : other
    let bases = base.byKey
    let others = other.byKey
    var known: Set<String> = []
    var merged: [WatchList] = []
    for (index, list) in enumerated() {
      let key = key(of: index)
      known.insert(key)
      let (old, theirs) = (bases[key], others[key])
      if theirs == nil, let old, old.pins.matches == list.pins.matches, old.name == list.name { continue }
      merged.append(list.merged(since: old, with: theirs))
    }
    for (index, list) in other.enumerated() {
      let key = other.key(of: index)
      let isChanged = bases[key].map { $0.pins.matches != list.pins.matches } ?? true
      if isChanged, known.insert(key).inserted { merged.append(list) }
    }
    return merged
  }

  /// The name that identifies a list, in lower case; empty for the first list, which stays first when it is renamed.
  private func key(of index: Int) -> String { index == 0 ? "" : self[index].name.lowercased() }

  private var byKey: [String: WatchList] {
    Dictionary(indices.map { (key(of: $0), self[$0]) }) { first, _ in first }
  }
}

extension WatchList {
  /// Returns the list with the matches that another board has added or removed.
  fileprivate func merged(since base: WatchList?, with other: WatchList?) -> WatchList {
    guard let other else { return self }
    var list = self
    if let base, base.name == name { list.name = other.name }
    for id in base?.pins.matches ?? [] where !other.pins.contains(id) { list.pins.release(id) }
    for (id, offers) in other.pins.offers.sorted(by: { $0.key < $1.key }) {
      let old = base?.pins.offers[id]
      let isTheirs = pins.offers[id].map { $0 == old } ?? (old == nil)
      if isTheirs { list.pins.pin(id, offers) }
    }
    return list
  }
}
