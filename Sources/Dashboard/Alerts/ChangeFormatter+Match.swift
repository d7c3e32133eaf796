import Localization
import OddsModel
import TerminalCore

/// The state of a match that rules evaluate and sentences describe.
struct MatchSnapshot: Hashable, Sendable {
  private(set) var grade: Freshness.Grade
  let score: Score?
  let status: MatchStatus
  /// The main market, whose prices these are.
  private(set) var market: MarketID?
  private(set) var prices: PriceTriple

  init(_ match: Match) {
    grade = match.tradingStatus
    score = match.score
    status = match.status
    market = match.mainMarket?.id
    prices = match.mainMarket.map(PriceTriple.init) ?? PriceTriple()
  }

  /// Creates the snapshot of a match that follows an earlier one. While the match is locked, its last known grade and
  /// prices remain. While it has no main market, or one without outcomes, its last known grade remains: it is not open.
  init(_ match: Match, since old: MatchSnapshot?) {
    self.init(match)
    guard let old else { return }
    if grade == .locked {
      grade = old.grade
      market = old.market
      prices = old.prices
    } else if grade == .live, match.mainMarket?.outcomes.isEmpty ?? true {
      grade = old.grade
    }
  }
}

extension ChangeFormatter {
  /// Returns the clauses that introduce a match that has not been reported before.
  func clauses(introducing match: Match, _ snapshot: MatchSnapshot, now: FrameTime) -> [String] {
    var clauses = [words(.plainNew)]
    switch snapshot.status {
    case .ended: return clauses + [text(ofEnd: snapshot.score)]
    case .inProgress: if let score = snapshot.score { clauses.append(text(of: score, isGoal: false)) }
    case .pending, .unknown:
      if let start = match.startTime {
        clauses.append(words(.alertKickOffAt, "\(ShortText(minuteOfDay: now.local.minuteOfDay(start)))"))
      }
    }
    switch snapshot.grade {
    case .suspended: return clauses + [words(.changeSuspended)]
    case .locked: return clauses
    default: return clauses + prices(snapshot.prices, since: nil)
    }
  }

  /// Returns the clauses that describe the changes of a match since `old`. Empty if no text would differ.
  func clauses(of match: Match, _ snapshot: MatchSnapshot, since old: MatchSnapshot) -> [String] {
    var clauses: [String] = []
    if snapshot.status == .ended, old.status != .ended { return [text(ofEnd: snapshot.score)] }
    if snapshot.status == .inProgress, old.status == .pending || old.status == .unknown {
      clauses.append(words(.changeKickOff))
    }
    if let score = snapshot.score, score != old.score {
      clauses.append(
        text(of: score, isGoal: score.isGoal(since: old.score ?? Score(home: 0, away: 0), in: match)))
    }
    switch (old.grade, snapshot.grade) {
    case (.suspended, .suspended), (.closed, .closed), (_, .locked): return clauses
    case (_, .suspended): return clauses + [words(.changeSuspended)]
    case (_, .closed): return clauses + [words(.plainWithdrawn)]
    case (.suspended, _), (.closed, _): return clauses + [words(.changeResumed)] + prices(snapshot.prices, since: nil)
    case (.locked, _): return clauses + prices(snapshot.prices, since: nil)
    case _ where snapshot.market == nil && old.market != nil: return clauses + [words(.plainWithdrawn)]
    default: return clauses + prices(snapshot.prices, since: old.prices, isSameMarket: snapshot.market == old.market)
    }
  }

  /// Returns clauses for the prices that differ from `old`, or for all prices if `old` is nil or of another market. A
  /// price of `old` in whose column there is none now is withdrawn.
  private func prices(_ prices: PriceTriple, since old: PriceTriple?, isSameMarket: Bool = true) -> [String] {
    zip(PriceTriple.indices, [AlertRule.Selection.home, .draw, .away]).compactMap { column, selection in
      let cell = prices[column]
      return clause(name(of: selection), cell, since: isSameMarket || cell.state == .none ? old?[column] : nil)
    }
  }

  private func clause(_ name: String, _ cell: PriceCell, since old: PriceCell?) -> String? {
    switch cell.state {
    case .doubtful: return nil
    case .none:
      guard let old, [.live, .suspended, .lastTraded].contains(old.state) else { return nil }
      return words(.plainPriceWithdrawn, name)
    case .suspended, .closed:
      if cell.state == old?.state { return nil }
      return words(cell.state == .suspended ? .plainPriceHeld : .plainPriceWithdrawn, name)
    case .lastTraded:
      guard let odds = cell.odds, odds != old?.odds || cell.state != old?.state else { return nil }
      return words(.plainPrice, name, words(.ladderLastTraded, price(odds)))
    case .live:
      guard let odds = cell.odds else { return nil }
      let text = price(odds)
      // Only a price that can be bet on has been written as one.
      guard let old, old.state == .live, let before = old.odds else { return words(.plainPrice, name, text) }
      if text == price(before) { return nil }
      return words(odds > before ? .plainPriceUp : .plainPriceDown, name, text, price(before))
    }
  }

  func text(ofEnd score: Score?) -> String {
    score.map { words(.plainEndedAt, "\($0.home)-\($0.away)") } ?? words(.plainEnded)
  }
}
