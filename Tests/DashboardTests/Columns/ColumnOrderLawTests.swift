import OddsModel
import TestSupport
import Testing

@testable import Dashboard

/// The orders by all columns, compared with a plain sort of values that are read from the matches.
struct ColumnOrderLawTests {
  /// A value as a person reads it from a row.
  private enum Value {
    case number(Double)
    case text(String)
  }

  private static func outcome(_ index: Int, _ match: UInt64, using random: inout SeededRandom) -> Outcome {
    let id = match * 100 + UInt64(index)
    func offer(_ side: OfferSide) -> BettingOffer {
      BettingOffer(
        id: OfferID(raw: id), odds: DecimalOdds(units: Int64.random(in: 101...400, using: &random) * 100_000)
      )
      .on(side, level: 0, size: Amount(units: Int64.random(in: 1...5, using: &random) * 10_000_000_000, currency: nil))
    }
    let isBettable = Int.random(in: 0..<5, using: &random) > 0
    let back = offer(.back)
    return Outcome(
      id: OutcomeID(raw: id), name: ["1", "X", "2"][index], offer: back, isBettable: isBettable,
      exchange: ExchangePrices(backs: [back], lays: Bool.random(using: &random) ? [offer(.lay)] : []))
  }

  private static func match(_ id: UInt64, using random: inout SeededRandom) -> Match {
    func name(_ names: [String]) -> String { names.randomElement(using: &random)! }
    let labels = Match.Names(
      name: name(["Ajax - Porto", "ajax - Porto B", "北京国安 - 上海海港", "Zürich - Basel", "Ajax - Porto"]),
      tournament: name(["", "Serie A", "serie b", "中超联赛"]), category: name(["", "Italy", "China"]),
      part: name(["", "1st Half", "2nd Half"]), sport: name(["", "Football", "Tennis"]))
    let market = Market(
      id: MarketID(raw: id * 10), name: "Match Odds",
      outcomes: (0..<3).map { outcome($0, id, using: &random) },
      exchange: ExchangeMarket(
        status: .open,
        totalMatched: Bool.random(using: &random)
          ? Amount(units: Int64.random(in: 1...9, using: &random) * 10_000_000, currency: nil) : nil))
    return Match(
      id: MatchID(raw: id), labels: labels, sportID: 1,
      startTime: Bool.random(using: &random) ? Int64.random(in: 1...4, using: &random) * 1000 : nil,
      status: [.pending, .inProgress, .ended, .unknown].randomElement(using: &random)!,
      score: Bool.random(using: &random)
        ? Score(home: Int.random(in: 0...2, using: &random), away: Int.random(in: 0...2, using: &random)) : nil,
      minute: Bool.random(using: &random) ? Int.random(in: 0...90, using: &random) : nil,
      markets: Int.random(in: 0..<5, using: &random) > 0 ? [market] : [])
  }

