import HeapModule
import OddsFeed

/// Looks at the matches of one channel, as they are before any filter or throttle, with the rules that are for them. Rules
/// that name an outcome look at the match that is open in a pane, too, which may have more markets on its own topic.
struct AlertEngine: Sendable {
  private struct Entry: Sendable {
    /// As the channel has it; nil where it does not.
    var match: Match?
    /// As its own topic has it, while it is open and its prices can be trusted.
    var open: Match?
    /// The places of the rules that are for it, as of a generation of them, and by its names then.
    var places: [Int] = []
    var generation = -1
    var labels: Match.Names?
    /// What the rules saw last.
    var seen: MatchSnapshot?
    /// Of rules that look back, by their number.
    var traces: [Int: [AlertTarget.Key: AlertTrace]] = [:]
    /// The start that the alarms were set for.
    var start: Int64?

    /// Whether there are rules for it.
    mutating func isWatched(_ rules: AlertRules) -> Bool {
      guard let match = match ?? open else { return false }
      if generation != rules.generation || labels !== match.labels {
        places = rules.places(for: match)
        (generation, labels) = (rules.generation, match.labels)
        forgetOthers(rules)
      }
      if places.isEmpty { seen = nil }
      return !places.isEmpty
    }

    /// Histories of rules that are not for the match any more are none.
    private mutating func forgetOthers(_ rules: AlertRules) {
      if traces.isEmpty { return }
      let kept = Set(places.map { rules.watches[$0].id })
      traces = traces.filter { kept.contains($0.key) }
    }

    /// Has the rules look at the match as the channel has it.
    mutating func look(_ rules: inout AlertRules, until: Duration, at now: FrameTime) -> [AlertEvent] {
      guard let match else { return [] }
      let (sight, old) = (MatchSnapshot(match), seen)
      seen = sight
      var news: [AlertEvent] = []
      for rule in places {
        news += rules.judge(rule, match, sight, since: old, at: now)
        if open != nil, rules.namesOutcome(rule) { continue }
        news += rules.judgePrices(rule, of: match, &traces, until: until, at: now)
      }
      return news
    }

    /// Has the rules that name an outcome look at the match as its own topic has it, or else at what there is.
    mutating func lookAtOutcomes(
      _ rules: inout AlertRules, isTrusted: Bool, at now: FrameTime
    ) -> [AlertEvent] {
      var news: [AlertEvent] = []
      for rule in places where rules.namesOutcome(rule) {
        let match = open ?? (isTrusted ? match : nil)
        news += rules.judgePrices(rule, of: match, &traces, until: now.uptime, at: now)
      }
      return news
    }

    /// The alarms that are to be set, where they have not been for this start.
    mutating func newAlarms(_ rules: AlertRules) -> [Alarm] {
      if start == match?.startTime { return [] }
      start = match?.startTime
      guard let match, let start, !match.isBegun else { return [] }
      return places.compactMap { rule in
        rules.alarm(rule, of: match, start).map {
          Alarm(at: $0, start: start, match: match.id, rule: rules.watches[rule].id)
        }
      }
    }
  }

  private struct Alarm: Comparable, Sendable {
    /// In milliseconds since 1970.
    let at: Int64
    let start: Int64
    let match: MatchID
    let rule: Int

    static func < (left: Alarm, right: Alarm) -> Bool { (left.at, left.match) < (right.at, right.match) }
  }

  /// How late a kick-off may be told, in milliseconds: what began while nobody looked is no news.
  private static let patience: Int64 = 60_000

  private var entries: [MatchID: Entry] = [:]
  /// The match of which an entry has more than the channel.
  private var openID: MatchID?
  /// Whether the channel's prices can be trusted; until when they could be, where not.
  private var isTrusted = false
  private var trustedUntil = Duration.zero
  private var alarms = Heap<Alarm>()
  /// How many matches rules have looked at so far.
  private(set) var looks = 0

