import OddsModel

// The conditions that raise an alert when they become true.
extension ActiveRule {
  var hasCondition: Bool { if case .condition = rule.event { true } else { false } }

  /// Evaluates a condition on the match as a whole and returns the alerts raised.
  ///
  /// - Parameter current: The row of the match.
  mutating func evaluateCondition(
    of match: Match, _ current: ConditionRow, _ traces: inout [Int: [AlertTarget.Key: AlertTrace]], now: FrameTime
  ) -> [AlertEvent] {
    guard case .condition(let condition, .match) = rule.event, !isDone(match.id) else { return [] }
    let decision = condition.decide(current, price: nil, margin: match.mainMarket?.margin, wall: now.wall)
    guard traces[id, default: [:]][.match, default: AlertTrace()].becomesTrue(decision) else { return [] }
    return raise(.condition(condition.text, nil, nil), of: match, now: now)
  }

  /// Evaluates a condition on an outcome.
  mutating func evaluate(
    _ condition: AlertCondition, _ match: Match, _ target: AlertTarget, _ current: ConditionRow,
    _ trace: inout AlertTrace, now: FrameTime
  ) -> [AlertEvent] {
    let price = PriceCell(state: target.state, odds: target.odds)
    let decision = condition.decide(current, price: price, margin: match.mainMarket?.margin, wall: now.wall)
    guard trace.becomesTrue(decision) else { return [] }
    return raise(.condition(condition.text, target.name, target.odds), of: match, target, now: now)
  }

  /// Evaluates the distance of a price from the opening price.
  mutating func evaluateOpening(
    _ match: Match, _ target: AlertTarget, _ trace: inout AlertTrace, _ direction: AlertRule.Direction,
    by percent: AlertRule.Percent, now: FrameTime
  ) -> [AlertEvent] {
    guard let odds = target.odds else { return [] }
    trace.see(odds, at: now.uptime)
    let opening = trace.opening ?? odds
    trace.opening = opening
    guard trace.past == .known, trace.becomesTrue(odds.isBeyond(opening, direction, by: percent)) else { return [] }
    return raise(.movedFromOpening(target.name, from: opening, to: odds), of: match, target, now: now)
  }

  /// Evaluates whether a price is beyond all earlier ones of the time span. Prices are compared in thousandths, as they
  /// are recorded.
  mutating func evaluateExtreme(
    _ match: Match, _ target: AlertTarget, _ trace: inout AlertTrace, _ extreme: AlertRule.Extreme,
    within span: Duration, until: Duration, now: FrameTime
  ) -> [AlertEvent] {
    var history = trace.history.take() ?? SlidingPriceRange(span: span)
    defer { trace.history = history }
    guard let odds = target.odds else {
      history.end(at: until)
      return []
    }
    trace.see(odds, at: now.uptime)
    history.apply(odds.inThousandths, previousUntil: until)
    guard trace.past == .known, trace.becomesTrue(history.isExtreme(extreme, now: now.uptime)) else { return [] }
    return raise(.extreme(target.name, odds, extreme, within: span), of: match, target, now: now)
  }
}

extension AlertTrace {
  /// Records a decision. Returns true if it was false and is true now. The first decision is no change.
  fileprivate mutating func becomesTrue(_ decision: Bool) -> Bool {
    defer { holds = decision }
    return decision && holds == false
  }

  /// Records the decision of a condition; nil leaves the last one in force. Returns true if it was false and is true
  /// now. The first decision is no change. It counts as the first if the last one rests on prices of another main
  /// market, or of one with other outcomes.
  fileprivate mutating func becomesTrue(_ new: AlertDecision?) -> Bool {
    guard let new else { return false }
    let old = decision
    decision = new
    guard let old, !old.restsOnPrices || old.market == new.market else { return false }
    return new.holds && !old.holds
  }

  /// Remembers the first price that was seen.
  fileprivate mutating func see(_ odds: DecimalOdds, at time: Duration) {
    if first != nil { return }
    first = odds
    firstTime = time
  }
}

extension SlidingPriceRange {
  /// Returns true if the current price is lower, or higher, than each earlier one in the window. False if there is no
  /// earlier one.
  mutating func isExtreme(_ extreme: AlertRule.Extreme, now: Duration) -> Bool {
    prune(now: now)
    guard let current else { return false }
    switch extreme {
    case .lowest: return lowest.map { current < $0 } ?? false
    case .highest: return highest.map { current > $0 } ?? false
    }
  }
}
