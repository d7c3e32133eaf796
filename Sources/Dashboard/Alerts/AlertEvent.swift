import Localization
import OddsModel
import TerminalCore

/// An alert that a rule has raised for a match.
struct AlertEvent: Hashable, Sendable {
  /// The price that the alert refers to.
  enum Price: Hashable, Sendable {
    case selection(AlertRule.Selection)
    case outcome(MarketTitle, String)
  }

  enum Content: Hashable, Sendable {
    case price(Price, DecimalOdds, Comparison, DecimalOdds)
    case moved(Price, from: DecimalOdds, to: DecimalOdds, within: Duration)
    /// An event of an outcome, or of the whole match if nil.
    case suspended(Price?), resumed(Price?)
    /// The match has begun if nil, or else begins at that time, in milliseconds since 1970.
    case kickOff(at: Int64?)
    case score(Score, isGoal: Bool)
    /// A condition became true, for an outcome with that price or for the match.
    case condition(String, Price?, DecimalOdds?)
    case movedFromOpening(Price, from: DecimalOdds, to: DecimalOdds)
    case extreme(Price, DecimalOdds, AlertRule.Extreme, within: Duration)
  }

  /// The id of the rule.
  let rule: Int
  let match: MatchID
  /// The name of the match as the feed sends it.
  let name: String
  let content: Content
  /// The time of the alert, in milliseconds since 1970.
  var time: Int64
  /// The number of identical alerts that this entry stands for.
  var count = 1

  /// Returns true if the alerts are equal except for `time` and `count`.
  func isSame(as other: AlertEvent) -> Bool { rule == other.rule && match == other.match && content == other.content }
}

/// Formats changes of matches as text, in a language and an odds format.
struct ChangeFormatter: Sendable {
  let words: Catalog
  let odds: OddsFormat

  /// Formats a price. All sentences format their prices with this function.
  func price(_ odds: DecimalOdds) -> String { "\(words.price(odds, self.odds))" }

  func name(of selection: AlertRule.Selection) -> String {
    switch selection {
    case .home: words(.outcomeHome)
    case .draw: words(.outcomeDraw)
    case .away: words(.outcomeAway)
    case .favourite, .any, .everyOutcome: words(.outcomeFavourite)
    case .outcome(let outcome): words(.alertOutcome, outcome.market.shown, outcome.outcome.shown)
    }
  }

  func name(of price: AlertEvent.Price) -> String {
    switch price {
    case .selection(let selection): name(of: selection)
    case .outcome(let title, let outcome): words(.alertOutcome, title.text(words), outcome)
    }
  }

  /// Returns the text without the match and, for a named outcome, without the name of the outcome.
  func shortText(of content: AlertEvent.Content, now: FrameTime) -> String {
    if content.outcomePrice == nil { return text(of: content, now: now) }
    return String(text(of: content, now: now) { _ in "" }.drop(while: \.isWhitespace))
  }

  /// Returns the text without the name of the match.
  func text(of content: AlertEvent.Content, now: FrameTime) -> String { text(of: content, now: now, name) }

  private func text(of content: AlertEvent.Content, now: FrameTime, _ name: (AlertEvent.Price) -> String) -> String {
    switch content {
    case .price(let subject, let odds, let comparison, let limit):
      words(.alertPrice, name(subject), price(odds), "\(comparison.rawValue) \(price(limit))")
    case .moved(let subject, let old, let new, let span):
      words(
        new > old ? .alertUp : .alertDown, name(subject), price(new), percent(from: old, to: new), price(old),
        span.ruleText)
    case .suspended(nil): words(.changeSuspended)
    case .suspended(let price?): words(.plainPriceHeld, name(price))
    case .resumed(nil): words(.changeResumed)
    case .resumed(let price?): words(.alertOutcomeResumed, name(price))
    case .kickOff(nil): words(.changeKickOff)
    case .kickOff(let time?): words(.alertKickOffAt, "\(ShortText(minuteOfDay: now.local.minuteOfDay(time)))")
    case .score(let score, let isGoal): text(of: score, isGoal: isGoal)
    case .condition(let condition, nil, _): condition
    case .condition(let condition, let subject?, let odds):
      words(.alertPrice, name(subject), odds.map(price) ?? "-", condition)
    case .movedFromOpening(let subject, let old, let new):
      words(
        new > old ? .alertUpFromOpening : .alertDownFromOpening, name(subject), price(new),
        percent(from: old, to: new), price(old))
    case .extreme(let subject, let odds, let extreme, let span):
      words(extreme == .lowest ? .alertLowest : .alertHighest, name(subject), price(odds), span.ruleText)
    }
  }

  func text(of score: Score, isGoal: Bool) -> String {
    words(isGoal ? .changeGoal : .changeScore, "\(score.home)-\(score.away)")
  }

  /// Returns the text with the name of the match.
  func sentence(of events: AlertEvent, now: FrameTime) -> String {
    words(.alertOfMatch, events.name, text(of: events.content, now: now))
  }

  /// Returns the relative change as a number with one decimal, without a sign: "9.5" for 9.5 %.
  private func percent(from old: DecimalOdds, to new: DecimalOdds) -> String {
    let change = Double((new.units - old.units).magnitude) / Double(max(1, old.units.magnitude))
    return "\(words.tenths(Int((min(change, 999) * 1000).rounded())))"
  }
}

extension AlertEvent.Content {
  /// The named outcome that the event refers to, or nil.
  var outcomePrice: AlertEvent.Price? {
    switch self {
    case .price(let price, _, _, _), .moved(let price, _, _, _), .suspended(let price?), .resumed(let price?):
      if case .outcome = price { price } else { nil }
    case .condition(_, let price?, _), .movedFromOpening(let price, _, _), .extreme(let price, _, _, _):
      if case .outcome = price { price } else { nil }
    case .suspended, .resumed, .kickOff, .score, .condition: nil
    }
  }
}

extension AlertOutcome.Name {
  /// The name, or the id if the rule gives no name.
  fileprivate var shown: String { text.isEmpty ? id.map { "\($0)" } ?? "" : text }
}

extension Score {
  /// Returns true if the change from `old` is a goal: the sport is football, and neither side's score has gone down.
  func isGoal(since old: Score, in match: Match) -> Bool {
    home >= old.home && away >= old.away && self != old && NamedSport.football.isSport(of: match)
  }
}
