import HeapModule
import OddsModel

/// Evaluates the rules against the matches of one channel, before any filter or throttle. Rules that name an outcome
/// also evaluate the match that is open in the detail pane, because its own topic may carry more markets.
struct AlertEngine: Sendable {
  struct Entry: Sendable {
    /// The match as the channel carries it, or nil if the channel does not carry it.
    var match: Match?
    /// The match as its own topic carries it, while it is open and its prices can be trusted.
    var open: Match?
    /// The indices of the rules that apply to the match, valid for `generation` and `labels`.
    var ruleIndices: [Int] = []
    var generation: Int?
    var labels: Match.Names?
    var lastSnapshot: MatchSnapshot?
    /// The traces of the rules that depend on earlier prices, by rule id.
    var traces: [Int: [AlertTarget.Key: AlertTrace]] = [:]
    /// The rows of `match` and `open`, for conditions only.
    var row: ConditionRow?
    private var openRow: ConditionRow?
    /// The alarms that are set for the match.
    fileprivate var alarms: [Alarm] = []

    /// Returns true if any rule applies to the match. Updates `ruleIndices` if the rules or the match's names changed.
    mutating func isWatched(_ rules: AlertRules) -> Bool {
      guard let names = match?.labels ?? open?.labels else { return false }
      if generation != rules.generation || labels !== names {
        ruleIndices = (match ?? open).map(rules.indices) ?? []
        generation = rules.generation
        labels = names
        if !traces.isEmpty {
          let ids = Set(ruleIndices.map { rules.active[$0].id })
          traces = traces.filter { ids.contains($0.key) }
        }
      }
      if ruleIndices.isEmpty {
        lastSnapshot = nil
        alarms = []
      }
      return !ruleIndices.isEmpty
    }

    /// Evaluates the rules against the match as the channel carries it.
    mutating func evaluate(_ rules: inout AlertRules, until: Duration, now: FrameTime) -> [AlertEvent] {
      guard let match else { return [] }
      let old = lastSnapshot
      let snapshot = MatchSnapshot(match, since: old)
      lastSnapshot = snapshot
      row.update(to: hasCondition(rules) ? match : nil, now: now)
      var events: [AlertEvent] = []
      for rule in ruleIndices {
        events += rules.active[rule].evaluate(match, snapshot, since: old, now: now)
        if let row { events += rules.active[rule].evaluateCondition(of: match, row, &traces, now: now) }
        if open != nil, rules.active[rule].namesOutcome { continue }
        events += rules.active[rule].evaluatePrices(of: match, row, &traces, until: until, now: now)
      }
      return events
    }

    /// Returns true if a rule of the match has a condition, which needs a row.
    private func hasCondition(_ rules: AlertRules) -> Bool {
      ruleIndices.contains { rules.active[$0].hasCondition }
    }

    /// Evaluates the rules that name an outcome against the open match, or else against the channel's if it is trusted.
    mutating func evaluateOutcomes(_ rules: inout AlertRules, isTrusted: Bool, now: FrameTime) -> [AlertEvent] {
      var events: [AlertEvent] = []
      let current = open ?? (isTrusted ? match : nil)
      let needsRow = hasCondition(rules)
      openRow.update(to: needsRow ? open : nil, now: now)
      if open == nil, let current { row.update(to: needsRow ? current : nil, now: now) }
      let currentRow = open == nil ? row : openRow
      for rule in ruleIndices where rules.active[rule].namesOutcome {
        events += rules.active[rule].evaluatePrices(of: current, currentRow, &traces, until: now.uptime, now: now)
      }
      return events
    }

    /// Returns the alarms of the match that are not set yet.
    fileprivate mutating func newAlarms(_ rules: AlertRules) -> [Alarm] {
      guard let match else { return [] }
      let known = alarms
      alarms = ruleIndices.compactMap { rule in
        rules.active[rule].alarm(of: match).map { Alarm(at: $0, match: match.id, rule: rules.active[rule].id) }
      }
      return alarms.filter { !known.contains($0) }
    }
  }

  fileprivate struct Alarm: Comparable, Sendable {
    /// The time of the alarm, in milliseconds since 1970.
    let at: Int64
    let match: MatchID
    let rule: Int

    static func < (left: Alarm, right: Alarm) -> Bool { (left.at, left.match) < (right.at, right.match) }
  }

  /// The maximum delay of a kick-off alert after its alarm, in milliseconds. An alarm before the start of the match is
  /// reported until the start, even if it is later than that.
  private static let maxDelay: Int64 = 60_000

  /// The matches, by raw id.
  var entries: [UInt64: Entry] = [:]
  /// The id of the match whose entry has an `open` value.
  private var openID: MatchID?
  /// True if the prices of the channel can raise alerts; otherwise `trustedUntil` is the uptime until which they could.
  private(set) var isTrusted = false
  private var trustedUntil = Duration.zero
  private var alarms = Heap<Alarm>()
  /// The time at which conditions on time are evaluated next, in milliseconds since 1970; nil if there are none.
  private var nextStep: Int64?
  private(set) var evaluationCount = 0
  private var requests: [AlertHistoryRequest] = []

  /// Returns the requests for recorded prices since the last call.
  mutating func drainRequests() -> [AlertHistoryRequest] {
    defer { requests = [] }
    return requests
  }

