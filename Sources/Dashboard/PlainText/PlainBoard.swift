import HeapModule
package import Localization
package import OddsModel
import TerminalCore

/// A board as sentences, one per line, for screen readers and logs. Changes faster than the limits are merged into the
/// newest state. Memory is bounded by the number of matches.
package struct PlainBoard: Sendable {
  /// The default for the least time between two sentences of a match.
  package static let usualInterval = Duration.seconds(5)
  /// The maximum number of lines in any second. The lines at the end of the feed are not limited.
  static let linesPerSecond = 10
  /// The most matches introduced one by one when the first dump arrives.
  static let introduced = 10
  /// The most pending alerts. Of further ones only the number is written.
  static let waitingAlerts = 50

  struct Entry: Sendable {
    var match: Match
    /// The state last written; nil before the match is introduced, after its removal is written, and while the filter
    /// excludes it.
    var reported: MatchSnapshot?
    /// The uptime of the last sentence.
    var reportedAt: Duration?
    /// The number of changes since then.
    var changes = 0
    /// False if the filter excludes the match.
    var isMatch = true
    /// The wall time at which the filter was last applied to the match.
    var filteredAt: Int64 = 0
    var isScheduled = false
    var isGone = false
  }

  /// The filter of the matches; nil if all are written.
  private let filter: FilterNode?
  /// The wall time of the last `tick` at which a step of the filter was over.
  private var steppedAt: Int64 = 0
  /// The number of times that the filter was applied to a match.
  private(set) var filterCount = 0
  /// True once the feed's end or its failure has been written.
  package private(set) var isOver = false
  package var failure: FeedError? { line?.failure }

  private let title: String
  private let formatter: ChangeFormatter
  private let interval: Duration
  private var entries: [MatchID: Entry] = [:]
  private var due = Heap<DueMatch>()
  private var alerts: AlertStore
  private var alertEvents: [AlertEvent] = []
  private var unlistedAlertCount = 0
  private var reports: [AlertReport] = []
  /// The connection's state, and the one last written. `well` is written only after another state.
  private var line: PlainConnection?
  private var reportedConnection = PlainConnection.well
  /// The number of matches to announce; nil before it is known and after it has been written.
  private var greeting: Int?
  private var isGreeted = false
  /// True if it is known how old the prices are. Otherwise nothing about matches is written.
  private var isTrusted = false
  private var limiter = RateLimiter(perSecond: linesPerSecond)

  /// Creates a board of one channel. `settings.throttle`, or else `usualInterval`, is the least time between two
  /// sentences of a match. `readsHistory` is true if the requests for recorded prices are answered. Throws a
  /// `FilterError` if the filter is invalid.
  package init(
    title: String, settings: BoardSettings, filter: String = "", readsHistory: Bool = false, words: Catalog = .english
  ) throws(FilterError) {
    self.title = title
    self.filter = try FilterParser.node(filter)
    interval = settings.throttle == .zero ? Self.usualInterval : settings.throttle
    formatter = ChangeFormatter(words: words, odds: settings.odds)
    alerts = AlertStore(settings.alerts, readsHistory: readsHistory)
  }

  package mutating func apply(_ update: ChannelUpdate, now: FrameTime) {
    addAlerts(alerts.apply(update, now: now), now: now)
    isTrusted = update.isLoaded && update.freshness.hasKnownPrices
    let isEnd = update.freshness.grade == .closed
    let isFirst = !isGreeted && update.isLoaded && (isTrusted || isEnd)
    for id in update.removed { remove(id, now: now) }
    for match in update.changed { change(match, now: now) }
    if isFirst { greet(now: now) }
    line = PlainConnection(update) ?? line
  }

  /// Raises the alerts that are due, and applies the filter again if its result can have changed with time. To be
  /// called before `lines(now:)` and `drainReports()`.
  package mutating func tick(now: FrameTime) {
    addAlerts(alerts.tick(now: now), now: now)
    guard let filter, filter.isStepOver(from: steppedAt, to: now.wall) else { return }
    steppedAt = now.wall
    let affected = entries.values.filter {
      !$0.isGone && filter.canChange(for: $0.match, from: $0.filteredAt, to: now.wall)
    }
    for var entry in affected {
      let wasMatch = entry.isMatch
      applyFilter(to: &entry, now: now)
      if entry.isMatch, !wasMatch, isGreeted { schedule(&entry, now: now) }
      entries[entry.match.id] = entry
    }
  }

  /// Returns the lines that are due, each one or more sentences, without line ends.
  package mutating func lines(now: FrameTime) -> [String] {
    var lines: [String] = []
    func add(_ line: String) {
      lines.append(line)
      limiter.spend(now: now.uptime)
    }
    let isEnd = line == .ended || failure != nil
    func hasRoom() -> Bool { isEnd || limiter.next <= now.uptime }
    if let line, isConnectionNews, !isEnd, hasRoom() {
      add(statement(line.text(formatter.words, now: now), now: now))
      reportedConnection = line
    }
    if hasRoom(), let count = greeting.take() {
      add(statement(formatter.words(.plainMatches, count, title), now: now))
    }
    while let first = alertEvents.first, hasRoom() {
      alertEvents.removeFirst()
      add(statement(formatter.words(.plainAlert, formatter.sentence(of: first, now: now)), now: now))
    }
    if alertEvents.isEmpty, unlistedAlertCount > 0, hasRoom() {
      add(statement(formatter.words(.plainMoreAlerts, unlistedAlertCount), now: now))
      unlistedAlertCount = 0
    }
    while let first = due.min, isEnd || isTrusted && first.at <= now.uptime && hasRoom() {
      due.removeMin()
      if let line = publish(first.id, now: now) { add(line) }
    }
    if let line, isEnd, !isOver {
      add(statement(line.text(formatter.words, now: now), now: now))
      isOver = true
    }
    return lines
  }

  /// Returns the uptime at which lines may be due if no update arrives; nil if there is none.
  package func nextDeadline(after now: FrameTime) -> Duration? {
    var next = alerts.engine.nextDeadline(after: now)
    func add(_ time: Duration) { next = min(next ?? time, time) }
    if greeting != nil || isConnectionNews || !alertEvents.isEmpty || unlistedAlertCount > 0 { add(limiter.next) }
    if isTrusted, let first = due.min { add(max(first.at, limiter.next)) }
    if let time = filter?.nextDeadline(after: now) { add(time) }
    return next
  }

  // MARK: Input

  private var isConnectionNews: Bool { line.map { !$0.isSame(as: reportedConnection) } ?? false }

  /// Returns the requests for recorded prices since the last call.
  package mutating func drainRequests() -> [AlertHistoryRequest] { alerts.drainRequests() }

  /// Applies recorded prices.
  package mutating func apply(_ answers: [AlertHistoryAnswer], now: FrameTime) {
    addAlerts(alerts.apply(answers, now: now), now: now)
  }

  /// Returns the alerts since the last call, for the log and other programs. They are not limited in rate.
  package mutating func drainReports() -> [AlertReport] {
    defer { reports = [] }
    return reports
  }

  private mutating func addAlerts(_ new: [AlertEvent], now: FrameTime) {
    if new.isEmpty { return }
    reports += alerts.reports(of: new, formatter, now: now)
    let room = max(0, Self.waitingAlerts - alertEvents.count)
    alertEvents += new.prefix(room)
    unlistedAlertCount += max(0, new.count - room)
  }

  private mutating func change(_ match: Match, now: FrameTime) {
    let known = entries[match.id]
    var entry = known ?? Entry(match: match)
    entry.match = match
    entry.isGone = false
    applyFilter(to: &entry, now: now)
    let snapshot = MatchSnapshot(match)
    if entry.isMatch, entry.reported != snapshot {
      if known.map({ MatchSnapshot($0.match) != snapshot }) ?? true { entry.changes += 1 }
      if isGreeted { schedule(&entry, now: now) }
    }
    entries[match.id] = entry
  }

  private mutating func applyFilter(to entry: inout Entry, now: FrameTime) {
    guard let filter else { return }
    filterCount += 1
    let row = MatchRow(entry.match, now: now.uptime, newest: nil)
    entry.isMatch = filter.matches(row, FilterContext(wall: now.wall))
    entry.filteredAt = now.wall
    if entry.isMatch { return }
    entry.reported = nil
    entry.changes = 0
  }

  private mutating func remove(_ id: MatchID, now: FrameTime) {
    guard var entry = entries[id] else { return }
    entry.isGone = true
    if isGreeted { schedule(&entry, now: now) }
    entries[id] = isGreeted ? entry : nil
  }

  private mutating func schedule(_ entry: inout Entry, now: FrameTime) {
    if entry.isScheduled { return }
    entry.isScheduled = true
    due.insert(DueMatch(at: max(now.uptime, entry.reportedAt.map { $0 + interval } ?? .zero), id: entry.match.id))
  }

  private mutating func greet(now: FrameTime) {
    isGreeted = true
    let fitting = entries.values.filter(\.isMatch).map(\.match.id)
    greeting = fitting.count
    for id in fitting {
      var entry = entries[id]!
      if fitting.count <= Self.introduced {
        schedule(&entry, now: now)
      } else {
        entry.reported = MatchSnapshot(entry.match)
        entry.changes = 0
      }
      entries[id] = entry
    }
  }

  // MARK: Output

  private func statement(_ text: String, now: FrameTime) -> String {
    formatter.words(.plainStatement, time(now), text.cleaned.capitalizedFirst)
  }

  private func time(_ now: FrameTime) -> String { "\(ShortText(minuteOfDay: now.local.minuteOfDay(now.wall)))" }

  /// Returns the line of a match; nil if there is nothing to write.
  private mutating func publish(_ id: MatchID, now: FrameTime) -> String? {
    guard var entry = entries[id] else { return nil }
    entry.isScheduled = false
    defer { entries[id] = entry.isGone && !entry.isScheduled ? nil : entry }
    let snapshot = MatchSnapshot(entry.match, since: entry.reported)
    if entry.isGone {
      // The removal of an ended match, or of one never written, is not worth a line.
      guard let reported = entry.reported, reported.status != .ended else { return nil }
      let line = sentence(
        entry, [snapshot.status == .ended ? formatter.text(ofEnd: snapshot.score) : formatter.words(.plainGone)],
        now: now)
      // The match may return within the interval.
      entry.reported = nil
      entry.reportedAt = now.uptime
      schedule(&entry, now: now)
      return line
    }
    if !entry.isMatch { return nil }
    let clauses =
      entry.reported.map { formatter.clauses(of: entry.match, snapshot, since: $0) }
      ?? formatter.clauses(introducing: entry.match, snapshot, now: now)
    let line = clauses.isEmpty ? nil : sentence(entry, clauses, now: now)
    entry.reported = snapshot
    entry.changes = 0
    if line != nil { entry.reportedAt = now.uptime }
    return line
  }

  private func sentence(_ entry: Entry, _ clauses: [String], now: FrameTime) -> String {
    let words = formatter.words
    var text = words.text(clauses.map { .verbatim($0) }, joinedBy: .joinedClauses)
    if entry.reported != nil, entry.changes > 1, !entry.isGone {
      text = words(.joinedWords, text, LocalizedMessage(.plainMore, entry.changes - 1))
    }
    return words(.plainMatch, time(now), entry.match.name.cleaned, text)
  }
}
