import HeapModule
import OddsFeed

/// Looks at the matches of one channel, as they are before any filter or throttle, with the rules that are for them.
struct AlertLookout: Sendable {
  private struct Entry: Sendable {
    var match: Match
    /// The places of the rules that are for it, as of a generation of them, and by its names then.
    var places: [Int] = []
    var generation = -1
    var labels: Match.Labels?
    /// What the rules saw last.
    var seen: AlertSight?
    /// Of rules on moves, by their number.
    var histories: [Int: [AlertHistory]] = [:]
    /// The start that the alarms were set for.
    var start: Int64?

    /// Histories of rules that are not for the match any more are none.
    mutating func forgetOthers(_ rules: AlertRules) {
      if histories.isEmpty { return }
      let kept = Set(places.map { rules.watches[$0].id })
      histories = histories.filter { kept.contains($0.key) }
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
  /// Whether the channel's prices can be trusted; until when they could be, where not.
  private var isTrusted = false
  private var trustedUntil = Duration.zero
  private var alarms = Heap<Alarm>()
  /// How many matches rules have looked at so far.
  private(set) var looks = 0

  /// Takes in what a channel has become.
  mutating func take(_ update: ChannelUpdate, _ rules: inout AlertRules, at now: Moment) -> [AlertNews] {
    for id in update.removed { entries[id] = nil }
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

  /// Takes in that there are other rules.
  mutating func review(_ rules: inout AlertRules, at now: Moment) -> [AlertNews] {
    alarms = Heap()
    for place in entries.values.indices { entries.values[place].start = nil }
    return isTrusted ? lookAtAll(&rules, until: now.uptime, at: now) : []
  }

  /// What is due by now.
  mutating func tick(_ rules: inout AlertRules, at now: Moment) -> [AlertNews] {
    var news: [AlertNews] = []
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

  private mutating func lookAtAll(_ rules: inout AlertRules, until: Duration, at now: Moment) -> [AlertNews] {
    entries.keys.sorted().flatMap { look(at: $0, &rules, until: until, at: now) }
  }

  private mutating func look(
    at id: MatchID, _ rules: inout AlertRules, until: Duration, at now: Moment
  ) -> [AlertNews] {
    guard let place = entries.index(forKey: id) else { return [] }
    let match = entries.values[place].match
    if entries.values[place].generation != rules.generation || entries.values[place].labels !== match.labels {
      entries.values[place].places = rules.places(for: match)
      (entries.values[place].generation, entries.values[place].labels) = (rules.generation, match.labels)
      entries.values[place].forgetOthers(rules)
    }
    let places = entries.values[place].places
    guard !places.isEmpty else {
      entries.values[place].seen = nil
      return []
    }
    looks += 1
    let (sight, old) = (AlertSight(match), entries.values[place].seen)
    entries.values[place].seen = sight
    var news: [AlertNews] = []
    for rule in places {
      news += rules.judge(
        rule, match, sight, since: old, until: until, &entries.values[place].histories, at: now)
    }
    if entries.values[place].start != match.startTime { setAlarms(place, match, rules) }
    return news
  }

  private mutating func setAlarms(_ place: Dictionary<MatchID, Entry>.Index, _ match: Match, _ rules: AlertRules) {
    entries.values[place].start = match.startTime
    guard let start = match.startTime, !match.isBegun else { return }
    for rule in entries.values[place].places {
      guard let time = rules.alarm(rule, of: match, start) else { continue }
      alarms.insert(Alarm(at: time, start: start, match: match.id, rule: rules.watches[rule].id))
    }
  }
}

extension Match {
  fileprivate var isBegun: Bool { status == .inProgress || status == .ended }
}
