import OddsModel

// The rule that the prompt proposes for a new alert.
extension AlertStore {
  /// Returns the text of a rule for a row: its first price reaches the next round price, or betting resumes.
  func proposal(for row: MatchRow) -> String {
    let scope = AlertRule.Scope.match(row.id, name: row.labels.name.ruleName)
    let match = engine.match(row.id)
    for selection in [AlertRule.Selection.home, .away, .draw] {
      guard let odds = selection.targets(in: match).first?.odds, odds.units > DecimalOdds.unitsPerOne else { continue }
      return AlertRule(scope, .reaching(selection, from: odds)).text
    }
    return AlertRule(scope, .resumed(nil)).text
  }
}

extension DetailPane {
  /// The text of a rule for the selected outcome; nil if none is selected.
  var proposedRule: String? {
    for case let match? in [newest, match] {
      guard let key = chosen, let market = match.markets.first(where: { $0.id == key.market }),
        let outcome = market.outcomes.first(where: { $0.id == key.outcome })
      else { continue }
      let scope = AlertRule.Scope.match(match.id, name: match.name.ruleName)
      let name = AlertOutcome(outcome, of: market, in: match)
      guard let odds = PriceCell(outcome, in: market).bettable, odds.units > DecimalOdds.unitsPerOne else {
        return AlertRule(scope, .resumed(name)).text
      }
      return AlertRule(scope, .reaching(.outcome(name), from: odds)).text
    }
    return nil
  }
}

extension AlertRule.Event {
  /// Returns a condition that the price rises by about one step, so that it does not hold at once. If the next round
  /// price exceeds the highest limit, the condition is a fall to half of that limit.
  fileprivate static func reaching(_ selection: AlertRule.Selection, from odds: DecimalOdds) -> Self {
    let limit = odds.nextRound
    if limit <= AlertRule.highestPrice { return .price(selection, .atLeast, limit) }
    return .price(selection, .atMost, DecimalOdds(units: AlertRule.highestPrice.units / 2))
  }
}

extension DecimalOdds {
  /// The steps between round prices, in hundredths, for prices below a bound in whole units.
  private static let steps: [(below: Int64, hundredths: Int64)] = [
    (2, 5), (3, 10), (6, 20), (10, 50), (20, 100), (50, 200), (100, 500), (1000, 1000), (10_000, 10_000),
    (100_000, 100_000),
  ]
  private static let largestStep: Int64 = 1_000_000

  /// The next round price that is at least half a step above this one: 2.50 for 2.45, 2.60 for 2.46.
  var nextRound: DecimalOdds {
    let hundredths = Self.steps.first { units < $0.below * Self.unitsPerOne }?.hundredths ?? Self.largestStep
    let step = hundredths * (Self.unitsPerOne / 100)
    return DecimalOdds(units: (units + step / 2 + step - 1) / step * step)
  }
}
