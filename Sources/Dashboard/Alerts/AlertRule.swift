import OddsFeed

/// What somebody wants to be told of, as a line of text: `[MATCHES] EVENT [once | again [by PERCENT]]`.
///
///     match 1234 "Ajax - Porto" 1 >= 2.10     the price in column 1 reaches 2.10
///     market "Handicap 1.5" outcome "Ajax" < 2    an outcome of any market; also `suspended`, `resumed`
///     "premier league" favourite < 1.5 again by 3%
///     any move 5% in 10m again                any price of any match; also `up`, `down`
///     suspended, resumed, score               each time
///     arsenal kickoff in 5m                   or `kickoff`, when it has begun
///
/// A rule on a price, or a move, tells once for each match unless it says `again`: then a price has to come back by a
/// margin before it is told again, and a move is counted from the price that was told.
package struct AlertRule: Hashable, Sendable {
  /// Which matches.
  enum Scope: Hashable, Sendable {
    case all
    /// The one of that id. Its name is for who reads the rule.
    case match(MatchID, name: String)
    /// Those that have each of these words in their name, tournament or country.
    case words(String)
  }

  /// Which of a match's prices.
  enum Selection: Hashable, Sendable {
    case home, draw, away
    /// The lowest of the main market, while it can be bet on: `Market.favourite`.
    case favourite
    /// Those of the three columns, each by itself.
    case any
    case outcome(AlertOutcome)

    /// Those that are a word.
    static let words: [(pick: Selection, word: String)] = [
      (.home, "1"), (.draw, "X"), (.away, "2"), (.favourite, "favourite"), (.any, "any"),
    ]
  }

  enum Comparison: String, Hashable, Sendable, CaseIterable {
    case atLeast = ">="
    case atMost = "<="
    case above = ">"
    case below = "<"
  }

  enum Direction: String, Hashable, Sendable, CaseIterable {
    case either = "move"
    case up, down
  }

  enum Event: Hashable, Sendable {
    case price(Selection, Comparison, DecimalOdds)
    case move(Selection, Direction, Percent, within: Duration)
    /// Of an outcome, or of the match.
    case suspended(AlertOutcome?), resumed(AlertOutcome?)
    /// The match begins, or is to begin after that time.
    case kickOff(before: Duration)
    case score
  }

  enum Repetition: Hashable, Sendable {
    /// Once for each match.
    case once
    case again
    /// When the price has come back by that much.
    case againBy(Percent)
  }

  /// Hundredths of a per cent.
  struct Percent: Hashable, Sendable {
    var hundredths: Int
  }

  /// The highest limit of a price.
  static let highestPrice = DecimalOdds(units: DecimalOdds.unitsPerOne * 1_000_000)

  /// How far a price comes back before it is told again, where the rule does not say.
  static let usualMargin = Percent(hundredths: 200)

  var scope = Scope.all
  var event: Event
  var repetition: Repetition

  init(_ scope: Scope = .all, _ event: Event, _ repetition: Repetition? = nil) {
    (self.scope, self.event) = (scope, event)
    self.repetition = repetition ?? event.usualRepetition
  }

  /// The rule that a text says.
  package init(_ text: String) throws(FilterError) {
    var parser = AlertRuleParser(text)
    self = try parser.rule()
  }

  /// The rule as a line that says it again.
  package var text: String {
    [scope.text, event.text, repetition == event.usualRepetition ? "" : repetition.text]
      .filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The words that a rule is made of.
  package static let vocabulary =
    ["match", "market", "outcome", "id"] + Selection.words.map(\.word) + Comparison.allCases.map(\.rawValue)
    + Direction.allCases.map(\.rawValue) + ["suspended", "resumed", "kickoff", "score", "in", "once", "again", "by"]
}

extension AlertRule.Event {
  /// What is told of a match happens again; what somebody waits for is told once.
  var usualRepetition: AlertRule.Repetition {
    switch self {
    case .price, .move, .kickOff: .once
    case .suspended, .resumed, .score: .again
    }
  }

  var text: String {
    switch self {
    case .price(let pick, let comparison, let odds): "\(pick.text) \(comparison.rawValue) \(odds)"
    case .move(let pick, let direction, let percent, let span):
      "\(pick.text) \(direction.rawValue) \(percent.text) in \(span.ruleText)"
    case .suspended(let outcome): (outcome.map { "\($0.text) " } ?? "") + "suspended"
    case .resumed(let outcome): (outcome.map { "\($0.text) " } ?? "") + "resumed"
    case .kickOff(.zero): "kickoff"
    case .kickOff(let before): "kickoff in \(before.ruleText)"
    case .score: "score"
    }
  }
}

extension AlertRule.Event {
  /// The outcome that is named, where one is.
  var outcome: AlertOutcome? {
    switch self {
    case .price(.outcome(let outcome), _, _), .move(.outcome(let outcome), _, _, _): outcome
    case .suspended(let outcome), .resumed(let outcome): outcome
    case .price, .move, .kickOff, .score: nil
    }
  }
}

extension AlertRule.Selection {
  fileprivate var text: String {
    if case .outcome(let outcome) = self { return outcome.text }
    return Self.words.first { $0.pick == self }!.word
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
  /// "5%", "2.5%"
  var text: String {
    let rest = hundredths % 100
    let decimals = rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)"
    return "\(hundredths / 100)\(decimals)%"
  }
}

extension Duration {
  /// In the largest unit that says it exactly: "90s", "10m", "2h".
  var ruleText: String {
    let seconds = components.seconds
    if seconds.isMultiple(of: 3600) { return "\(seconds / 3600)h" }
    return seconds.isMultiple(of: 60) ? "\(seconds / 60)m" : "\(seconds)s"
  }
}

extension String {
  var ruleQuoted: String {
    "\"\(replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }
}

extension FeedID {
  /// True where it is a plain number, as ids of feeds are.
  fileprivate var isPlain: Bool { "\(self)".utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } }
}
