import HeapModule
package import Localization
package import OddsFeed
import TerminalCore

/// A board as sentences, one per line, for screen readers and logs. Changes faster than the limits are merged into the
/// newest state. Memory is bounded by the number of matches.
package struct PlainBoard: Sendable {
  /// The default for the least time between two sentences of a match.
  package static let usualInterval = Duration.seconds(5)
  /// The most lines per second of all matches together.
  static let linesPerSecond = 10
  /// The most matches introduced one by one when the first dump arrives.
  static let introduced = 10
  /// The most pending alerts. Of further ones only the number is written.
  static let waitingAlerts = 50

  struct Entry: Sendable {
    var match: Match
    /// The state last written; nil before the match is introduced.
    var told: MatchSnapshot?
    var toldAt: Duration?
    /// The number of changes since then.
    var changes = 0
    /// False if the filter excludes the match.
    var isFit = true
    var isWaiting = false
    var isGone = false
  }

  private struct Due: Comparable, Sendable {
    let at: Duration
    let id: MatchID

    static func < (left: Due, right: Due) -> Bool { (left.at, left.id) < (right.at, right.id) }
  }

  /// The filter of the matches; nil if all are written.
  private var filter: MatchFilter?
  /// True once the feed's end or its failure has been written.
  package private(set) var isOver = false
  /// The reason why the feed failed; nil if it did not.
  package var failure: FeedError? { line?.failure }

  private let title: String
  private let say: ChangeFormatter
  private let interval: Duration
  private var entries: [MatchID: Entry] = [:]
  private var due = Heap<Due>()
  private var alerts: AlertStore
  private var news: [AlertEvent] = []
  private var unlistedAlertCount = 0
  /// The connection's state, and the one last written. `well` is written only after another state.
  private var line: PlainLine?
  private var toldLine = PlainLine.well
  /// The number of matches to announce; nil before it is known and after it has been written.
  private var greeting: Int?
  private var isGreeted = false
  private var isTrusted = false
  private var budget = RateLimiter(perSecond: linesPerSecond)

  /// Creates a board of one channel. `settings.throttle`, or else `usualInterval`, is the least time between two
  /// sentences of a match.
  ///
  /// - Throws: `FilterError` if the filter is invalid.
  package init(
    title: String, settings: BoardSettings, filter: String = "", words: Catalog = .english
  ) throws(FilterError) {
    self.title = title
    self.filter = try MatchFilter(filter, words, FilterContext())
    interval = settings.throttle == .zero ? Self.usualInterval : settings.throttle
    say = ChangeFormatter(words: words, odds: settings.odds)
    alerts = AlertStore(settings.alerts)
  }

  /// Applies an update of the channel.
  package mutating func apply(_ update: ChannelUpdate, at now: FrameTime) {
    note(alerts.apply(update, at: now))
    isTrusted = update.isLoaded && update.staleness.grade.isTrusted
    let isEnd = update.staleness.grade == .closed
    let isFirst = !isGreeted && update.isLoaded && (isTrusted || isEnd)
    for id in update.removed { remove(id, at: now) }
    for match in update.changed { change(match, at: now) }
    if isFirst { greet(at: now) }
    line = PlainLine(update) ?? line
  }

  /// Returns the lines that are due, each one or more sentences, without line ends.
  package mutating func lines(at now: FrameTime) -> [String] {
    note(alerts.tick(at: now))
    var lines: [String] = []
    func add(_ line: String) {
      lines.append(line)
      budget.spend(at: now.uptime)
    }
    let isEnd = line == .ended || failure != nil
    if let line, isLineNews, !isEnd, budget.next <= now.uptime {
      add(statement(line.text(say.words, at: now), at: now))
      toldLine = line
    }
    if let count = greeting.take() { add(statement(say.words(.plainMatches, count, title), at: now)) }
    while let first = news.first, budget.next <= now.uptime {
      news.removeFirst()
      add(statement(say.words(.plainAlert, say.sentence(of: first, at: now)), at: now))
    }
    if news.isEmpty, unlistedAlertCount > 0, budget.next <= now.uptime {
      add(statement(say.words(.plainMoreAlerts, unlistedAlertCount), at: now))
      unlistedAlertCount = 0
    }
    while let first = due.min, isEnd || isTrusted && max(first.at, budget.next) <= now.uptime {
      due.removeMin()
      if let line = tell(first.id, at: now) { add(line) }
    }
    if let line, isEnd, !isOver {
      add(statement(line.text(say.words, at: now), at: now))
      isOver = true
    }
    return lines
  }

  /// Returns the uptime at which lines may be due if no update arrives; nil if there is none.
  package func nextDeadline(after now: FrameTime) -> Duration? {
    if greeting != nil { return now.uptime }
    var next = alerts.nextAlarm.map { now.uptime + .milliseconds(max(0, $0 - now.wall)) }
    func add(_ time: Duration) { next = min(next ?? time, time) }
    if isLineNews || !news.isEmpty || unlistedAlertCount > 0 { add(budget.next) }
    if isTrusted, let first = due.min { add(max(first.at, budget.next)) }
    return next
  }

  // MARK: Input

  private var isLineNews: Bool { line.map { !$0.isSame(as: toldLine) } ?? false }

  private mutating func note(_ new: [AlertEvent]) {
    let room = max(0, Self.waitingAlerts - news.count)
    news += new.prefix(room)
    unlistedAlertCount += max(0, new.count - room)
  }

  private mutating func change(_ match: Match, at now: FrameTime) {
    let known = entries[match.id]
    var entry = known ?? Entry(match: match)
    entry.match = match
    entry.isGone = false
    let sight = MatchSnapshot(match)
    filter?.context.wall = now.wall
    let row = MatchRow(match, at: now.uptime, newest: nil)
    entry.isFit = filter?.fits(row) ?? true
    if !entry.isFit {
      (entry.told, entry.changes) = (nil, 0)
    } else if entry.told != sight {
      if known.map({ MatchSnapshot($0.match) != sight }) ?? true { entry.changes += 1 }
      if isGreeted { wait(&entry, at: now) }
    }
    entries[match.id] = entry
  }

  private mutating func remove(_ id: MatchID, at now: FrameTime) {
    guard var entry = entries[id] else { return }
    entry.isGone = true
    if isGreeted { wait(&entry, at: now) }
    entries[id] = isGreeted ? entry : nil
  }

  private mutating func wait(_ entry: inout Entry, at now: FrameTime) {
    if entry.isWaiting { return }
    entry.isWaiting = true
    due.insert(Due(at: max(now.uptime, entry.toldAt.map { $0 + interval } ?? .zero), id: entry.match.id))
  }

  private mutating func greet(at now: FrameTime) {
    isGreeted = true
    let fitting = entries.values.filter(\.isFit).map(\.match.id)
    greeting = fitting.count
    for id in fitting {
      var entry = entries[id]!
      if fitting.count <= Self.introduced {
        wait(&entry, at: now)
      } else {
        (entry.told, entry.changes) = (MatchSnapshot(entry.match), 0)
      }
      entries[id] = entry
    }
  }

  // MARK: Output

  private func statement(_ text: String, at now: FrameTime) -> String {
    say.words(.plainStatement, time(now), text.cleaned.capitalizedFirst)
  }

  private func time(_ now: FrameTime) -> String { "\(ShortText(minuteOfDay: now.local.minuteOfDay(now.wall)))" }

  /// Returns the line of a match; nil if there is nothing to write.
  private mutating func tell(_ id: MatchID, at now: FrameTime) -> String? {
    guard var entry = entries[id] else { return nil }
    entry.isWaiting = false
    defer { entries[id] = entry.isGone ? nil : entry }
    let sight = MatchSnapshot(entry.match)
    if entry.isGone {
      // The removal of an ended match, or of one never written, is not worth a line.
      guard let told = entry.told, told.status != .ended else { return nil }
      return sentence(entry, [sight.status == .ended ? say.text(ofEnd: sight.score) : say.words(.plainGone)], at: now)
    }
    if !entry.isFit { return nil }
    let clauses =
      entry.told.map { say.clauses(of: entry.match, sight, since: $0) }
      ?? say.clauses(introducing: entry.match, sight, at: now)
    let line = clauses.isEmpty ? nil : sentence(entry, clauses, at: now)
    (entry.told, entry.changes) = (sight, 0)
    if line != nil { entry.toldAt = now.uptime }
    return line
  }

  private func sentence(_ entry: Entry, _ clauses: [String], at now: FrameTime) -> String {
    let words = say.words
    var said = words.text(clauses.map { .verbatim($0) }, joinedBy: .joinedClauses)
    if entry.told != nil, entry.changes > 1, !entry.isGone {
      said = words(.joinedWords, said, LocalizedMessage(.plainMore, entry.changes - 1))
    }
    return words(.plainMatch, time(now), entry.match.name.cleaned, said)
  }
}
