import OddsFeed

/// A rule that is in force, and what it has told so far.
struct AlertWatch: Hashable, Sendable {
  /// Of how many matches a rule remembers what it has told.
  static let longestMemory = 20_000

  enum State: Hashable, Sendable {
    case armed
    /// Told, and waits for the price to come back.
    case waiting
    /// Told, and tells no more.
    case done
    case silenced
  }

  /// What has been told of a match.
  private struct Memory: Hashable, Sendable {
    /// Whose price is beyond the limit, and told.
    var told: Set<AlertRule.Pick> = []
    var isDone = false
    var last: AlertNews.What?
    var lastAt = Duration.zero
  }

  /// Of each rule another one, for as long as the board is open.
  let id: Int
  let rule: AlertRule
  /// False where it was added by hand.
  let isConfigured: Bool
  var isSilenced = false
  /// How often it has told something.
  private(set) var count = 0
  private var memory: [MatchID: Memory] = [:]

  init(_ rule: AlertRule, id: Int, isConfigured: Bool) {
    (self.rule, self.id, self.isConfigured) = (rule, id, isConfigured)
  }

  /// What it does; a rule on many matches is armed, whatever it has told of some.
  var state: State {
    if isSilenced { return .silenced }
    guard case .match(let id, _) = rule.scope, let memory = memory[id] else { return .armed }
    return memory.isDone ? .done : memory.told.isEmpty ? .armed : .waiting
  }

  func isDone(_ match: MatchID) -> Bool { memory[match]?.isDone ?? false }

  /// Looks at a match as it is now, at the latest prices that can be trusted. `old` is what was seen of it before, nil
  /// where nothing was, and good until then. `histories` are this rule's of this match.
  mutating func judge(
    _ match: Match, _ sight: AlertSight, since old: AlertSight?, until: Duration, _ histories: inout [AlertHistory],
    at now: Moment
  ) -> [AlertNews] {
    if isDone(match.id) { return [] }
    switch rule.event {
    case .price(let pick, let comparison, let limit):
      return pick.parts.flatMap { judge(match, $0, sight.price($0), comparison, limit, at: now) }
    case .move(let pick, let direction, let percent, let span):
      if histories.isEmpty { histories = pick.parts.map { _ in AlertHistory(span: span) } }
      return pick.parts.enumerated().flatMap { place, pick -> [AlertNews] in
        guard let odds = sight.price(pick) else { return [] }
        histories[place].take(odds, previousUntil: until)
        guard let before = histories[place].moved(direction, by: percent, at: now.uptime) else { return [] }
        histories[place].restart()
        return tell(.moved(pick, from: before, to: odds, within: span), of: match, at: now)
      }
    case .suspended:
      return old?.grade == .live && sight.grade == .suspended ? tell(.suspended, of: match, at: now) : []
    case .resumed:
      return old?.grade == .suspended && sight.grade == .live ? tell(.resumed, of: match, at: now) : []
    case .score:
      guard let before = old?.score, let score = sight.score, score != before else { return [] }
      return tell(.score(score, isGoal: score.isGoal(since: before, in: match.sportID)), of: match, at: now)
    case .kickOff(.zero):
      let isBegun = sight.status == .inProgress && (old?.status == .pending || old?.status == .unknown)
      return isBegun ? tell(.kickOff(at: nil), of: match, at: now) : []
    case .kickOff: return []
    }
  }

  /// The match begins soon, at that time.
  mutating func kickOff(of match: Match, at time: Int64, now: Moment) -> [AlertNews] {
    tell(.kickOff(at: time), of: match, at: now)
  }

  private mutating func judge(
    _ match: Match, _ pick: AlertRule.Pick, _ odds: DecimalOdds?, _ comparison: AlertRule.Comparison,
    _ limit: DecimalOdds, at now: Moment
  ) -> [AlertNews] {
    guard let odds else { return [] }
    if let told = memory[match.id]?.told, told.contains(pick) {
      if case .againBy(let margin) = rule.repetition, comparison.isBack(odds, limit, by: margin) {
        memory[match.id]!.told.remove(pick)
      }
      return []
    }
    guard comparison.holds(odds, limit) else { return [] }
    let news = tell(.price(pick, odds, comparison, limit), of: match, at: now)
    memory[match.id]?.told.insert(pick)
    return news
  }

  private mutating func tell(_ what: AlertNews.What, of match: Match, at now: Moment) -> [AlertNews] {
    var known = memory[match.id] ?? Memory()
    if known.isDone { return [] }
    let isEcho = known.last == what && what.echo.map { now.uptime < known.lastAt + $0 } ?? false
    (known.last, known.lastAt, known.isDone) = (what, now.uptime, rule.repetition == .once)
    remember(known, of: match.id)
    if isEcho { return [] }
    count += 1
    return [AlertNews(rule: id, match: match.id, name: match.name, what: what, at: now.wall)]
  }

  /// NB: what is forgotten may be told again; no board shows that many matches at a time.
  private mutating func remember(_ known: Memory, of match: MatchID) {
    if memory.count >= Self.longestMemory, memory[match] == nil { memory.removeAll() }
    memory[match] = known
  }
}

extension AlertNews.What {
  /// For how long the same of the same match is no news: a match can stand in two channels. Nil for a price, which is told
  /// once for both until it has come back.
  fileprivate var echo: Duration? {
    switch self {
    case .price: nil
    case .score: .seconds(Int32.max)
    case .moved, .suspended, .resumed, .kickOff: .seconds(10)
    }
  }
}
