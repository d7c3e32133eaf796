import JSONText

extension JSONWriter {
  /// Writes the records of a dump, type by type in the order of the real feed (Messages.md).
  mutating func records(_ selection: TopicSelection, _ slots: [Int], of book: SimulatedBook) {
    let sports = SimulatedSport.allCases.filter { selection.lists($0, book.counts[$0.rawValue]) }
    for sport in sports { object { $0.sportFields(sport, book.counts[sport.rawValue]) } }
    if selection.hasNoMatches { return }
    let countries = Set(sports.flatMap(book.names.countries)).sorted { $0.number < $1.number }
    for country in countries { object { $0.locationFields(country) } }
    for sport in sports {
      for country in book.names.countries(sport) { object { $0.categoryFields(sport, country) } }
    }

    for slot in slots { object { $0.matchFields(book.matches[slot]) } }
    for slot in slots {
      for info in book.matches[slot].infos { object { $0.infoFields(info, matchID: book.matches[slot].id) } }
    }
    eachMarket(selection, slots, of: book) { json, market, match in
      json.object { $0.marketFields(market, of: match) }
    }
    eachMarket(selection, slots, of: book) { json, market, match in
      for index in selection.markets.offers(of: market) { json.object { $0.outcomeFields(index, market, of: match) } }
    }
    eachMarket(selection, slots, of: book) { json, market, _ in
      for index in selection.markets.offers(of: market) { json.object { $0.relationFields(index, market) } }
    }
    eachMarket(selection, slots, of: book) { json, market, match in
      for index in selection.markets.offers(of: market) { json.object { $0.offerFields(index, market, of: match) } }
    }

    for sport in sports { object { $0.mainMarketFields(sport) } }
    for sport in sports { object { $0.liveNumberFields(sport, book.counts[sport.rawValue]) } }
  }

  private mutating func eachMarket(
    _ selection: TopicSelection, _ slots: [Int], of book: SimulatedBook,
    _ write: (inout JSONWriter, SimulatedMarket, SimulatedMatch) -> Void
  ) {
    for slot in slots {
      let match = book.matches[slot]
      for market in selection.markets.markets(of: match) { write(&self, market, match) }
    }
  }
}
