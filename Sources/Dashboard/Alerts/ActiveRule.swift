import OddsFeed

/// A rule in force, with the alerts that it has raised so far.
struct ActiveRule: Hashable, Sendable {
  /// The number of matches for which a rule remembers its alerts.
  static let longestMemory = 20_000

  enum State: Hashable, Sendable {
    case armed
    /// Raised, and waits for the price to move back past the margin.
    case waiting
    /// Raised, and raises no more alerts.
    case done
    case silenced
  }

  /// The alerts that the rule has raised for one match.
  private struct Memory: Hashable, Sendable {
    /// The prices that are beyond the limit and already reported.
    var told: Set<AlertTarget.Key> = []
    var isDone = false
    var last: AlertEvent.What?
    var lastAt = Duration.zero
  }

  /// The id of the rule, unique while the board is open.
  let id: Int
  let rule: AlertRule
  /// False if the user added the rule by hand.
  let isConfigured: Bool
  var isSilenced = false
  /// The number of alerts that the rule has raised.
  private(set) var count = 0
  private var memory: [MatchID: Memory] = [:]

  init(_ rule: AlertRule, id: Int, isConfigured: Bool) {
    (self.rule, self.id, self.isConfigured) = (rule, id, isConfigured)
  }

  /// The state of the rule. A rule on more than one match stays armed, even after alerts for some of them.
  var state: State {
    if isSilenced { return .silenced }
    guard case .match(let id, _) = rule.scope, let memory = memory[id] else { return .armed }
    return memory.isDone ? .done : memory.told.isEmpty ? .armed : .waiting
  }

  func isDone(_ match: MatchID) -> Bool { memory[match]?.isDone ?? false }

  /// Evaluates the conditions on the match as a whole, such as its status and score, and returns the alerts raised.
  ///
  /// - Parameter old: The previous snapshot, or nil if there was none.
  mutating func judge(
    _ match: Match, _ sight: MatchSnapshot, since old: MatchSnapshot?, at now: FrameTime
  ) -> [AlertEvent] {
    if isDone(match.id) { return [] }
    switch rule.event {
    case .price, .move: return []
    case .suspended(let outcome):
      if outcome != nil { return [] }
      return old?.grade == .live && sight.grade == .suspended ? tell(.suspended(nil), of: match, at: now) : []
    case .resumed(let outcome):
      if outcome != nil { return [] }
      return old?.grade == .suspended && sight.grade == .live ? tell(.resumed(nil), of: match, at: now) : []
    case .score:
      guard let before = old?.score, let score = sight.score, score != before else { return [] }
      return tell(.score(score, isGoal: score.isGoal(since: before, in: match.sportID)), of: match, at: now)
    case .kickOff(.zero):
      let isBegun = sight.status == .inProgress && (old?.status == .pending || old?.status == .unknown)
      return isBegun ? tell(.kickOff(at: nil), of: match, at: now) : []
    case .kickOff: return []
    }
  }

  /// Raises an alert for a match that starts at `time`, in milliseconds since 1970.
  mutating func kickOff(of match: Match, at time: Int64, now: FrameTime) -> [AlertEvent] {
    tell(.kickOff(at: time), of: match, at: now)
  }

  /// Evaluates the conditions on prices and returns the alerts raised.
  ///
  /// - Parameters:
  ///   - match: The match, or nil if the board has no data on it.
  ///   - traces: The traces of this rule for this match.
  ///   - until: The uptime up to which the previous prices were valid.
  mutating func judgePrices(
    of match: Match?, _ traces: inout [AlertTarget.Key: AlertTrace], until: Duration, at now: FrameTime
  ) -> [AlertEvent] {
    guard let pick = rule.event.pick, match.map({ !isDone($0.id) }) ?? true else { return [] }
    let targets = pick.targets(in: match)
    for key in traces.keys where !targets.contains(where: { $0.key == key }) { traces[key]!.end(at: until) }
    guard let match else { return [] }
    return targets.flatMap { target -> [AlertEvent] in
      if case .price(_, let comparison, let limit) = rule.event {
        return judge(match, target, comparison, limit, at: now)
      }
      return judge(match, target, &traces[target.key, default: AlertTrace()], until: until, at: now)
    }
  }

