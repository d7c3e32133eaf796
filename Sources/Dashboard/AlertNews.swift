import OddsFeed
import TerminalCore
import Wording

/// What a rule has to tell of a match.
struct AlertNews: Hashable, Sendable {
  enum What: Hashable, Sendable {
    case price(AlertRule.Pick, DecimalOdds, AlertRule.Comparison, DecimalOdds)
    case moved(AlertRule.Pick, from: DecimalOdds, to: DecimalOdds, within: Duration)
    case suspended, resumed
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
  func isSame(as other: AlertNews) -> Bool { rule == other.rule && match == other.match && what == other.what }
}

/// Says what happens to matches, in a language and a form of prices.
struct ChangeWords: Sendable {
  let words: Catalog
  let odds: OddsFormat

  /// The one place that writes a price of these sentences.
  func price(_ odds: DecimalOdds) -> String { "\(ShortText(odds, self.odds, point: words.decimalPoint))" }

  func name(of pick: AlertRule.Pick) -> String {
    switch pick {
    case .home: words(.outcomeHome)
    case .draw: words(.outcomeDraw)
    case .away: words(.outcomeAway)
    case .favourite, .any: words(.outcomeFavourite)
    }
  }

  /// What is told, without the match.
  func text(of what: AlertNews.What, at now: Moment) -> String {
    switch what {
    case .price(let pick, let odds, let comparison, let limit):
      words(.alertPrice, name(of: pick), price(odds), "\(comparison.rawValue) \(price(limit))")
    case .moved(let pick, let old, let new, let span):
      words(
        new > old ? .alertUp : .alertDown, name(of: pick), price(new), percent(from: old, to: new), price(old),
        span.ruleText)
    case .suspended: words(.changeSuspended)
    case .resumed: words(.changeResumed)
    case .kickOff(nil): words(.changeKickOff)
    case .kickOff(let time?): words(.alertKickOffAt, "\(ShortText(minuteOfDay: now.minuteOfDay(time)))")
    case .score(let score, let isGoal): text(of: score, isGoal: isGoal)
    }
  }

  func text(of score: Score, isGoal: Bool) -> String {
    words(isGoal ? .changeGoal : .changeScore, "\(score.home)-\(score.away)")
  }

  /// The match with what is told of it.
  func sentence(of news: AlertNews, at now: Moment) -> String {
    words(.alertOfMatch, news.name, text(of: news.what, at: now))
  }

  /// "9.5 %" as its number, without a sign.
  private func percent(from old: DecimalOdds, to new: DecimalOdds) -> String {
    let change = Double((new.units - old.units).magnitude) / Double(max(1, old.units.magnitude))
    return "\(ShortText(tenths: Int((min(change, 999) * 1000).rounded()), point: words.decimalPoint))"
  }
}

extension Score {
  /// Whether football would call it a goal that the score was another before.
  func isGoal(since old: Score, in sport: SportID?) -> Bool {
    sport == 1 && home >= old.home && away >= old.away && self != old
  }
}
