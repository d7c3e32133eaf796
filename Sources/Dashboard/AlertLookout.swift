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

    /// Whether there are rules for it.
    mutating func isWatched(_ rules: AlertRules) -> Bool {
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
      if histories.isEmpty { return }
      let kept = Set(places.map { rules.watches[$0].id })
      histories = histories.filter { kept.contains($0.key) }
    }

    /// Has the rules look at the match.
    mutating func look(_ rules: inout AlertRules, until: Duration, at now: Moment) -> [AlertNews] {
      let (sight, old) = (AlertSight(match), seen)
      seen = sight
      var news: [AlertNews] = []
      for rule in places {
        news += rules.judge(rule, match, sight, since: old, until: until, &histories, at: now)
      }
      return news
    }

    /// The alarms that are to be set, where they have not been for this start.
    mutating func newAlarms(_ rules: AlertRules) -> [Alarm] {
      if start == match.startTime { return [] }
      start = match.startTime
      guard let start, !match.isBegun else { return [] }
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
