import OddsModel

/// The definition of a market, which the provider sends as a whole whenever it changes.
struct MarketDefinition: Hashable, Sendable {
  var status = MarketStatus.unknown
  var isInPlay = false
  /// True if prices are line values, such as a number of goals, instead of odds, or if the betting type cannot be read.
  var hasLines = false
  /// The time by which a bet in-play is delayed, in seconds.
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
  // From a historical file or from `MarketNames`; the stream has no names:
  var name = ""
  var eventName = ""
  /// The name of the competition, from `MarketNames` only.
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
