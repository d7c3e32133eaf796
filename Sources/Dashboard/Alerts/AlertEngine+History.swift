import OddsModel

// The recorded prices that rules compare prices with.
extension AlertEngine {
  /// Applies recorded prices and returns the alerts raised. An answer for a price that is no longer watched is ignored.
  mutating func apply(_ answers: [AlertHistoryAnswer], _ rules: inout AlertRules, now: FrameTime) -> [AlertEvent] {
    var events: [AlertEvent] = []
    for answer in answers {
      guard let index = entries.index(forKey: answer.request.match.raw) else { continue }
      events += entries.values[index].apply(answer, &rules, isTrusted: isTrusted, now: now)
    }
    return events
  }
}

extension AlertEngine.Entry {
  /// Returns the requests for the recorded prices that the rules of the match lack, once for each.
  mutating func newRequests(_ id: MatchID, _ rules: AlertRules, now: FrameTime) -> [AlertHistoryRequest] {
    if !rules.readsHistory { return [] }
    var requests: [AlertHistoryRequest] = []
    for rule in ruleIndices where rules.active[rule].waitsForHistory {
      let (ruleID, event) = (rules.active[rule].id, rules.active[rule].rule.event)
      for (key, trace) in traces[ruleID] ?? [:] where trace.past == .missing {
        guard let owner = trace.owner else { continue }
        traces[ruleID]?[key]?.past = .requested(until: now.wall)
        let market = owner.outcome == nil ? match?.markets.first { $0.id == owner.market && !$0.outcomes.isEmpty } : nil
        let request = AlertHistoryRequest(
          match: id, market: owner.market, outcome: owner.outcome, present: market?.outcomes.map(\.id),
          span: event.historySpan, until: now.wall)
        if !requests.contains(request) { requests.append(request) }
      }
    }
    return requests
  }

  /// Applies recorded prices to the rules that have requested them.
  mutating func apply(
    _ answer: AlertHistoryAnswer, _ rules: inout AlertRules, isTrusted: Bool, now: FrameTime
  ) -> [AlertEvent] {
    let request = answer.request
    let owner = AlertTarget.Owner(market: request.market, outcome: request.outcome)
    var events: [AlertEvent] = []
    for rule in ruleIndices where rules.active[rule].waitsForHistory {
      let (ruleID, event) = (rules.active[rule].id, rules.active[rule].rule.event)
      guard event.historySpan == request.span else { continue }
      var hasLearned = false
      for (key, trace) in traces[ruleID] ?? [:]
      where trace.owner == owner && trace.past == .requested(until: request.until) {
        traces[ruleID]?[key]?.learn(answer.past, event, now: now)
        hasLearned = true
      }
      let opened = rules.active[rule].namesOutcome ? open : nil
      guard hasLearned, let current = opened ?? (isTrusted ? match : nil) else { continue }
      events += rules.active[rule].evaluatePrices(of: current, row, &traces, until: now.uptime, now: now)
    }
    return events
  }
}
