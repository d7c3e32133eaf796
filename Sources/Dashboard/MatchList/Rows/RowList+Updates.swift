import OddsHistory
import OddsModel

// The changes that the feed and the history make to the rows.
extension RowList {
  /// Applies the current state of matches: inserts new rows, and highlights moved prices in known ones. Prices are
  /// recorded for `second`, by default the second of uptime.
  mutating func update(_ matches: [Match], now: Duration, second: Int? = nil) {
    for match in matches {
      if let change = match.lastChange { newestChange = max(newestChange ?? change, change) }
    }
    let isByText = order.isByText
    var fresh: [Int] = []
    var movesAtOnce = false
    for match in matches {
      if match.mainMarket?.exchange != nil { hasSides = true }
      if let slot = slots[match.id.raw] {
        let sport = read(slot) { $0.sportID }
        if sport != match.sportID { count(match.sportID, replacing: sport) }
        let isRenamed = (isByText || groups != nil) && match.labels !== rows[slot].labels
        let (newest, format) = (newestChange, format)
        change(slot) { $0.apply(match, now: now, newest: newest, odds: format, second: second) }
        recordMoves(slot, second: second ?? now.wholeSeconds)
        if isRenamed {
          entries[slot].newName = read(slot) { order.name(of: $0) }
          entries[slot].newKey.group = groupNumber(slot)
        }
        entries[slot].newKey = currentKey(slot)
        entries[slot].isMatch = predicate?(rows[slot]) ?? true
        if groups != nil { updateGroup(slot, now: now) }
        if !entries[slot].isSettled {
          markDirty(slot)
          if !entries[slot].isSettledButForClock { movesAtOnce = true }
        }
      } else {
        count(match.sportID, replacing: nil)
        let recorded = openings.isEmpty ? nil : openings[match.id]
        let slot = add(
          MatchRow(match, now: now, newest: newestChange, second: second, recorded: recorded ?? RecordedOpenings()))
        recordMoves(slot, second: second ?? now.wholeSeconds)
        fresh.append(slot)
      }
    }
    groups?.rank()
    place(fresh)
    updateLines()
    // Applied at once in time order: start times seldom change, and a row that begins to fit has a fixed rank there.
    // Match clocks change each minute, one after the other, so their moves wait as in any other order.
    if order.key == .time, movesAtOnce { applyMoves() }
  }

  /// Applies opening prices that the history has read.
  mutating func apply(_ batch: OpeningBatch) {
    for id in batch.gone { openings[id] = nil }
    var changed: Set<MatchID> = []
    for price in batch.prices {
      openings[price.match, default: RecordedOpenings()].add(
        price.odds, of: OutcomeKey(market: price.market, outcome: price.outcome))
      changed.insert(price.match)
    }
    for id in changed {
      guard let slot = slots[id.raw], let recorded = openings[id] else { continue }
      change(slot) { $0.apply(recorded) }
      entries[slot].newKey = currentKey(slot)
      entries[slot].isMatch = predicate?(rows[slot]) ?? true
      if !entries[slot].isSettled { markDirty(slot) }
    }
  }
}
