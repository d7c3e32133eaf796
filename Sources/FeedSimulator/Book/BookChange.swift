/// One thing that happened to a match, with the values of that moment: later changes of a tick do not show in it.
package struct BookChange: Sendable {
  let slot: Int
  let matchID: Int64
  let kind: Kind

  enum Kind: Sendable {
    case offer(market: Int, OfferChange)
    case info(EventInfo)
    /// The match started, went into another part, or ended.
    indirect case head(MatchStatusFields)
    indirect case infosOpened([EventInfo])
    case availability(market: Int, MarketAvailability)
    /// The market of that index went and another came, which `after` holds.
    indirect case lineReplaced(market: Int, before: SimulatedMarket, after: SimulatedMatch)
  }
}

/// A change of one betting offer.
struct OfferChange: Sendable {
  /// Which fields the update carries.
  enum Form: Sendable {
    /// Odds and time.
    case price
    /// Status, availability and time.
    case status
    /// The match went live, and time.
    case live
    case all
  }

  let id: Int64
  let form: Form
  let offer: SimulatedOffer
  let isLive: Bool
}

/// Whether a market takes bets.
struct MarketAvailability: Sendable {
  let id: Int64
  let isClosed: Bool
  /// In milliseconds since 1970; nil while the market is available.
  let notAvailableSince: Int64?
}

/// What a tick did to the book.
package struct BookTick: Sendable {
  package internal(set) var changes: [BookChange] = []
  /// How many records of offers with odds are among the changes.
  package internal(set) var oddsUpdates = 0
  /// How many records of offers without odds are among the changes.
  package internal(set) var statusUpdates = 0
  /// Matches that left the book, as they were last, by id.
  var removed: [Int64: SimulatedMatch] = [:]
  /// Sports in which a match was announced, started or ended: who is in a topic may have changed.
  var sports: Set<SimulatedSport> = []
}
