import OddsModel

/// A condition that raises an alert, written as one line of text: `[MATCHES] EVENT [once | again [by PERCENT]]`.
///
///     match 1234 "Ajax - Porto" 1 >= 2.10     the price in column 1 reaches 2.10
///     market "Handicap 1.5" outcome "Ajax" < 2    an outcome of any market; also `suspended`, `resumed`
///     "premier league" favourite < 1.5 again by 3%
///     any move 5% in 10m again                any price of any match; also `up`, `down`
///     every outcome lowest of the day         each outcome of each market
///     suspended, resumed, score               each time
///     arsenal kickoff in 5m                   or `kickoff`, when it has begun
///
/// A rule on a price or a move raises one alert for each match, or with `every outcome` one for each outcome, unless it
/// ends with `again`. With `again`, a price has to move back by a margin before it raises another alert, and a move is
/// measured from the price last reported.
package struct AlertRule: Hashable, Sendable {
  /// The matches that a rule applies to.
  enum Scope: Hashable, Sendable {
    case all
    /// The match with that id. The name only helps readers of the rule.
    case match(MatchID, name: String)
    /// The matches that have each of these words in their name, tournament or country.
    case words(String)
  }

  /// The prices of a match that a rule evaluates.
  enum Selection: Hashable, Sendable {
    case home, draw, away
    /// The lowest price of the main market, while it can be bet on: `Market.favourite`.
    case favourite
    /// The prices of the three columns, each evaluated separately.
    case any
    case outcome(AlertOutcome)
    /// Each outcome of each market, evaluated separately.
    case everyOutcome

    /// The selections that are written as a single word.
    static let words: [(selection: Selection, word: String)] = [
      (.home, "1"), (.draw, "X"), (.away, "2"), (.favourite, "favourite"), (.any, "any"),
    ]
  }

  enum Direction: String, Hashable, Sendable, CaseIterable {
    case either = "move"
    case up, down
  }

  enum Event: Hashable, Sendable {
    case price(Selection, Comparison, DecimalOdds)
    case move(Selection, Direction, Percent, within: Duration)
    /// An event of an outcome, or of the whole match if nil.
    case suspended(AlertOutcome?), resumed(AlertOutcome?)
    /// The match begins, or is due to begin after that time.
    case kickOff(before: Duration)
    case score
    /// The condition becomes true.
    case condition(AlertCondition, ConditionSubject)
    /// The price is that far from the first one that is recorded or, without a record, was seen.
    case moveFromOpening(Selection, Direction, Percent)
    /// The price is lower, or higher, than all earlier ones within that time.
    case extreme(Selection, Extreme, within: Duration)
  }

  enum ConditionSubject: Hashable, Sendable {
    case match
    case outcome(AlertOutcome)
    /// Each outcome of each market.
    case everyOutcome
  }

  enum Extreme: String, Hashable, Sendable, CaseIterable { case lowest, highest }

  enum Repetition: Hashable, Sendable {
    /// One alert for each match; of a rule on each outcome, one for each outcome.
    case once
    case again
    /// Again after the price has moved back by that margin.
    case againBy(Percent)
  }

  /// A percentage in hundredths of a per cent.
  struct Percent: Hashable, Sendable {
    var hundredths: Int
  }

  /// The comparisons of a price with a limit.
  static let comparisons: [Comparison] = [.atLeast, .atMost, .greater, .less]
  /// The highest price that a rule accepts as a limit.
  static let highestPrice = DecimalOdds(units: DecimalOdds.unitsPerOne * 1_000_000)

  /// The default margin by which a price moves back before it raises another alert.
  static let usualMargin = Percent(hundredths: 200)

  var scope = Scope.all
  var event: Event
  var repetition: Repetition

  init(_ scope: Scope = .all, _ event: Event, _ repetition: Repetition? = nil) {
    self.scope = scope
    self.event = event
    self.repetition = repetition ?? event.usualRepetition
  }

  package init(_ text: String) throws(FilterError) {
    self = try AlertRuleParser.rule(text)
  }

  /// The rule as text that parses to the same rule.
  package var text: String {
    [scope.text, event.text, repetition == event.usualRepetition ? "" : repetition.text]
      .filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The keywords of the rule language, for completion.
  package static let vocabulary =
    ["match", "market", "outcome", "id"] + Selection.words.map(\.word) + comparisons.map(\.rawValue)
    + Direction.allCases.map(\.rawValue) + Extreme.allCases.map(\.rawValue)
    + [
      "suspended", "resumed", "kickoff", "score", "in", "from", "opening", "of", "the", "day", "when", "every", "once",
      "again", "by",
    ]

  /// True if the rule raises alerts for each outcome of a match.
  var isPerOutcome: Bool { event.selection == .everyOutcome }

  /// The interval, in milliseconds, at which a condition of the rule can become true while its matches stay the same;
  /// nil if it cannot.
  var timeStep: Int64? { if case .condition(let condition, _) = event { condition.node.timeStep } else { nil } }
}

extension AlertRule.Event {
  /// The repetition if the rule does not give one: `again` for events that recur in a match, `once` for all others.
  var usualRepetition: AlertRule.Repetition {
    switch self {
    case .price, .move, .kickOff, .condition, .moveFromOpening, .extreme: .once
    case .suspended, .resumed, .score: .again
    }
  }

  var text: String {
    switch self {
    case .price(let selection, let comparison, let odds): "\(selection.text) \(comparison.rawValue) \(odds)"
    case .move(let selection, let direction, let percent, let span):
      "\(selection.text) \(direction.rawValue) \(percent.text) in \(span.ruleText)"
    case .suspended(let outcome): (outcome.map { "\($0.text) " } ?? "") + "suspended"
    case .resumed(let outcome): (outcome.map { "\($0.text) " } ?? "") + "resumed"
    case .kickOff(.zero): "kickoff"
    case .kickOff(let before): "kickoff in \(before.ruleText)"
    case .score: "score"
    case .condition(let condition, .match): "when \(condition.text)"
    case .condition(let condition, .outcome(let outcome)): "\(outcome.text) when \(condition.text)"
    case .condition(let condition, .everyOutcome): "every outcome when \(condition.text)"
    case .moveFromOpening(let selection, let direction, let percent):
      "\(selection.text) \(direction.rawValue) \(percent.text) from opening"
    case .extreme(let selection, let extreme, let span):
      "\(selection.text) \(extreme.rawValue) in \(span.ruleText)"
    }
  }

  /// The prices that the rule evaluates; nil for an event of the match.
  var selection: AlertRule.Selection? {
    switch self {
    case .price(let selection, _, _), .move(let selection, _, _, _), .moveFromOpening(let selection, _, _),
      .extreme(let selection, _, _):
      selection
    case .suspended(let outcome), .resumed(let outcome): outcome.map { .outcome($0) }
    case .condition(_, .outcome(let outcome)): .outcome(outcome)
    case .condition(_, .everyOutcome): .everyOutcome
    case .kickOff, .score, .condition(_, .match): nil
    }
  }

  var outcome: AlertOutcome? { if case .outcome(let outcome)? = selection { outcome } else { nil } }
}

extension AlertRule.Selection {
  fileprivate var text: String {
    switch self {
    case .outcome(let outcome): outcome.text
    case .everyOutcome: "every outcome"
    case .home, .draw, .away, .favourite, .any: Self.words.first { $0.selection == self }!.word
    }
  }
}

extension AlertOutcome {
  var text: String { "market \(market.ruleText) outcome \(outcome.ruleText)" }
}

extension AlertOutcome.Name {
  fileprivate var ruleText: String {
    let id = id.map { $0.isPlain ? "\($0)" : "id \("\($0)".ruleQuoted)" }
    return [id, text.isEmpty ? nil : text.ruleQuoted].compactMap { $0 }.joined(separator: " ")
  }
}

extension AlertRule.Scope {
  fileprivate var text: String {
    switch self {
    case .all: ""
    case .words(let words): words.ruleQuoted
    case .match(let id, let name):
      "match \(id.isPlain ? "\(id)" : "\(id)".ruleQuoted)" + (name.isEmpty ? "" : " \(name.ruleQuoted)")
    }
  }
}

extension AlertRule.Repetition {
  fileprivate var text: String {
    switch self {
    case .once: "once"
    case .again: "again"
    case .againBy(let margin): "again by \(margin.text)"
    }
  }
}

extension AlertRule.Percent {
  /// The percentage as text: "5%", "2.5%".
  var text: String { "\(hundredths.asHundredths())%" }
}

extension Duration {
  /// The duration in the largest unit without a fraction: "90s", "10m", "2h".
  var ruleText: String {
    let seconds = components.seconds
    if seconds.isMultiple(of: 3600) { return "\(seconds / 3600)h" }
    return seconds.isMultiple(of: 60) ? "\(seconds / 60)m" : "\(seconds)s"
  }
}

extension String {
  var ruleQuoted: String { "\"\(replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"" }
}

extension FeedID {
  /// True if the id consists of digits only, as ids of the feed do.
  fileprivate var isPlain: Bool { "\(self)".utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } }
}
