package import Localization

/// A property of a row that a filter can compare: `odds < 2`.
package enum FilterField: String, CaseIterable, Sendable {
  /// Any price of the row that can be bet on.
  case odds
  /// The price of the favourite.
  case favourite
  case home, draw, away
  /// The overround in per cent.
  case overround
  /// The change of the favourite's probability in either direction, in per cent.
  case move
  case minute
  case score
  /// The sum of both sides' points.
  case total
  /// The difference between the points of the sides.
  case lead
  /// The time until the match begins. Without a value once it has begun.
  case start
  case name, tournament, country, part, sport

  /// The format of the values of a field.
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

  /// The comparisons that the field supports.
  var comparisons: [Comparison] {
    switch kind {
    case .price, .number, .percent, .duration: [.less, .atMost, .equal, .unequal, .atLeast, .greater]
    case .score: [.equal, .unequal]
    case .text: [.equal, .unequal, .contains]
    }
  }

  /// An example value.
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

  /// The description for the help.
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

  /// An example comparison, as it is written in a filter.
  package var usage: String { "\(rawValue) \(kind == .text || kind == .score ? "=" : ">") \(example)" }
}

/// A state that a row has or does not have: `live`.
package enum FilterFlag: String, CaseIterable, Sendable {
  case live, pending, ended, suspended, pinned

  /// The description for the help.
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

/// A logical operator between the terms of a filter.
enum LogicalOperator: String, CaseIterable {
  case and, or, not
}

extension Token {
  var isOperator: Bool { LogicalOperator(rawValue: keyword) != nil }

  var field: FilterField? { FilterField(rawValue: keyword == "favorite" ? "favourite" : keyword) }
  var flag: FilterFlag? { FilterFlag(rawValue: keyword) }
}
