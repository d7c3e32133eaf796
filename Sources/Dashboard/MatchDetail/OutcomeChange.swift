import OddsModel

/// An outcome that is new, has changed or is gone.
struct OutcomeChange: Sendable {
  let key: OutcomeKey
  /// The price, or nil if the outcome is gone.
  let cell: PriceCell?
  /// The previous price, or nil if the outcome is new.
  let before: PriceCell?

  /// Returns the outcomes that differ between two states. Relies on the order of markets, which ascend by id.
  static func all(from old: Match?, to new: Match) -> [OutcomeChange] {
    var changes: [OutcomeChange] = []
    let before = old?.markets ?? []
    var index = 0
    for market in new.markets {
      while index < before.count, before[index].id < market.id {
        changes += all(from: before[index], to: nil)
        index += 1
      }
      var known: Market?
      if index < before.count, before[index].id == market.id {
        known = before[index]
        index += 1
      }
      // NB: unchanged markets share their array of outcomes and compare in constant time, which keeps this fast for a
      // match of a thousand markets.
      if let known, known == market { continue }
      changes += all(from: known, to: market)
    }
    return changes + before.dropFirst(index).flatMap { all(from: $0, to: nil) }
  }

  private static func all(from old: Market?, to new: Market?) -> [OutcomeChange] {
    var known: [OutcomeKey: PriceCell] = [:]
    if let old {
      for outcome in old.outcomes {
        known[OutcomeKey(outcome, in: old)] = PriceCell(outcome, in: old)
      }
    }
    var changes: [OutcomeChange] = []
    if let new {
      for outcome in new.outcomes {
        let key = OutcomeKey(outcome, in: new)
        let cell = PriceCell(outcome, in: new)
        let before = known.removeValue(forKey: key)
        if cell != before { changes.append(OutcomeChange(key: key, cell: cell, before: before)) }
      }
    }
    return changes + known.map { OutcomeChange(key: $0, cell: nil, before: $1) }
  }
}
