// The life cycle of a match: start, play, end and replacement.
extension SimulatedBook {
  /// Performs the next event of a match.
  mutating func step(_ slot: Int) {
    let now = due[slot]
    switch matches[slot].phase {
    case .upcoming: kickOff(slot, now)
    case .live(let nextBeat, let suspendedUntil):
      if let suspendedUntil, suspendedUntil <= now {
        matches[slot].phase = .live(nextBeat: nextBeat, suspendedUntil: nil)
        resume(slot)
      } else {
        playBeat(slot, now, suspendedUntil)
      }
    case .ended: replace(slot, now)
    }
    due[slot] = matches[slot].due
  }

  private mutating func kickOff(_ slot: Int, _ now: Int64) {
    enter(.live(nextBeat: now + beatLength(slot), suspendedUntil: nil), slot)
    record(slot, .infosOpened(matches[slot].infos))
    for market in matches[slot].markets.indices {
      for offer in matches[slot].markets[market].offers.indices { publish(.live, slot, market, offer) }
    }
  }

  private mutating func playBeat(_ slot: Int, _ now: Int64, _ suspendedUntil: Int64?) {
    let wasBreak = matches[slot].play.isBreak
    let changes = matches[slot].play.beat(edge: matches[slot].edge, using: &random)
    recordInfo(.score, slot, if: changes.contains(.score))
    recordInfo(.minute, slot, if: changes.contains(.minute))
    recordInfo(.server, slot, if: changes.contains(.server))
    guard !changes.contains(.over) else { return end(slot, now) }

    matches[slot].phase = .live(nextBeat: now + beatLength(slot), suspendedUntil: suspendedUntil)
    if changes.contains(.part) {
      record(slot, .head(matches[slot].head))
      recordInfo(.status, slot, if: true)
    }
    if matches[slot].play.isBreak != wasBreak { setAvailable(wasBreak, slot, MarketKind.handicap.rawValue) }
    if changes.contains(.shock), suspendedUntil == nil {
      suspend(slot, until: now + Int64(random.unit(in: 3_000...8_000)))
    } else if changes.contains(.minute), suspendedUntil == nil {
      for market in matches[slot].markets.indices { replaceLineIfLopsided(slot, market) }
    }
  }

  private mutating func end(_ slot: Int, _ now: Int64) {
    enter(.ended(removal: now + Int64(random.unit(in: 5_000...10_000))), slot)
    for market in matches[slot].markets.indices { close(slot, market) }
  }

  private mutating func replace(_ slot: Int, _ now: Int64) {
    let old = matches[slot]
    log.removed[old.id] = old
    // Draw before releasing: otherwise a book of one match could repeat the same fixture.
    let (number, fixture) = fixtures[old.sport.rawValue].draw()
    fixtures[old.sport.rawValue].release(fixtureNumbers[slot])
    let wait = now - time + 5 * 60_000 + squared(upTo: 200)
    place(announced(fixture, wait: wait), fixtureNumber: number, slot: slot)
    counts[old.sport.rawValue].add(matches[slot])
    log.sports.insert(old.sport)
  }

  private mutating func enter(_ phase: SimulatedMatch.Phase, _ slot: Int) {
    let sport = matches[slot].sport
    counts[sport.rawValue].add(matches[slot], -1)
    matches[slot].phase = phase
    counts[sport.rawValue].add(matches[slot])
    log.sports.insert(sport)
    record(slot, .head(matches[slot].head))
  }

  private mutating func recordInfo(_ kind: EventInfo.Kind, _ slot: Int, if changed: Bool) {
    guard changed, let info = matches[slot].info(kind) else { return }
    record(slot, .info(info))
  }

  /// Returns the random length of a beat, in milliseconds.
  private mutating func beatLength(_ slot: Int) -> Int64 {
    let rules = matches[slot].sport.rules
    return Int64(Double(rules.beat) * random.unit(in: 1 - rules.jitter...1 + rules.jitter))
  }
}
