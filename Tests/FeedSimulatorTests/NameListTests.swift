import Testing

@testable import FeedSimulator

@Suite("The list of names")
struct NameListTests {
  private let names = NameList()

  @Test("has an even number of teams in every tournament, with unique names")
  func teams() {
    let leagues = names.leagues.flatMap(\.self)
    #expect(leagues.allSatisfy { $0.teams.count >= 12 && $0.teams.count.isMultiple(of: 2) })
    let teams = leagues.flatMap(\.teams)
    #expect(teams.count > 300)
    #expect(Set(teams).count == teams.count)
    #expect(Set(leagues.map(\.tournament.number)).count == leagues.count)
  }

  @Test("pairs every team once per round, and repeats no fixture within a season", arguments: SimulatedSport.allCases)
  func rounds(sport: SimulatedSport) {
    var random = SeededGenerator(seed: 3)
    var list = FixtureList(sport: sport, names: names, random: &random)
    let teams = names.leagues[sport.rawValue].reduce(0) { $0 + $1.teams.count }
    let firstRound = (0..<teams / 2).map { _ in list.draw().fixture }
    #expect(Set(firstRound.flatMap { [$0.home, $0.away] }).count == teams)
    var seen = Set(firstRound.map { "\($0.home) - \($0.away)" })
    for _ in 0..<2_000 { seen.insert({ "\($0.home) - \($0.away)" }(list.draw().fixture)) }
    #expect(seen.count == teams / 2 + 2_000)
  }
}
