/// All pairings of one sport, in an order in which no two matches of the book have the same name, and a team is in two
/// simultaneous matches as late as possible.
struct FixtureList: Sendable {
  private struct Pairing: Sendable {
    let league: UInt8
    let home: UInt8
    let away: UInt8
    let suffix: UInt8
  }

  private let sport: SimulatedSport
  private let leagues: [NameList.League]
  private let suffixes: [String]
  private let pairings: [Pairing]
  private var inUse: [Bool]
  private var next = 0

  init(sport: SimulatedSport, names: NameList, random: inout SeededGenerator) {
    self.sport = sport
    suffixes = names.suffixes[sport.rawValue]
    leagues = names.leagues[sport.rawValue].map {
      NameList.League(tournament: $0.tournament, teams: $0.teams.shuffled(using: &random))
    }
    pairings = Self.pairings(leagueSizes: leagues.map(\.teams.count), suffixes: suffixes.count)
    inUse = [Bool](repeating: false, count: pairings.count)
  }

  /// Returns the next unused fixture and its number for `release(_:)`.
  mutating func draw() -> (number: Int, fixture: Fixture) {
    while inUse[next] { next = (next + 1) % pairings.count }
    inUse[next] = true
    let pairing = pairings[next]
    let league = leagues[Int(pairing.league)]
    let suffix = suffixes[Int(pairing.suffix)]
    let fixture = Fixture(
      sport: sport, home: league.teams[Int(pairing.home)] + suffix, away: league.teams[Int(pairing.away)] + suffix,
      tournament: league.tournament)
    defer { next = (next + 1) % pairings.count }
    return (next, fixture)
  }

  /// Makes a fixture available again. It is drawn after all others.
  mutating func release(_ number: Int) { inUse[number] = false }

  /// Returns the pairings round by round. A round contains all leagues and squads, and each team once.
  private static func pairings(leagueSizes: [Int], suffixes: Int) -> [Pairing] {
    var result: [Pairing] = []
    let largest = leagueSizes.max() ?? 0
    for round in 0..<2 * (largest - 1) {
      for suffix in 0..<suffixes {
        for pair in 0..<largest / 2 {
          for (league, size) in leagueSizes.enumerated() where pair < size / 2 && round < 2 * (size - 1) {
            let (home, away) = circlePair(pair, round: round, size: size)
            result.append(Pairing(league: UInt8(league), home: UInt8(home), away: UInt8(away), suffix: UInt8(suffix)))
          }
        }
      }
    }
    return result
  }

  /// Returns a pairing by the circle method: one team stays, the others rotate. The second half swaps home and away.
  private static func circlePair(_ pair: Int, round: Int, size: Int) -> (home: Int, away: Int) {
    let turn = round % (size - 1)
    let first = (turn + pair) % (size - 1)
    let second = pair == 0 ? size - 1 : (turn + size - 1 - pair) % (size - 1)
    return (round < size - 1) == (pair + turn).isMultiple(of: 2) ? (first, second) : (second, first)
  }
}
