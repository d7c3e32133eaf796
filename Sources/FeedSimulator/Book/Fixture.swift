/// A pairing of two teams in a tournament.
package struct Fixture: Sendable {
  package let sport: SimulatedSport
  package let home: String
  package let away: String
  let tournament: Tournament
}

/// A competition. Numbers count from 0 over all sports.
struct Tournament: Sendable {
  let number: Int
  let name: String
  let country: Country
}

/// A country. Numbers count from 0.
struct Country: Hashable, Sendable {
  let number: Int
  let name: String
}
