/// A change of a match, with the values at that moment. Later changes in the same tick do not affect it.
package struct BookChange: Sendable {
  let slot: Int
  let matchID: Int64
  let kind: Kind

  enum Kind: Sendable {
    case offer(market: Int, OfferChange)
    case info(EventInfo)
    /// The match started, entered another part, or ended.
    indirect case head(MatchStatusFields)
    indirect case infosOpened([EventInfo])
    case availability(market: Int, MarketAvailability)
    /// The market at this index was replaced. `after` contains the new one.
    indirect case lineReplaced(market: Int, before: SimulatedMarket, after: SimulatedMatch)
  }
}

/// A change of an offer, with its values after it.
struct OfferChange: Sendable {
  /// The set of fields that the update contains.
  enum Form: Sendable {
    /// Odds and time.
    case price
    /// Status, availability and time.
    case status
    /// `isLive` and time, when the match starts.
    case live
    case all
  }

  let id: Int64
  let form: Form
  let offer: SimulatedOffer
  let isLive: Bool
}

/// The availability of a market after it has changed.
struct MarketAvailability: Sendable {
  let id: Int64
  let isClosed: Bool
  /// The time at which the market became unavailable, in milliseconds since 1970; nil while it is available.
  let notAvailableSince: Int64?
}

/// The changes of one tick of the book.
package struct BookTick: Sendable {
  package internal(set) var changes: [BookChange] = []
  /// The number of offer records with odds among the changes.
  package internal(set) var oddsUpdates = 0
  /// The matches that left the book, in their last state, by id.
  var removed: [Int64: SimulatedMatch] = [:]
  /// The sports in which a match was announced, started or ended: the matches of a topic may have changed.
  var sports: Set<SimulatedSport> = []
}
