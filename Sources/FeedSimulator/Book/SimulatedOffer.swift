/// The feed's status of a betting offer, as far as the book plays it.
enum SimulatedOfferStatus: Sendable {
  case standard, removed, suspended

  var id: StaticString {
    switch self {
    case .standard: "1"
    case .removed: "4"
    case .suspended: "7"
    }
  }

  /// A suspended offer counts as available on the wire; only its status says that nobody can bet on it.
  var isAvailable: Bool { self != .removed }
}

/// One price of a market.
struct SimulatedOffer: Sendable {
  /// Decimal odds in hundredths.
  var odds: Int32
  var status = SimulatedOfferStatus.standard
  /// In milliseconds since 1970.
  var changedAt: Int64
}

/// An outcome's role in its market, and so its place and heading on the board.
enum OutcomeRole: Sendable {
  case home, draw, away, over, under

  var key: StaticString {
    switch self {
    case .home: "home"
    case .draw: "draw"
    case .away: "away"
    case .over: "over"
    case .under: "under"
    }
  }

  var name: StaticString {
    switch self {
    case .home: "Home"
    case .draw: "Draw"
    case .away: "Away"
    case .over: "Over"
    case .under: "Under"
    }
  }

  /// What stands above the column.
  var header: StaticString {
    switch self {
    case .home: "1"
    case .draw: "X"
    case .away: "2"
    case .over: "Over"
    case .under: "Under"
    }
  }
}