  /// Applies a channel update and returns the alerts raised.
  mutating func apply(_ update: ChannelUpdate, _ rules: inout AlertRules, now: FrameTime) -> [AlertEvent] {
    for id in update.removed {
      if entries[id.raw]?.open == nil {
        entries[id.raw] = nil
      } else {
        entries[id.raw]!.match = nil
        entries[id.raw]!.lastSnapshot = nil
        entries[id.raw]!.alarms = []
      }
    }
    for match in update.changed { entries[match.id.raw, default: Entry()].match = match }
    let wasTrusted = isTrusted
    isTrusted = update.isLoaded && update.freshness.hasKnownPrices
    if wasTrusted, !isTrusted { trustedUntil = now.uptime }
    guard isTrusted else { return [] }
    scheduleStep(rules, now: now)
    if !wasTrusted { return evaluateAll(&rules, until: trustedUntil, now: now) }
    // A fast path: no entry has rules.
    if rules.active.isEmpty { return [] }
    return update.changed.flatMap { evaluate($0.id, &rules, until: now.uptime, now: now) }
  }

  /// Applies the state of the open match from its own topic. `match` is nil if no match is open or its prices cannot be
  /// trusted.
  mutating func apply(open match: Match?, _ rules: inout AlertRules, now: FrameTime) -> [AlertEvent] {
    var events: [AlertEvent] = []
    if let openID, openID != match?.id {
      self.openID = nil
      entries[openID.raw]?.open = nil
      events += evaluateOutcomes(of: openID, &rules, now: now)
      if entries[openID.raw]?.match == nil { entries[openID.raw] = nil }
    }
    guard let match else { return events }
    openID = match.id
    entries[match.id.raw, default: Entry()].open = match
    scheduleStep(rules, now: now)
    return events + evaluateOutcomes(of: match.id, &rules, now: now)
  }

  /// The matches that the channel carries.
  var carriedMatches: some Sequence<MatchID> {
    entries.lazy.filter { $0.value.match != nil }.map { MatchID(raw: $0.key) }
  }

  /// Returns the match, with all its markets if it is open.
  func match(_ id: MatchID) -> Match? { entries[id.raw].flatMap { $0.open ?? $0.match } }

  private mutating func evaluateOutcomes(of id: MatchID, _ rules: inout AlertRules, now: FrameTime) -> [AlertEvent] {
    guard let index = entries.index(forKey: id.raw), entries.values[index].isWatched(rules) else { return [] }
    let events = entries.values[index].evaluateOutcomes(&rules, isTrusted: isTrusted, now: now)
    requests += entries.values[index].newRequests(id, rules, now: now)
    return events
  }

  /// Evaluates all matches again after the set of rules has changed.
  mutating func review(_ rules: inout AlertRules, now: FrameTime) -> [AlertEvent] {
    alarms = Heap()
    scheduleStep(rules, now: now)
    for index in entries.values.indices { entries.values[index].alarms = [] }
    return evaluateTrusted(&rules, now: now)
  }

  /// Returns the alerts that are due: those of kick-offs, and of conditions on time at `nextStep`.
  mutating func tick(_ rules: inout AlertRules, now: FrameTime) -> [AlertEvent] {
    var events: [AlertEvent] = []
    if let nextStep, nextStep <= now.wall {
      self.nextStep = nil
      scheduleStep(rules, now: now)
      events += evaluateTrusted(&rules, now: now)
    }
    while let alarm = alarms.min, alarm.at <= now.wall {
      alarms.removeMin()
      // The match may have changed since the alarm was set.
      guard let index = entries.index(forKey: alarm.match.raw), entries.values[index].isWatched(rules),
        let match = entries.values[index].match, let start = match.startTime,
        let rule = entries.values[index].ruleIndices.first(where: { rules.active[$0].id == alarm.rule }),
        rules.active[rule].alarm(of: match) == alarm.at, now.wall < max(start, alarm.at + Self.maxDelay)
      else { continue }
      events += rules.active[rule].raise(.kickOff(at: start), of: match, now: now)
    }
    return events
  }

  /// Returns the uptime at which alerts may be due if no update arrives; nil if there is none.
  func nextDeadline(after now: FrameTime) -> Duration? {
    let time = [alarms.min?.at, nextStep].compactMap { $0 }.min()
    return time.map { now.uptime + .milliseconds(max(0, $0 - now.wall)) }
  }

  private mutating func scheduleStep(_ rules: AlertRules, now: FrameTime) {
    nextStep = rules.timeStep.map { min(nextStep ?? .max, (now.wall / $0 + 1) * $0) }
  }

  /// Evaluates the matches of the channel if it is trusted, and the open match.
  private mutating func evaluateTrusted(_ rules: inout AlertRules, now: FrameTime) -> [AlertEvent] {
    let events = isTrusted ? evaluateAll(&rules, until: now.uptime, now: now) : []
    return events + (openID.map { evaluateOutcomes(of: $0, &rules, now: now) } ?? [])
  }

  private mutating func evaluateAll(_ rules: inout AlertRules, until: Duration, now: FrameTime) -> [AlertEvent] {
    entries.keys.map { MatchID(raw: $0) }.sorted().flatMap { evaluate($0, &rules, until: until, now: now) }
  }

  private mutating func evaluate(
    _ id: MatchID, _ rules: inout AlertRules, until: Duration, now: FrameTime
  ) -> [AlertEvent] {
    guard let index = entries.index(forKey: id.raw), entries.values[index].isWatched(rules) else { return [] }
    evaluationCount += 1
    let events = entries.values[index].evaluate(&rules, until: until, now: now)
    requests += entries.values[index].newRequests(id, rules, now: now)
    for alarm in entries.values[index].newAlarms(rules) { alarms.insert(alarm) }
    return events
  }
}
