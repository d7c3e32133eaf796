import JSONText

extension JSONWriter {
  /// Writes the records of a dump, type by type in the order of the real feed (Messages.md).
  mutating func records(_ selection: TopicSelection, of contents: TopicContents) {
    let sports = SimulatedSport.allCases.filter { selection.lists($0, contents.counts[$0.rawValue]) }
    for sport in sports { object { $0.sportFields(sport, contents.counts[sport.rawValue]) } }
    if selection.hasNoMatches { return }
    let countries = Set(sports.flatMap(contents.names.countries)).sorted { $0.number < $1.number }
    for country in countries { object { $0.locationFields(country) } }
    for sport in sports {
      for country in contents.names.countries(sport) { object { $0.categoryFields(sport, country) } }
    }

    for match in contents.matches { object { $0.matchFields(match) } }
    for match in contents.matches {
      for info in match.infos { object { $0.infoFields(info, matchID: match.id) } }
    }
    eachMarket(selection, of: contents) { json, market, match in
      json.object { $0.marketFields(market, of: match) }
    }
    eachMarket(selection, of: contents) { json, market, match in
      for index in selection.markets.offers(of: market) { json.object { $0.outcomeFields(index, market, of: match) } }
    }
    eachMarket(selection, of: contents) { json, market, _ in
      for index in selection.markets.offers(of: market) { json.object { $0.relationFields(index, market) } }
    }
    eachMarket(selection, of: contents) { json, market, match in
      for index in selection.markets.offers(of: market) { json.object { $0.offerFields(index, market, of: match) } }
    }

    for sport in sports { object { $0.mainMarketFields(sport) } }
    for sport in sports { object { $0.liveNumberFields(sport, contents.counts[sport.rawValue]) } }
  }

  private mutating func eachMarket(
    _ selection: TopicSelection, of contents: TopicContents,
    _ write: (inout JSONWriter, SimulatedMarket, SimulatedMatch) -> Void
  ) {
    for match in contents.matches {
      for market in selection.markets.markets(of: match) { write(&self, market, match) }
    }
  }
}
