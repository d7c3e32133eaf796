import Algorithms
import Resources

/// The names of `names.txt`, by sport.
struct NameList: Sendable {
  struct League: Sendable {
    let tournament: Tournament
    let teams: [String]
  }

  /// The leagues of each sport, in the order of `SimulatedSport.allCases`.
  private(set) var leagues = [[League]](repeating: [], count: SimulatedSport.allCases.count)
  /// The name suffixes of a team's squads, by sport. The first squad has none.
  private(set) var suffixes = [[String]](repeating: [""], count: SimulatedSport.allCases.count)

  /// Parses the embedded list. The tests check its format.
  init() {
    var sport = SimulatedSport.football
    var countries: [String: Country] = [:]
    var tournaments = 0
    for line in Resources.names.split(separator: "\n") {
      if line.hasPrefix("# ") {
        guard
          let named = SimulatedSport.allCases.first(where: { $0.name.description.lowercased() == line.dropFirst(2) })
        else { preconditionFailure("names.txt has a section for no known sport: '\(line)'") }
        sport = named
      } else if line.hasPrefix("~ ") {
        suffixes[sport.rawValue] += line.dropFirst(2).split(separator: ", ").map { " \($0)" }
      } else {
        let parts = line.split(separator: " | ").map(String.init)
        let country = countries[parts[0]] ?? Country(number: countries.count, name: parts[0])
        countries[parts[0]] = country
        let tournament = Tournament(number: tournaments, name: parts[1], country: country)
        tournaments += 1
        leagues[sport.rawValue].append(
          League(tournament: tournament, teams: parts[2].split(separator: ", ").map(String.init)))
      }
    }
  }

  /// Returns the countries in which a sport is played, in the order of the list.
  func countries(_ sport: SimulatedSport) -> [Country] {
    Array(leagues[sport.rawValue].map(\.tournament.country).uniqued())
  }
}
