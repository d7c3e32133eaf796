import OddsModel
import TerminalCore

/// An alert as texts, for the log, commands and other programs. Texts of the feed are without control characters.
package struct AlertReport: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    case price, move, suspended, resumed, kickoff, score, condition, lowest, highest
  }

  /// The maximum length of a text, in Unicode scalars.
  package static let maxText = 1000

  /// The time of the alert, in milliseconds since 1970.
  package var time: Int64
  package var kind: Kind
  /// The rule that raised the alert, as it is written in the configuration.
  package var rule: String
  package var matchID: String
  /// The name of the match.
  package var match: String
  /// The event, in the language and the odds format of the board, without the name of the match.
  package var text: String
  /// The market, if the rule names an outcome.
  package var market: String?
  /// The outcome whose price the alert is about: its name, or `1`, `X`, `2` or `favourite`.
  package var outcome: String?
  /// The decimal price that raised the alert.
  package var odds: String?
  /// The decimal price from which a move is measured.
  package var previousOdds: String?
  /// The score, such as `2-1`.
  package var score: String?

  package init(time: Int64, kind: Kind, rule: String, matchID: String, match: String, text: String) {
    self.time = time
    self.kind = kind
    self.rule = rule
    self.matchID = matchID
    self.match = match
    self.text = text
  }
}

extension AlertReport {
  init(_ event: AlertEvent, rule: String, _ formatter: ChangeFormatter, now: FrameTime) {
    self.init(
      time: event.time, kind: event.content.kind, rule: rule.bounded, matchID: "\(event.match)".bounded,
      match: event.name.bounded, text: formatter.text(of: event.content, now: now).bounded)
    switch event.content {
    case .price(let price, let odds, _, _):
      name(price)
      self.odds = "\(odds)"
    case .condition(_, let price?, let odds):
      name(price)
      self.odds = odds.map { "\($0)" }
    case .extreme(let price, let odds, _, _):
      name(price)
      self.odds = "\(odds)"
    case .moved(let price, let old, let new, _), .movedFromOpening(let price, let old, let new):
      name(price)
      odds = "\(new)"
      previousOdds = "\(old)"
    case .suspended(let price?), .resumed(let price?): name(price)
    case .score(let score, _): self.score = "\(score.home)-\(score.away)"
    case .suspended(nil), .resumed(nil), .kickOff, .condition(_, nil, _): break
    }
  }

  private mutating func name(_ price: AlertEvent.Price) {
    switch price {
    case .outcome(let title, let outcome):
      market = title.text().bounded
      self.outcome = outcome.bounded
    case .selection(let selection): outcome = selection.word
    }
  }
}

extension AlertEvent.Content {
  fileprivate var kind: AlertReport.Kind {
    switch self {
    case .price: .price
    case .moved, .movedFromOpening: .move
    case .condition: .condition
    case .extreme(_, _, .lowest, _): .lowest
    case .extreme(_, _, .highest, _): .highest
    case .suspended: .suspended
    case .resumed: .resumed
    case .kickOff: .kickoff
    case .score: .score
    }
  }
}

extension AlertRule.Selection {
  /// The word for the selection in a rule; nil for a named outcome.
  fileprivate var word: String? { Self.words.first { $0.selection == self }?.word }
}

extension String {
  /// The text without control characters, cut to the maximum length of a text in a report.
  fileprivate var bounded: String {
    let text = cleaned
    return text.unicodeScalars.count <= AlertReport.maxText
      ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(AlertReport.maxText)))
  }
}