  private mutating func judge(
    _ match: Match, _ target: AlertTarget, _ comparison: Comparison, _ limit: DecimalOdds, at now: FrameTime
  ) -> [AlertEvent] {
    guard let odds = target.odds else { return [] }
    if let told = memory[match.id]?.told, told.contains(target.key) {
      if case .againBy(let margin) = rule.repetition, comparison.isBack(odds, limit, by: margin) {
        memory[match.id]!.told.remove(target.key)
      }
      return []
    }
    guard comparison.holds(odds, limit) else { return [] }
    let news = tell(.price(target.name, odds, comparison, limit), of: match, at: now)
    memory[match.id]?.told.insert(target.key)
    return news
  }

  /// Evaluates a condition that depends on earlier prices. A trace starts anew if the price belongs to another market
  /// or outcome than before, because the earlier prices of that market are not comparable.
  private mutating func judge(
    _ match: Match, _ target: AlertTarget, _ trace: inout AlertTrace, until: Duration, at now: FrameTime
  ) -> [AlertEvent] {
    if trace.owner != target.owner { trace = AlertTrace(owner: target.owner) }
    let old = trace.state
    trace.state = target.state
    switch rule.event {
    case .suspended where old == .live && target.state == .suspended:
      return tell(.suspended(target.name), of: match, at: now)
    case .resumed where old == .suspended && target.state == .live:
      return tell(.resumed(target.name), of: match, at: now)
    case .move(_, let direction, let percent, let span):
      var history = trace.history.take() ?? SlidingPriceRange(span: span)
      defer { trace.history = history }
      guard let odds = target.odds else {
        history.end(at: until)
        return []
      }
      history.apply(odds, previousUntil: until)
      guard let before = history.moved(direction, by: percent, at: now.uptime) else { return [] }
      history.restart()
      return tell(.moved(target.name, from: before, to: odds, within: span), of: match, at: now)
    default: return []
    }
  }

  private mutating func tell(_ what: AlertEvent.What, of match: Match, at now: FrameTime) -> [AlertEvent] {
    var known = memory[match.id] ?? Memory()
    if known.isDone { return [] }
    let isEcho = known.last == what && what.isEcho(after: now.uptime - known.lastAt)
    (known.last, known.lastAt, known.isDone) = (what, now.uptime, rule.repetition == .once)
    remember(known, of: match.id)
    if isEcho { return [] }
    count += 1
    return [AlertEvent(rule: id, match: match.id, name: match.name, what: what, at: now.wall)]
  }

  /// Stores the memory of a match. NB: at the limit, clears the memory of all matches, so that alerts can repeat. The
  /// limit is above the number of matches that a board shows at a time.
  private mutating func remember(_ known: Memory, of match: MatchID) {
    if memory.count >= Self.longestMemory, memory[match] == nil { memory.removeAll() }
    memory[match] = known
  }
}

extension AlertRule.Event {
  /// The selection of prices that the rule evaluates, or nil if it evaluates none.
  fileprivate var pick: AlertRule.Selection? {
    switch self {
    case .price(let pick, _, _), .move(let pick, _, _, _): pick
    case .suspended(let outcome), .resumed(let outcome): outcome.map(AlertRule.Selection.outcome)
    case .kickOff, .score: nil
    }
  }
}

extension AlertEvent.What {
  /// Returns true if an identical event of the same match is not reported again after that time, because a match can be
  /// in two channels. A price is reported once for both channels until it moves back.
  fileprivate func isEcho(after time: Duration) -> Bool {
    switch self {
    case .price: false
    case .score: true
    case .moved, .suspended, .resumed, .kickOff: time < .seconds(10)
    }
  }
}
