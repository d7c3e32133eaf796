import AccountModel
import JSONText
import OddsModel

// The wire records that do not belong to a match: sports, countries, main markets.

/// The ids of records that do not belong to a match. Each type has its own range, below the ids of the book.
enum SimulatedRecordID {
  static func tournament(_ tournament: Tournament) -> Int64 { 160_000_000_000_000_000 + Int64(tournament.number) }
  static func location(_ country: Country) -> Int64 { 150_000_000_000_000_000 + Int64(country.number) }
  static func mainMarket(_ sport: SimulatedSport) -> Int64 { 130_000_000_000_000_000 + Int64(sport.rawValue) }
  static func liveNumber(_ sport: SimulatedSport) -> Int64 { 120_000_000_000_000_000 + Int64(sport.rawValue) }

  static func category(_ sport: SimulatedSport, _ country: Country) -> Int64 {
    140_000_000_000_000_000 + Int64(sport.rawValue) * 1000 + Int64(country.number)
  }
}

/// The feed's ids and names of a kind of market.
struct BettingType {
  let id: StaticString
  let name: StaticString
  let marketName: StaticString
  let shortName: StaticString
  let displayKey: StaticString

  init(_ kind: MarketKind, _ sport: SimulatedSport) {
    (id, name, marketName, shortName, displayKey) =
      switch kind {
      case .result where sport.hasDraw: ("69", "Home Draw Away", "Match Result", "1X2", "homeDrawAway")
      case .result: ("466", "Home Away", "Home/Away", "12", "homeAway")
      case .totals: ("47", "Over Under", "Total", "O/U", "overUnder")
      case .handicap: ("48", "Handicap", "Handicap", "HCP", "handicap")
      }
  }
}

extension JSONWriter {
  mutating func sportFields(_ sport: SimulatedSport, _ count: SportCount) {
    field("_type", "SPORT")
    field("id", id: sport.id)
    field("name", sport.name)
    sportCounters(count)
  }

  mutating func sportCounters(_ count: SportCount) {
    field("numberOfLiveEvents", Int64(count.live))
    field("numberOfUpcomingMatches", Int64(count.upcoming))
    field("numberOfMatchesWhichWillHaveLiveOdds", String(count.upcoming))
  }

  mutating func locationFields(_ country: Country) {
    field("_type", "LOCATION")
    field("id", id: SimulatedRecordID.location(country))
    field("typeName", "Country")
    field("name", country.name)
  }

  mutating func categoryFields(_ sport: SimulatedSport, _ country: Country) {
    field("_type", "EVENT_CATEGORY")
    field("id", id: SimulatedRecordID.category(sport, country))
    field("sportId", id: sport.id)
    field("name", country.name)
  }

  mutating func mainMarketFields(_ sport: SimulatedSport) {
    let betting = BettingType(.result, sport)
    field("_type", "MAIN_MARKET")
    field("id", id: SimulatedRecordID.mainMarket(sport))
    field("sportId", id: sport.id)
    field("bettingTypeId", betting.id)
    field("bettingTypeName", betting.name)
    field("eventPartId", sport.eventPart.id)
  }

  mutating func liveNumberFields(_ sport: SimulatedSport, _ count: SportCount) {
    field("_type", "LIVE_MATCHES_NUMBER")
    field("id", id: SimulatedRecordID.liveNumber(sport))
    field("sportId", id: sport.id)
    field("number", Int64(count.live))
  }
}
