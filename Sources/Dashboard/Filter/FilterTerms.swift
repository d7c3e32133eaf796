package import Localization

/// What of a row can be compared in a filter: `odds < 2`.
package enum FilterField: String, CaseIterable, Sendable {
  /// Any price of the row that can be bet on.
  case odds
  /// The price of the favourite.
  case favourite
  case home, draw, away
  /// In per cent.
  case overround
  /// How far the favourite's chance has moved, in per cent, either way.
  case move
  case minute
  case score
  /// Both sides' points together.
  case total
  /// By how many points one side is ahead.
  case lead
  /// The time until the match begins; there is none once it has begun.
  case start
  case name, tournament, country, part, sport

  /// How its values are written.
  enum Kind: Hashable, Sendable {
    case price, number, percent, duration, score, text
  }

  var kind: Kind {
    switch self {
    case .odds, .favourite, .home, .draw, .away: .price
    case .overround, .move: .percent
    case .minute, .total, .lead: .number
    case .score: .score
    case .start: .duration
    case .name, .tournament, .country, .part, .sport: .text
    }
  }

  /// Which comparisons it knows.
  var comparisons: [FilterComparison] {
    switch kind {
    case .price, .number, .percent, .duration: [.less, .atMost, .equal, .unequal, .atLeast, .greater]
    case .score: [.equal, .unequal]
    case .text: [.equal, .unequal, .contains]
    }
  }

  /// A value such as it has.
  var example: String {
    switch self {
    case .overround, .move: "5%"
    case .minute: "80"
    case .score: "2-1"
    case .total, .lead: "2"
    case .start: "60m"
    case .name: "Ajax"
    case .tournament: "\"Serie A\""
    case .country: "France"
    case .part: "\"2nd Half\""
    case .sport: "tennis"
    case .odds, .favourite, .home, .draw, .away: "2.5"
    }
  }

  /// What it is, for help.
  package var help: MessageKey {
    switch self {
    case .odds: .fieldOdds
    case .favourite: .fieldFavourite
    case .home: .fieldHome
    case .draw: .fieldDraw
    case .away: .fieldAway
    case .overround: .fieldOverround
    case .move: .fieldMove
    case .minute: .fieldMinute
    case .score: .fieldScore
    case .total: .fieldTotal
    case .lead: .fieldLead
    case .start: .fieldStart
    case .name: .fieldName
    case .tournament: .fieldTournament
    case .country: .fieldCountry
    case .part: .fieldPart
    case .sport: .fieldSport
    }
  }

  /// A comparison such as it stands in a filter.
  package var usage: String { "\(rawValue) \(kind == .text || kind == .score ? "=" : ">") \(example)" }
}

/// What a row is or is not: `live`.
package enum FilterFlag: String, CaseIterable, Sendable {
  case live, pending, ended, suspended, pinned

  /// What it is, for help.
  package var help: MessageKey {
    switch self {
    case .live: .flagLive
    case .pending: .flagPending
    case .ended: .flagEnded
    case .suspended: .flagSuspended
    case .pinned: .flagPinned
    }
  }
}

/// How a field is compared with a value.
enum FilterComparison: String, CaseIterable, Sendable {
  case less = "<"
  case atMost = "<="
  case equal = "="
  case unequal = "!="
  case atLeast = ">="
  case greater = ">"
  case contains = "~"

  func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
    switch self {
    case .less: left < right
    case .atMost: left <= right
    case .equal, .contains: left == right
    case .unequal: left != right
    case .atLeast: left >= right
    case .greater: left > right
    }
  }
}

/// Words that join others.
enum LogicalOperator: String, CaseIterable {
  case and, or, not
}
