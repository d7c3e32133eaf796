import OddsModel

/// A rule in force, with the alerts that it has raised so far.
struct ActiveRule: Hashable, Sendable {
  /// The number of matches for which a rule remembers its alerts.
  static let maxMatches = 20_000

  enum State: Hashable, Sendable {
    case armed
    /// Raised for each of its prices. Can raise more alerts after a price has moved back by the margin.
    case waiting
    /// Raised, and raises no more alerts.
    case done
    case silenced
  }

  /// The alerts that the rule has raised for one match.
  private struct Memory: Hashable, Sendable {
    /// The prices that raise no alert at present: they have been reported, and have not moved back by the margin or
    /// belong to a rule that raises one alert for each outcome.
    var reported: Set<AlertTarget.Key> = []
    var isDone = false
    var last: AlertEvent.Content?
    var lastAt = Duration.zero
  }

  /// The id of the rule, unique while the board is open.
  let id: Int
  let rule: AlertRule
  /// False if the user added the rule by hand.
  let isConfigured: Bool
  /// True if the rule decides nothing before the recorded prices have been read.
  let waitsForHistory: Bool
  var isSilenced = false
  /// The number of alerts that the rule has raised.
  private(set) var count = 0
  private var memory: [MatchID: Memory] = [:]

  init(_ rule: AlertRule, id: Int, isConfigured: Bool, readsHistory: Bool) {
    self.rule = rule
    self.id = id
    self.isConfigured = isConfigured
    waitsForHistory = readsHistory && rule.event.usesHistory
  }

  /// Returns the state of the rule. A rule on more than one match stays armed, even after alerts for some of them.
  ///
  /// - Parameter match: The match of a rule on a single match; nil if the board has no data on it.
  func state(in match: Match?) -> State {
    if isSilenced { return .silenced }
    guard case .match(let id, _) = rule.scope, let memory = memory[id] else { return .armed }
    if memory.isDone { return .done }
    let prices = rule.event.selection?.targets(in: match) ?? []
    let hasOthers = prices.isEmpty ? rule.isPerOutcome : prices.contains { !memory.reported.contains($0.key) }
    if memory.reported.isEmpty || hasOthers { return .armed }
    return rule.isPerOutcome && rule.repetition == .once ? .done : .waiting
  }

  func isDone(_ match: MatchID) -> Bool { memory[match]?.isDone ?? false }

  /// Evaluates the conditions on the match as a whole, such as its status and score, and returns the alerts raised.
  mutating func evaluate(
    _ match: Match, _ snapshot: MatchSnapshot, since old: MatchSnapshot?, now: FrameTime
  ) -> [AlertEvent] {
    if isDone(match.id) { return [] }
    switch rule.event {
    case .suspended(nil) where old?.grade == .live && snapshot.grade == .suspended:
      return raise(.suspended(nil), of: match, now: now)
    case .resumed(nil) where old?.grade == .suspended && snapshot.grade == .live:
      return raise(.resumed(nil), of: match, now: now)
    case .score:
      guard let before = old?.score, let score = snapshot.score, score != before else { return [] }
      return raise(.score(score, isGoal: score.isGoal(since: before, in: match)), of: match, now: now)
    case .kickOff(.zero):
      let isBegun = snapshot.status == .inProgress && (old?.status == .pending || old?.status == .unknown)
      return isBegun ? raise(.kickOff(at: nil), of: match, now: now) : []
    case .price, .move, .suspended, .resumed, .kickOff, .condition, .moveFromOpening, .extreme: return []
    }
  }

  /// Returns the time at which the clock raises a kick-off alert for a match, in milliseconds since 1970; nil if it
  /// raises none.
  func alarm(of match: Match) -> Int64? {
    guard case .kickOff(let before) = rule.event, let start = match.startTime, !isDone(match.id) else { return nil }
    switch match.status {
    case .inProgress, .ended: return nil
    // If the feed reports the status of the match, the status decides and no alarm is needed.
    case .pending: if before == .zero { return nil }
    case .unknown: break
    }
    return start - Int64(before / .milliseconds(1))
  }

  /// True if the rule names an outcome. Some outcomes are only known while their match is open.
  var namesOutcome: Bool { rule.event.outcome != nil || rule.isPerOutcome }

  /// Evaluates the conditions on prices and returns the alerts raised.
  ///
  /// - Parameters:
  ///   - match: The match, or nil if the board has no data on it.
  ///   - row: The row of the match, for conditions.
  ///   - traces: The traces of the match, by rule id.
  ///   - until: The uptime up to which the previous prices were valid.
  mutating func evaluatePrices(
    of match: Match?, _ row: ConditionRow?, _ traces: inout [Int: [AlertTarget.Key: AlertTrace]], until: Duration,
    now: FrameTime
  ) -> [AlertEvent] {
    guard let targets = rule.event.selection?.targets(in: match), match.map({ !isDone($0.id) }) ?? true else {
      return []
    }
    if case .price(_, let comparison, let limit) = rule.event {
      return match.map { match in targets.flatMap { evaluate(match, $0, comparison, limit, now: now) } } ?? []
    }
    var known = traces[id] ?? [:]
    defer { traces[id] = known }
    let keys = Set(targets.map(\.key))
    for key in known.keys where !keys.contains(key) { known[key]!.end(at: until) }
    guard let match else { return [] }
    return targets.flatMap { target in
      evaluate(match, target, row, &known[target.key, default: AlertTrace()], until: until, now: now)
    }
  }

