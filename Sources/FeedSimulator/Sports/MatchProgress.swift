/// A pair of counts, for the home and the away side.
struct SimulatedScore: Hashable, Sendable {
  var home = 0
  var away = 0

  var total: Int { home + away }
  var lead: Int { home - away }

  mutating func add(_ count: Int, toHome: Bool) { if toHome { home += count } else { away += count } }

  subscript(home isHome: Bool) -> Int { isHome ? home : away }
}

/// The progress of a match: clock, part and scores. Advances in beats, see `SportRules`.
struct MatchProgress: Sendable {
  /// The changes of one beat.
  struct Changes: OptionSet {
    let rawValue: Int

    static let score = Changes(rawValue: 1)
    static let minute = Changes(rawValue: 2)
    static let server = Changes(rawValue: 4)
    static let part = Changes(rawValue: 8)
    /// An event that current prices do not reflect, such as a goal.
    static let shock = Changes(rawValue: 16)
    static let over = Changes(rawValue: 32)
  }

  let sport: SimulatedSport
  /// The goals, points or games of the whole match.
  private(set) var tally = SimulatedScore()
  private(set) var sets = SimulatedScore()
  /// The games or points of the current set.
  private(set) var inSet = SimulatedScore()
  /// The index of the current part, from 0. Breaks count as parts.
  private(set) var part = 0
  private(set) var beatsInPart = 0
  private(set) var homeServes: Bool

  /// Plays one beat. `edge` is the expected lead of the home side over a whole match, in the units of `tally`.
  mutating func beat(edge: Double, using random: inout SeededGenerator) -> Changes {
    switch sport.rules.format {
    case .clock(let parts, let beatsPerMinute): clockBeat(parts, beatsPerMinute, edge, &random)
    case .sets(let rules): setBeat(rules, edge, &random)
    }
  }

  private mutating func clockBeat(
    _ parts: [SportRules.Part], _ beatsPerMinute: Int, _ edge: Double, _ random: inout SeededGenerator
  ) -> Changes {
    let rules = sport.rules
    var changes: Changes = []
    beatsInPart += 1
    if !parts[part].isBreak {
      if beatsInPart.isMultiple(of: beatsPerMinute) { changes.insert(.minute) }
      let playBeats = parts.reduce(0) { $0 + ($1.isBreak ? 0 : $1.beats) }
      let meanScore = Double(1 + rules.largestScore) / 2
      if random.chance(rules.total / meanScore / Double(playBeats)) {
        let count = 1 + random.index(below: rules.largestScore)
        tally.add(count, toHome: random.chance(0.5 + edge / rules.total / 2))
        changes.insert(.score)
        if random.chance(rules.shock) { changes.insert(.shock) }
      }
    }
    guard beatsInPart >= parts[part].beats else { return changes }
    guard part + 1 < parts.count else {
      if !sport.hasDraw, tally.lead == 0 {
        tally.add(2, toHome: random.chance(0.5))
        changes.insert(.score)
      }
      return changes.union(.over)
    }
    part += 1
    beatsInPart = 0
    return changes.union(.part)
  }

  private mutating func setBeat(_ rules: SportRules.Sets, _ edge: Double, _ random: inout SeededGenerator) -> Changes {
    let serve = homeServes ? rules.serveEdge : -rules.serveEdge
    let homeWins = random.chance(0.5 + serve + edge / sport.rules.total / 2)
    tally.add(1, toHome: homeWins)
    inSet.add(1, toHome: homeWins)
    homeServes = rules.serveEdge > 0 ? !homeServes : homeWins
    var changes: Changes = .server
    if random.chance(sport.rules.shock) { changes.insert(.shock) }

    let won = inSet[home: homeWins]
    let target = sets.home == rules.toWin - 1 && sets.away == rules.toWin - 1 ? rules.deciderTarget : rules.target
    guard won >= rules.cap || (won >= target && abs(inSet.lead) >= 2) else { return changes }
    sets.add(1, toHome: homeWins)
    changes.formUnion([.score, .shock])
    guard sets[home: homeWins] < rules.toWin else { return changes.union(.over) }
    inSet = SimulatedScore()
    part += 1
    return changes.union(.part)
  }
}
