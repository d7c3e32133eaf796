import OddsModel

/// The records that the messages being applied have changed. Each appears once, unless `mayRepeat` is true.
struct DirtySet: Sendable {
  var matches = ReusableArray<Slot>()
  var markets = ReusableArray<Slot>()
  var outcomes = ReusableArray<Slot>()
  var changes = FeedChanges()
  /// True if a record may appear twice: after a removal, or after a dump in the middle of a batch.
  var mayRepeat = false
}

extension ChannelState {
  @inline(__always)
  mutating func markDirty(offer slot: Slot) {
    let market = offers[slot].market
    if market != .none, !tracksParts { return markDirty(market: market) }
    let outcome = offers[slot].outcome
    guard outcome != .none else { return }
    markDirty(outcome: outcome)
    let relation = outcomes[outcome].relations.first
    if relation != .none, relations[relation].inOutcome.next == .none {
      offers[slot].market = relations[relation].market
    }
  }

  mutating func markDirty(outcome slot: Slot) {
    if outcomes[slot].marks.contains(.spread) { return }
    note(outcome: slot)
    outcomes[slot].marks.insert(.spread)
    var relation = outcomes[slot].relations.first
    while relation != .none {
      markDirty(market: relations[relation].market)
      relation = relations[relation].inOutcome.next
    }
  }

  @inline(__always)
  mutating func markDirty(market slot: Slot) {
    if markets[slot].marks.contains(.touched) { return }
    markets[slot].marks.insert(.touched)
    markets[slot].marks.remove(.built)
    touched.markets.append(slot)
    if tracksParts { touched.changes.markets.append(MarketID(raw: markets[slot].id)) }
    let match = markets[slot].match
    if match != .none { markDirty(match: match) }
  }

  @inline(__always)
  mutating func markDirty(match slot: Slot) {
    if !matches[slot].marks.isDisjoint(with: .touched) || !matches[slot].isPresent { return }
    matches[slot].marks.insert(.touched)
    matches[slot].marks.remove(.built)
    touched.matches.append(slot)
    touched.changes.matches.append(MatchID(raw: matches[slot].id))
  }

  /// Marks the matches of a sport as changed, because their names include the sport's name.
  mutating func markMatchesDirty(ofSport id: UInt64) {
    for slot in matches.allSlots where matches[slot].content.sportID == id {
      values.dropLabels(slot)
      markDirty(match: slot)
    }
  }

  /// Marks the markets and outcomes of a match as changed, because the match's status decides whether they are
  /// bettable.
  mutating func markMarketsDirty(ofMatch slot: Slot) {
    for market in markets.all(matches[slot].markets, MarketsOfMatch.self) {
      markDirty(market: market)
      markOutcomesDirty(ofMarket: market)
    }
  }

  /// Marks the outcomes of a market as changed, because the market's fields decide whether they are bettable.
  mutating func markOutcomesDirty(ofMarket slot: Slot) {
    guard tracksParts else { return }
    for relation in relations.all(markets[slot].relations, RelationsOfMarket.self) {
      note(outcome: relations[relation].outcome)
    }
  }

  private mutating func note(outcome slot: Slot) {
    if outcomes[slot].marks.contains(.touched) { return }
    outcomes[slot].marks.insert(.touched)
    touched.outcomes.append(slot)
    if tracksParts { touched.changes.outcomes.append(OutcomeID(raw: outcomes[slot].id)) }
  }

  /// Updates the ranks of the main betting types, and marks the markets whose rank has changed.
  mutating func mainMarketsChanged() {
    mainMarketsAreStale = false
    let ordered = mainMarkets.slots.map { mainMarkets[$0] }.sorted { $0.order < $1.order }
    let changed = values.setMainMarkets(ordered.map(\.content.bettingTypeID))
    if changed.isEmpty { return }
    for slot in markets.allSlots where changed.contains(markets[slot].content.bettingTypeID) { markDirty(market: slot) }
  }

  /// Moves the collected changes into `changes` and clears the dirty set.
  mutating func drainChanges(into changes: inout FeedChanges) {
    clearDirty()
    changes.merge(&touched.changes)
  }

  /// Clears the marks of changed records, so that later changes are recorded again.
  mutating func clearDirty() {
    for slot in touched.matches { matches[slot].marks.remove(.touched) }
    for slot in touched.markets { markets[slot].marks.remove(.touched) }
    for slot in touched.outcomes { outcomes[slot].marks.subtract([.touched, .spread]) }
    touched.matches.empty()
    touched.markets.empty()
    touched.outcomes.empty()
  }
}
