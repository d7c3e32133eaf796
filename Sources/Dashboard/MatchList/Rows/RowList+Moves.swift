import OddsModel

// The recent changes of the favourites' prices. Nothing is recorded while neither a column nor the order shows them.
extension RowList {
  /// Starts to record the prices of favourites, or stops.
  mutating func trackMoves(_ isTracked: Bool, knownSince start: Int, second: Int) {
    guard isTracked != (favouriteMoves != nil) else { return }
    favouriteMoves = isTracked ? FavouriteMoves(knownSince: start) : nil
    for slot in slots.values {
      favouriteMoves?.reset(slot)
      change(slot) { $0.moves = RecentMoves() }
      recordMoves(slot, second: second)
    }
  }

  /// Applies the changes that are due because time has passed.
  mutating func refreshMoves(second: Int) {
    for slot in favouriteMoves?.dueSlots(at: second) ?? [] {
      guard isUsed(slot) else {
        favouriteMoves?.reset(slot)
        continue
      }
      let moves = favouriteMoves?.moves(of: slot, at: second) ?? RecentMoves()
      guard moves != read(slot, { $0.moves }) else { continue }
      change(slot) { $0.moves = moves }
      entries[slot].newKey = currentKey(slot)
      if !entries[slot].isSettled { markDirty(slot) }
    }
  }
}
