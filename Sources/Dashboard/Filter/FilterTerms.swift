package import Localization
import OddsModel

/// A property of a row that a filter can compare: `odds < 2`.
package enum FilterField: String, CaseIterable, Sendable {
  /// Any price of the row that can be bet on.
  case odds
  case favourite
  case home, draw, away
  /// The margin in per cent.
  case margin
  /// The change of the favourite's probability in either direction, in per cent.
  case move
  /// The match clock. Without a value unless the match is in play.
  case minute
  case score
  /// The sum of both sides' points.
  case total
  /// The difference between the points of the sides.
  case lead
  /// The time until the match begins. Without a value once it has begun.
  case start
  case name, tournament, country, part, sport

  enum Kind: Hashable, Sendable {
    case price, number, percent, duration, score, text
  }

  var kind: Kind { entry.kind }

  var comparisons: [Comparison] {
    switch kind {
    case .price, .number, .percent, .duration: [.less, .atMost, .equal, .unequal, .atLeast, .greater]
    case .score: [.equal, .unequal]
    case .text: [.equal, .unequal, .contains]
    }
  }

  var example: String { entry.example }

  package var help: LocalizedMessage {
    switch self {
    case .home: LocalizedMessage(.fieldColumnPrice, LocalizedMessage(.columnHome))
    case .draw: LocalizedMessage(.fieldColumnPrice, LocalizedMessage(.columnDraw))
    case .away: LocalizedMessage(.fieldColumnPrice, LocalizedMessage(.columnAway))
    default: LocalizedMessage(entry.help)
    }
  }

  private var entry: (kind: Kind, example: String, help: MessageKey) {
    switch self {
    case .odds: (.price, "2.5", .fieldOdds)
    case .favourite: (.price, "2.5", .fieldFavourite)
    case .home, .draw, .away: (.price, "2.5", .fieldColumnPrice)
    case .margin: (.percent, "5%", .fieldMargin)
    case .move: (.percent, "5%", .fieldMove)
    case .minute: (.number, "80", .fieldMinute)
    case .score: (.score, "2-1", .fieldScore)
    case .total: (.number, "2", .fieldTotal)
    case .lead: (.number, "2", .fieldLead)
    case .start: (.duration, "60m", .fieldStart)
    case .name: (.text, "Ajax", .fieldName)
    case .tournament: (.text, "\"Serie A\"", .fieldTournament)
    case .country: (.text, "France", .fieldCountry)
    case .part: (.text, "\"2nd Half\"", .fieldPart)
    case .sport: (.text, "tennis", .fieldSport)
    }
  }

  /// An example comparison, as it is written in a filter.
  package var usage: String { "\(rawValue) \(kind == .text || kind == .score ? "=" : ">") \(example)" }
}

/// A state that a row has or does not have: `live`.
package enum FilterFlag: String, CaseIterable, Sendable {
  case live, pending, ended, suspended, pinned

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

enum FilterValue {
  /// Parses a number or a duration. Returns it in ten-millionths, of a second for a duration; nil if the text is not
  /// valid. A duration without a unit is in minutes.
  static func number(_ text: String, _ kind: FilterField.Kind) -> Int64? {
    switch kind {
    case .price, .number: Quantity.number(text)
    case .percent: Quantity.number(text.hasSuffix("%") ? text.dropLast() : text[...])
    case .duration: Quantity.duration(text, units: [.seconds, .minutes, .hours, .days], unitless: .minutes)
    case .score, .text: nil
    }
  }

  /// Parses a score: "2-1" or "2:1". Returns nil for any other text.
  static func score(_ text: String) -> Score? {
    let sides = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == ":" }
    guard sides.count == 2, let home = UInt32(sides[0]), let away = UInt32(sides[1]) else { return nil }
    return Score(home: Int(home), away: Int(away))
  }
}

extension MatchRow {
  /// Returns the value of a numeric field in ten-millionths, or nil if the row has none. `wall` is the time in
  /// milliseconds since 1970.
  func number(_ field: FilterField, at wall: Int64) -> Int64? {
    switch field {
    case .favourite: return favourite?.units
    case .home: return prices.first.bettable?.units
    case .draw: return prices.middle.bettable?.units
    case .away: return prices.last.bettable?.units
    case .margin: return margin.shown.map { Self.scaled($0, by: DecimalOdds.unitsPerOne / 10) }
    case .move: return move.map { Self.scaled($0.magnitude, by: DecimalOdds.unitsPerOne / 100) }
    case .minute: return playedMinute.map { Self.scaled($0) }
    case .total: return score.map { Self.scaled($0.home.addingReportingOverflow($0.away).partialValue) }
    case .lead: return score.map { Self.scaled($0.home.subtractingReportingOverflow($0.away).partialValue.magnitude) }
    case .start: return Self.timeUntilStart(status, startTime, at: wall)
    case .odds, .score, .name, .tournament, .country, .part, .sport: return nil
    }
  }

  /// Returns the value of the field `start` in ten-millionths of a second; nil if the match has none.
  static func timeUntilStart(_ status: MatchStatus, _ startTime: Int64?, at wall: Int64) -> Int64? {
    guard status == .pending || status == .unknown, let startTime else { return nil }
    let (time, isTooFar) = startTime.subtractingReportingOverflow(wall)
    return isTooFar ? nil : scaled(time, by: DecimalOdds.unitsPerOne / 1000)
  }

  /// Returns the product, clamped to the range of `Int64`.
  private static func scaled(_ count: some BinaryInteger, by unit: Int64 = DecimalOdds.unitsPerOne) -> Int64 {
    let (product, isTooMuch) = Int64(clamping: count).multipliedReportingOverflow(by: unit)
    return isTooMuch ? (count < 0 ? .min : .max) : product
  }
}