  private mutating func evaluate(
    _ match: Match, _ target: AlertTarget, _ comparison: Comparison, _ limit: DecimalOdds, now: FrameTime
  ) -> [AlertEvent] {
    guard let odds = target.odds else { return [] }
    if let reported = memory[match.id]?.reported, reported.contains(target.key) {
      if case .againBy(let margin) = rule.repetition, comparison.isBack(odds, limit, by: margin) {
        memory[match.id]!.reported.remove(target.key)
      }
      return []
    }
    guard comparison.holds(odds, limit) else { return [] }
    let events = raise(.price(target.name, odds, comparison, limit), of: match, now: now)
    memory[match.id]?.reported.insert(target.key)
    return events
  }

  /// Evaluates a condition that depends on earlier prices. A trace starts anew if the price belongs to another market
  /// or outcome than before, because the earlier prices of that market are not comparable.
  private mutating func evaluate(
    _ match: Match, _ target: AlertTarget, _ row: ConditionRow?, _ trace: inout AlertTrace, until: Duration,
    now: FrameTime
  ) -> [AlertEvent] {
    if trace.owner != target.owner {
      trace = AlertTrace(owner: target.owner)
      if waitsForHistory { trace.past = .missing }
    }
    let old = trace.state
    // While the price may be out of date, its last known state remains the one that later states are compared with.
    if target.state != .doubtful { trace.state = target.state }
    switch rule.event {
    case .suspended where old == .live && target.state == .suspended:
      return raise(.suspended(target.name), of: match, now: now)
    case .resumed where old == .suspended && target.state == .live:
      return raise(.resumed(target.name), of: match, now: now)
    case .move(_, let direction, let percent, let span):
      var history = trace.history.take() ?? SlidingPriceRange(span: span)
      defer { trace.history = history }
      guard let odds = target.odds else {
        history.end(at: until)
        return []
      }
      history.apply(odds, previousUntil: until)
      guard let before = history.moved(direction, by: percent, now: now.uptime) else { return [] }
      history.restart()
      return raise(.moved(target.name, from: before, to: odds, within: span), of: match, target, now: now)
    case .condition(let condition, _):
      return row.map { evaluate(condition, match, target, $0, &trace, now: now) } ?? []
    case .moveFromOpening(_, let direction, let percent):
      return evaluateOpening(match, target, &trace, direction, by: percent, now: now)
    case .extreme(_, let extreme, let span):
      return evaluateExtreme(match, target, &trace, extreme, within: span, until: until, now: now)
    default: return []
    }
  }

  /// Raises an alert about a price. A rule on each outcome that does not repeat itself raises one for each of them.
  mutating func raise(
    _ content: AlertEvent.Content, of match: Match, _ target: AlertTarget, now: FrameTime
  ) -> [AlertEvent] {
    if rule.isPerOutcome, rule.repetition == .once, !markReported(target.key, of: match.id) { return [] }
    return raise(content, of: match, now: now)
  }

  /// Raises an alert, unless the rule is done with the match or the alert repeats the rule's last one for the match.
  mutating func raise(_ content: AlertEvent.Content, of match: Match, now: FrameTime) -> [AlertEvent] {
    var known = memory[match.id] ?? Memory()
    if known.isDone { return [] }
    let isRepetition = known.last == content && content.isRepetition(after: now.uptime - known.lastAt)
    known.last = content
    known.lastAt = now.uptime
    known.isDone = rule.repetition == .once && !rule.isPerOutcome
    remember(known, of: match.id)
    if isRepetition { return [] }
    count += 1
    return [AlertEvent(rule: id, match: match.id, name: match.name, content: content, time: now.wall)]
  }

  /// Records that the price was reported. Returns false if it already was.
  private mutating func markReported(_ key: AlertTarget.Key, of match: MatchID) -> Bool {
    var known = memory[match] ?? Memory()
    let isNew = known.reported.insert(key).inserted
    remember(known, of: match)
    return isNew
  }

  // NB: At the limit, the memory of all matches is cleared, so alerts can repeat. A board never has so many matches.
  private mutating func remember(_ known: Memory, of match: MatchID) {
    if memory.count >= Self.maxMatches, memory[match] == nil { memory.removeAll() }
    memory[match] = known
  }
}

extension AlertEvent.Content {
  /// Returns true if this event, equal to the last one of the match and `time` after it, is not reported again: a match
  /// can be in two channels. A price needs no such test, because it is reported once until it moves back.
  fileprivate func isRepetition(after time: Duration) -> Bool {
    switch self {
    case .price: false
    case .score: true
    case .moved, .suspended, .resumed, .kickOff, .condition, .movedFromOpening, .extreme: time < .seconds(10)
    }
  }
}
