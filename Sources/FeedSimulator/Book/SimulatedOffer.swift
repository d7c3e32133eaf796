/// The statuses of a betting offer that the book uses.
enum SimulatedOfferStatus: Sendable {
  case standard, removed, suspended

  var id: StaticString {
    switch self {
    case .standard: "1"
    case .removed: "4"
    case .suspended: "7"
    }
  }

  /// True unless the offer is removed. On the wire a suspended offer is available, and only its status prevents bets.
  var isAvailable: Bool { self != .removed }
}

/// An offer of a market: the price of one outcome.
struct SimulatedOffer: Sendable {
  /// The decimal odds, in hundredths.
  var odds: Int32
  var status = SimulatedOfferStatus.standard
  /// The time of the last change, in milliseconds since 1970.
  var changedAt: Int64
}

/// The role of an outcome in its market, which determines its column and heading.
enum OutcomeRole: Sendable {
  case home, draw, away, over, under

  /// The texts of the role on the wire: its key, its name, and the heading of its column.
  var wire: (key: StaticString, name: StaticString, header: StaticString) {
    switch self {
    case .home: ("home", "Home", "1")
    case .draw: ("draw", "Draw", "X")
    case .away: ("away", "Away", "2")
    case .over: ("over", "Over", "Over")
    case .under: ("under", "Under", "Under")
    }
  }
}