  /// Takes in what a channel has become.
  mutating func take(_ update: ChannelUpdate, _ rules: inout AlertRules, at now: FrameTime) -> [AlertEvent] {
    for id in update.removed {
      if entries[id]?.open == nil {
        entries[id] = nil
      } else {
        (entries[id]!.match, entries[id]!.seen, entries[id]!.start) = (nil, nil, nil)
      }
    }
    for match in update.changed {
      if let place = entries.index(forKey: match.id) {
        entries.values[place].match = match
      } else {
        entries[match.id] = Entry(match: match)
      }
    }
    let wasTrusted = isTrusted
    isTrusted = update.isLoaded && update.staleness.grade.isTrusted
    if wasTrusted, !isTrusted { trustedUntil = now.uptime }
    guard isTrusted else { return [] }
    if !wasTrusted { return lookAtAll(&rules, until: trustedUntil, at: now) }
    return update.changed.flatMap { look(at: $0.id, &rules, until: now.uptime, at: now) }
  }

  /// Takes in the match that is open, as its own topic has it; nil where none is, or its prices cannot be trusted.
  mutating func take(open match: Match?, _ rules: inout AlertRules, at now: FrameTime) -> [AlertEvent] {
    var news: [AlertEvent] = []
    if let openID, openID != match?.id {
      self.openID = nil
      entries[openID]?.open = nil
      news += lookAtOutcomes(of: openID, &rules, at: now)
      if entries[openID]?.match == nil { entries[openID] = nil }
    }
    guard let match else { return news }
    openID = match.id
    entries[match.id, default: Entry()].open = match
    return news + lookAtOutcomes(of: match.id, &rules, at: now)
  }

  /// What is known of a match: all of it where it is open.
  func match(_ id: MatchID) -> Match? { entries[id].flatMap { $0.open ?? $0.match } }

  private mutating func lookAtOutcomes(
    of id: MatchID, _ rules: inout AlertRules, at now: FrameTime
  ) -> [AlertEvent] {
    guard let place = entries.index(forKey: id), entries.values[place].isWatched(rules) else { return [] }
    return entries.values[place].lookAtOutcomes(&rules, isTrusted: isTrusted, at: now)
  }

  /// Takes in that there are other rules.
  mutating func review(_ rules: inout AlertRules, at now: FrameTime) -> [AlertEvent] {
    alarms = Heap()
    for place in entries.values.indices { entries.values[place].start = nil }
    let news = isTrusted ? lookAtAll(&rules, until: now.uptime, at: now) : []
    return news + (openID.map { lookAtOutcomes(of: $0, &rules, at: now) } ?? [])
  }

  /// What is due by now.
  mutating func tick(_ rules: inout AlertRules, at now: FrameTime) -> [AlertEvent] {
    var news: [AlertEvent] = []
    while let alarm = alarms.min, alarm.at <= now.wall {
      alarms.removeMin()
      guard let match = entries[alarm.match]?.match, match.startTime == alarm.start, !match.isBegun,
        now.wall < max(alarm.start, alarm.at + Self.patience)
      else { continue }
      news += rules.kickOff(alarm.rule, of: match, at: alarm.start, now: now)
    }
    return news
  }

  /// When something is due next, in milliseconds since 1970.
  var nextAlarm: Int64? { alarms.min?.at }

  private mutating func lookAtAll(_ rules: inout AlertRules, until: Duration, at now: FrameTime) -> [AlertEvent] {
    entries.keys.sorted().flatMap { look(at: $0, &rules, until: until, at: now) }
  }

  private mutating func look(
    at id: MatchID, _ rules: inout AlertRules, until: Duration, at now: FrameTime
  ) -> [AlertEvent] {
    guard let place = entries.index(forKey: id), entries.values[place].isWatched(rules) else { return [] }
    looks += 1
    let news = entries.values[place].look(&rules, until: until, at: now)
    for alarm in entries.values[place].newAlarms(rules) { alarms.insert(alarm) }
    return news
  }
}

extension Match {
  fileprivate var isBegun: Bool { status == .inProgress || status == .ended }
}