  /// Returns the value of a column. The lowest value comes first in the column's usual direction.
  private static func value(
    _ column: BoardColumn, _ match: Match, _ row: MatchRow, _ method: MarginMethod
  ) -> Value? {
    func text(_ text: String) -> Value? { text.isEmpty ? nil : .text(text.lowercased()) }
    func number(_ number: (some BinaryInteger)?, sign: Double = 1) -> Value? {
      number.map { .number(sign * Double($0)) }
    }
    let market = match.mainMarket
    func outcome(_ index: Int) -> Outcome? { market?.outcomes[index] }
    func bettable(_ index: Int) -> Outcome? { outcome(index).flatMap { $0.isBettable ? $0 : nil } }
    switch column {
    case .name: return text(match.labels.name)
    case .sport: return text(match.labels.sport)
    case .part: return text(match.labels.part)
    case .tournament: return text(match.labels.tournament)
    case .country: return text(match.labels.category)
    case .time:
      // In play first, the most advanced clock first; then by start, then ended ones.
      switch (match.status, match.minute) {
      case (.inProgress, let minute?): return .number(-2e15 - Double(minute))
      case (.inProgress, nil): return .number(-1e15 + Double(match.startTime ?? 1_000_000))
      case (.ended, _): return .number(1e15 + Double(match.startTime ?? 1_000_000))
      default: return number(match.startTime)
      }
    case .minute: return match.status == .inProgress ? number(match.minute, sign: -1) : nil
    case .score: return number(match.score.map { $0.home + $0.away }, sign: -1)
    case .home: return number(bettable(0)?.offer?.odds?.units)
    case .draw: return number(bettable(1)?.offer?.odds?.units)
    case .away: return number(bettable(2)?.offer?.odds?.units)
    case .favourite: return number(market?.favourite?.units)
    case .fair:
      let fair = market.flatMap { FairPrices($0, method) }
      return number(fair.flatMap { fair in (0..<3).compactMap { fair.odds(ofOutcomeAt: $0)?.units }.min() })
    case .margin: return number(market?.margin.map { Int(($0 * 1000).rounded()) })
    case .mover: return number(row.move.map(\.magnitude), sign: -1)
    case .oneMinute: return number(row.moves.oneMinute?.magnitude, sign: -1)
    case .fiveMinutes: return number(row.moves.fiveMinutes?.magnitude, sign: -1)
    case .change: return row.changedAt.map { .number(-Double($0 / .microseconds(1))) }
    case .trend:
      guard row.trend.prices.count > 1 else { return nil }
      return .number((Double(row.trend.prices.last!) / Double(row.trend.prices[0]) * 1_000_000).rounded())
    case .matched: return number(market?.exchange?.totalMatched?.units, sign: -1)
    case .homeLay: return number(outcome(0)?.exchange?.lays.first?.odds?.units)
    case .drawLay: return number(outcome(1)?.exchange?.lays.first?.odds?.units)
    case .awayLay: return number(outcome(2)?.exchange?.lays.first?.odds?.units)
    case .homeBackSize: return number(bettable(0)?.exchange?.backs.first?.size?.units, sign: -1)
    case .drawBackSize: return number(bettable(1)?.exchange?.backs.first?.size?.units, sign: -1)
    case .awayBackSize: return number(bettable(2)?.exchange?.backs.first?.size?.units, sign: -1)
    case .homeLaySize: return number(outcome(0)?.exchange?.lays.first?.size?.units, sign: -1)
    case .drawLaySize: return number(outcome(1)?.exchange?.lays.first?.size?.units, sign: -1)
    case .awayLaySize: return number(outcome(2)?.exchange?.lays.first?.size?.units, sign: -1)
    }
  }

  /// Returns true if a value comes before another, nil if both are equal.
  private static func precedes(_ left: Value?, _ right: Value?, isReversed: Bool) -> Bool? {
    switch (left, right) {
    case (nil, nil): return nil
    case (_?, nil): return true
    case (nil, _?): return false
    case (.number(let left)?, .number(let right)?): return left == right ? nil : (left < right) != isReversed
    case (.text(let left)?, .text(let right)?):
      let (left, right) = (Array(left.unicodeScalars), Array(right.unicodeScalars))
      return left == right ? nil : left.lexicographicallyPrecedes(right) != isReversed
    default: return nil
    }
  }

  /// The columns, with each method of the fair prices where it matters.
  private static let columns =
    BoardColumn.allCases.map { (column: $0, method: MarginMethod.proportional) } + [(.fair, .power)]

  @Test("Sorting by any column in either direction equals a plain sort, with rows without a value last")
  func law() {
    for seed in Laws.seeds(8) {
      var random = SeededRandom(seed: seed)
      for (column, method) in Self.columns {
        for isReversed in [false, true] {
          let order = RowOrder(column, isReversed: isReversed)
          let pinned = Set((0..<2).map { _ in MatchID(raw: UInt64.random(in: 1...24, using: &random)) })
          var rows = RowList(order: order, method, pinned: pinned)
          rows.trackMoves(true, knownSince: 0, second: 0)
          var matches: [MatchID: Match] = [:]
          for step in 0..<40 {
            let match = Self.match(UInt64.random(in: 1...24, using: &random), using: &random)
            matches[match.id] = match
            let second = step * 11
            rows.refreshMoves(second: second)
            rows.update([match], now: .seconds(second), second: second)
            if step.isMultiple(of: 7), let gone = matches.keys.min() {
              rows.remove(gone)
              matches[gone] = nil
            }
          }
          rows.applyMoves()
          let shown = (0..<rows.count).map { rows[$0] }
          #expect(shown.count == matches.count)
          let plain = shown.sorted { left, right in
            if pinned.contains(left.id) != pinned.contains(right.id) { return pinned.contains(left.id) }
            let values = [left, right].map { Self.value(column, matches[$0.id]!, $0, method) }
            if let isFirst = Self.precedes(values[0], values[1], isReversed: isReversed) { return isFirst }
            let starts = [left, right].map { $0.startTime ?? .max }
            return starts[0] != starts[1] ? starts[0] < starts[1] : left.id < right.id
          }
          #expect(shown.map(\.id) == plain.map(\.id), "seed \(seed), \(column), \(method), reversed: \(isReversed)")
        }
      }
    }
  }
}
