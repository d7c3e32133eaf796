import Localization
import OddsModel
import TestSupport
import Testing

@testable import Dashboard

/// The matches that a filter covers, compared with an evaluation of the expression on the match itself.
struct FilterLawTests {
  private static func outcome(_ index: Int, _ key: String, using random: inout SeededRandom) -> Outcome {
    let id = UInt64(index + 1)
    let hundredths: Int64 = [150, 175, 200, 250, 305, 400].randomElement(using: &random)!
    let state = Int.random(in: 0..<16, using: &random)
    let status: OfferStatus =
      switch state {
      case 0: .suspended
      case 1: .removed
      default: .standard
      }
    let offer = BettingOffer(
      id: OfferID(raw: id), odds: DecimalOdds(units: hundredths * 100_000), status: status, isAvailable: state != 1)
    return Outcome(
      id: OutcomeID(raw: id), name: key, key: key, offer: state == 2 ? nil : offer, isBettable: state > 2)
  }

  private static func names(using random: inout SeededRandom) -> Match.Names {
    func pick(_ names: [String]) -> String { names.randomElement(using: &random)! }
    let home = pick(FilterNames.sides)
    let away = pick(FilterNames.sides)
    let separator = pick(FilterNames.separators)
    let hasSides = Int.random(in: 0..<4, using: &random) > 0
    return Match.Names(
      name: Int.random(in: 0..<8, using: &random) == 0 ? "Final" : home + separator + away,
      home: hasSides ? home : "", away: hasSides ? away : "", tournament: pick(FilterNames.tournaments),
      category: pick(FilterNames.countries), part: pick(FilterNames.parts), sport: pick(FilterNames.sports))
  }

  private static func match(_ id: MatchID, wall: Int64, using random: inout SeededRandom) -> Match {
    let sportIDs: [SportID?] = [nil, 1, 3, 8, 9]
    let statuses: [MatchStatus] = [.pending, .pending, .inProgress, .inProgress, .ended, .unknown]
    let halfHours: [Int64?] = [nil, -4, -1, 0, 1, 2, 4, 48]
    let minutes: [Int?] = [nil, 0, 45, 81, 90]
    let keys = Bool.random(using: &random) ? ["home", "draw", "away"] : ["home", "away"]
    let market = Market(
      id: MarketID(raw: 10), name: "Match Odds",
      outcomes: keys.enumerated().map { outcome($0, $1, using: &random) })
    let start = halfHours.randomElement(using: &random)!
    return Match(
      id: id, labels: names(using: &random), sportID: sportIDs.randomElement(using: &random)!,
      startTime: start.map { wall + $0 * 1_800_000 }, status: statuses.randomElement(using: &random)!,
      score: Int.random(in: 0..<4, using: &random) == 0
        ? nil : Score(home: Int.random(in: 0...2, using: &random), away: Int.random(in: 0...2, using: &random)),
      minute: minutes.randomElement(using: &random)!,
      markets: Int.random(in: 0..<6, using: &random) == 0 ? [] : [market])
  }

  @Test("A filter covers the matches for which its expression is true, in any form of its text")
  func law() throws {
    var covered = 0
    var others = 0
    for seed in Laws.seeds(600) {
      var random = SeededRandom(seed: seed)
      let expression = FilterExpression.make(depth: 3, using: &random)
      let text = expression.written(using: &random)
      let context = FilterContext(wall: 1_750_752_000_000, pinned: [1, 3])
      let filter = try #require(try MatchFilter(text, .english, context), "seed \(seed), \(text)")
      for id in 1...4 {
        let match = Self.match(MatchID(raw: UInt64(id)), wall: context.wall, using: &random)
        let isCovered = expression.holds(for: match, context)
        let row = MatchRow(match, now: .zero, newest: nil)
        #expect(filter.matches(row) == isCovered, "seed \(seed), match \(id): \(text)")
        if isCovered { covered += 1 } else { others += 1 }
      }
    }
    #expect(covered > 200 && others > 200)
  }

  @Test("The result of a filter changes with time only for a match of which the filter says so")
  func time() throws {
    var changed = 0
    var others = 0
    for seed in Laws.seeds(600) {
      var random = SeededRandom(seed: seed)
      let seconds = 1800 * Int64.random(in: -2...4, using: &random)
      let sign = ["<", "<=", "=", "!=", ">=", ">"].randomElement(using: &random)!
      let start = FilterExpression.number(.start, sign: sign, value: seconds * 100, text: "\(seconds)s")
      let other = FilterExpression.make(depth: 2, using: &random)
      let expression = Bool.random(using: &random) ? FilterExpression.all([start, other]) : .any([other, .not(start)])
      let text = expression.written(using: &random)
      let node = try #require(try FilterParser.node(text), "seed \(seed), \(text)")
      let old = FilterContext(wall: 1_750_752_000_000, pinned: [1, 3])
      for id in 1...4 {
        let match = Self.match(MatchID(raw: UInt64(id)), wall: old.wall, using: &random)
        var new = old
        new.wall += Int64.random(in: -4...4, using: &random) * 1_800_000 + 10 * Int64.random(in: -1...1, using: &random)
        let isChanged = expression.holds(for: match, old) != expression.holds(for: match, new)
        let canChange = node.canChange(for: match, from: old.wall, to: new.wall)
        if isChanged {
          changed += 1
          #expect(canChange, "seed \(seed), match \(id): \(text)")
        }
        if !canChange { others += 1 }
      }
    }
    #expect(changed > 50 && others > 500)
  }
}
