import Algorithms

// The creation of matches.
extension SimulatedBook {
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
    matches[slot] = match
    fixtureNumbers[slot] = fixtureNumber
    order.removeAll { $0 == slot }
    order.insert(slot, at: order.partitioningIndex { !comesBefore($0, slot) })
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
