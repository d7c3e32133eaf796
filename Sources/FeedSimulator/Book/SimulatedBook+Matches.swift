import Algorithms

// The creation of matches.
extension SimulatedBook {
  /// Fills the empty book with matches, of which three in five are in progress.
  mutating func drawMatches(_ count: Int) {
    matches.reserveCapacity(count)
    slots.reserveCapacity(count * (1 + MarketKind.allCases.count))
    for slot in 0..<count {
      let (number, fixture) = fixtures[SimulatedSport.ofMatch(slot).rawValue].draw()
      let match = slot % 5 < 3 ? running(fixture) : announced(fixture, wait: squared(upTo: 180))
      matches.append(match)
      fixtureNumbers.append(number)
      due.append(match.due)
      counts[match.sport.rawValue].add(match)
      addIDs(of: match, slot: slot)
    }
    order = matches.indices.sorted { comesBefore($0, $1) }
  }

  /// Removes all matches. Their fixtures become available again.
  mutating func removeMatches() {
    for slot in matches.indices { fixtures[matches[slot].sport.rawValue].release(fixtureNumbers[slot]) }
    matches.removeAll(keepingCapacity: true)
    slots.removeAll(keepingCapacity: true)
    fixtureNumbers.removeAll(keepingCapacity: true)
    due.removeAll(keepingCapacity: true)
    counts = counts.map { _ in SportCount() }
  }

  /// Returns the slot of a match; nil if the book does not have it.
  func slot(ofMatch id: Int64) -> Int? { slots[id].flatMap { matches[$0].id == id ? $0 : nil } }

  /// Returns the slot of the match that has an offer; nil if the book does not have the offer's market.
  func slot(ofOffer id: Int64) -> Int? { slots[Self.blockID(of: id)] }

  /// Returns a match that starts in `wait` milliseconds.
  mutating func announced(_ fixture: Fixture, wait: Int64) -> SimulatedMatch {
    var match = draft(fixture, startTime: time + wait)
    open(&match)
    return match
  }

  /// Returns a match in progress, at a random point between its first and last beat.
  mutating func running(_ fixture: Fixture) -> SimulatedMatch {
    let rules = fixture.sport.rules
    let beats = random.index(below: rules.usualBeats)
    let nextBeat = time + 1 + Int64(random.unit() * Double(rules.beat))
    var match = draft(fixture, startTime: nextBeat - Int64(beats + 1) * rules.beat)
    for _ in 0..<beats {
      let before = match.play
      guard !match.play.beat(edge: match.edge, using: &random).contains(.over) else {
        match.play = before
        break
      }
    }
    match.phase = .live(nextBeat: nextBeat, suspendedUntil: nil)
    open(&match)
    return match
  }

  /// Replaces the removed match of a slot with a new one.
  mutating func place(_ match: SimulatedMatch, fixtureNumber: Int, slot: Int) {
    removeIDs(of: matches[slot])
    addIDs(of: match, slot: slot)
    matches[slot] = match
    fixtureNumbers[slot] = fixtureNumber
    order.removeAll { $0 == slot }
    order.insert(slot, at: order.partitioningIndex { !comesBefore($0, slot) })
  }

  private mutating func addIDs(of match: SimulatedMatch, slot: Int) {
    slots[match.id] = slot
    for market in match.markets { slots[market.id] = slot }
  }

  private mutating func removeIDs(of match: SimulatedMatch) {
    slots[match.id] = nil
    for market in match.markets { slots[market.id] = nil }
  }

  private mutating func draft(_ fixture: Fixture, startTime: Int64) -> SimulatedMatch {
    let rules = fixture.sport.rules
    return SimulatedMatch(
      id: nextIDs(), fixture: fixture, startTime: startTime, edge: rules.homeEdge + rules.strength * random.bell(),
      tempo: random.unit(in: 0.85...1.15), margin: random.unit(in: rules.margin),
      play: MatchProgress(sport: fixture.sport, homeServes: random.chance(0.5)))
  }

  private mutating func open(_ match: inout SimulatedMatch) {
    let outlook = match.outlook
    match.markets = MarketKind.allCases.map { kind in
      SimulatedMarket(
        id: nextIDs(), kind: kind, outlook: outlook, hasDraw: match.sport.hasDraw, margin: match.margin, time: time)
    }
  }
}
