import OddsModel

/// The definition of a market, which the provider sends as a whole whenever it changes. Numbers are in ten-millionths
/// unless a unit is given.
struct MarketDefinition: Hashable, Sendable {
  var status = MarketStatus.unknown
  var isInPlay = false
  var hasLines = false
  /// Seconds.
  var betDelay: Int64?
  var version: Int64?
  var winnerCount: Int64?
  /// True if the market has several handicaps, each with two runners.
  var hasManyHandicaps = false
  /// Milliseconds since 1970.
  var startTime: Int64?
  var eventID = ""
  var eventTypeID = ""
  var marketType = ""
  // Only in historical files:
  var name = ""
  var eventName = ""
  // Only in answers of `listMarketCatalogue`:
  var competition = ""
  var runners: [RunnerDefinition] = []
}

struct RunnerDefinition: Hashable, Sendable {
  var key = RunnerKey(id: 0, handicap: 0)
  /// Every definition has the status, so a missing one counts as one that cannot be read.
  var status = RunnerStatus.unknown
  var priority: Int64 = 0
  var name = ""
}

/// The status of a runner in its market's definition.
enum RunnerStatus: Hashable, Sendable {
  case active, removed, settled, hidden, unknown

  init(_ text: String) {
    switch text {
    case "ACTIVE": self = .active
    case "REMOVED", "REMOVED_VACANT": self = .removed
    case "WINNER", "LOSER", "PLACED": self = .settled
    case "HIDDEN": self = .hidden
    default: self = .unknown
    }
  }

  var offerStatus: OfferStatus {
    switch self {
    case .active: .standard
    case .removed: .removed
    case .settled: .resolved
    case .hidden: .suspended
    case .unknown: .unknown
    }
  }
}
