import Localization
import OddsFeed
import TerminalCore

/// What a rule has to tell of a match.
struct AlertEvent: Hashable, Sendable {
  /// Which of the match's prices.
  enum Price: Hashable, Sendable {
    case pick(AlertRule.Selection)
    case outcome(MarketTitle, String)
  }

  enum What: Hashable, Sendable {
    case price(Price, DecimalOdds, AlertRule.Comparison, DecimalOdds)
    case moved(Price, from: DecimalOdds, to: DecimalOdds, within: Duration)
    /// Of an outcome, or of the match.
    case suspended(Price?), resumed(Price?)
    /// The match has begun, or begins at a time in milliseconds since 1970.
    case kickOff(at: Int64?)
    case score(Score, isGoal: Bool)
  }

  /// The rule's number.
  let rule: Int
  let match: MatchID
  /// Of the match, as the feed has it.
  let name: String
  let what: What
  /// In milliseconds since 1970.
  var at: Int64
  /// How often that was told, one after the other.
  var count = 1

  /// Whether it says the same but for the time.
  func isSame(as other: AlertEvent) -> Bool { rule == other.rule && match == other.match && what == other.what }
}

/// Says what happens to matches, in a language and a form of prices.
struct ChangeFormatter: Sendable {
  let words: Catalog
  let odds: OddsFormat

  /// The one place that writes a price of these sentences.
  func price(_ odds: DecimalOdds) -> String { "\(ShortText(odds, self.odds, point: words.decimalPoint))" }

  func name(of pick: AlertRule.Selection) -> String {
    switch pick {
    case .home: words(.outcomeHome)
    case .draw: words(.outcomeDraw)
    case .away: words(.outcomeAway)
    case .favourite, .any: words(.outcomeFavourite)
    case .outcome(let outcome): name(market: outcome.market.shown, outcome: outcome.outcome.shown)
    }
  }

  func name(of price: AlertEvent.Price) -> String {
    switch price {
    case .pick(let pick): name(of: pick)
    case .outcome(let title, let outcome): name(market: title.text(decimalPoint: decimalPoint), outcome: outcome)
    }
  }

  private func name(market: String, outcome: String) -> String { words(.alertOutcome, market, outcome) }

  private var decimalPoint: String { "\(Unicode.Scalar(words.decimalPoint))" }

  /// What is told of an outcome, without its name and the match's; of anything else without the match's.
  func shortText(of what: AlertEvent.What, at now: FrameTime) -> String {
    what.outcomePrice == nil ? text(of: what, at: now) : text(of: what, at: now) { _ in "" }.trimmedAtStart
  }

  /// What is told, without the match.
  func text(of what: AlertEvent.What, at now: FrameTime) -> String { text(of: what, at: now, name) }

  private func text(of what: AlertEvent.What, at now: FrameTime, _ name: (AlertEvent.Price) -> String) -> String {
    switch what {
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
    case .kickOff(let time?): words(.alertKickOffAt, "\(ShortText(minuteOfDay: now.minuteOfDay(time)))")
    case .score(let score, let isGoal): text(of: score, isGoal: isGoal)
    }
  }

  func text(of score: Score, isGoal: Bool) -> String {
    words(isGoal ? .changeGoal : .changeScore, "\(score.home)-\(score.away)")
  }

  /// The match with what is told of it.
  func sentence(of news: AlertEvent, at now: FrameTime) -> String {
    words(.alertOfMatch, news.name, text(of: news.what, at: now))
  }

  /// "9.5 %" as its number, without a sign.
  private func percent(from old: DecimalOdds, to new: DecimalOdds) -> String {
    let change = Double((new.units - old.units).magnitude) / Double(max(1, old.units.magnitude))
    return "\(ShortText(tenths: Int((min(change, 999) * 1000).rounded()), point: words.decimalPoint))"
  }
}

extension AlertEvent.What {
  /// The outcome that is named, where one is.
  var outcomePrice: AlertEvent.Price? {
    switch self {
    case .price(let price, _, _, _), .moved(let price, _, _, _), .suspended(let price?), .resumed(let price?):
      if case .outcome = price { price } else { nil }
    case .suspended, .resumed, .kickOff, .score: nil
    }
  }
}

extension String {
  fileprivate var trimmedAtStart: String { String(drop(while: \.isWhitespace)) }
}

extension AlertOutcome.Name {
  /// The name, or where a rule has none the id.
  fileprivate var shown: String { text.isEmpty ? id.map { "\($0)" } ?? "" : text }
}

extension Score {
  /// Whether football would call it a goal that the score was another before.
  func isGoal(since old: Score, in sport: SportID?) -> Bool {
    sport == 1 && home >= old.home && away >= old.away && self != old
  }
}
