/// The footer's counters: totals, and rates computed once a second.
struct Meters: Hashable, Sendable {
  /// The totals since the program began.
  struct Totals: Hashable, Sendable {
    var frames = 0
    var oddsUpdates = 0
    var changesPainted = 0
    var conflated = 0
    var bytes = 0
    var rows = 0
    var painting = Duration.zero
  }

  /// The counts of the last second, and the means of its frames.
  struct Rates: Hashable, Sendable {
    var frames = 0
    var oddsUpdates = 0
    var changesPainted = 0
    var conflated = 0
    var bytes = 0
    var rowsPerFrame = 0
    var bytesPerFrame = 0
    var microsecondsPerFrame = 0
  }

  var totals = Totals()
  private(set) var rates = Rates()
  private var before = Totals()
  private var tickedAt = Duration.zero

  /// The uptime of the next computation of the rates; nil if nothing has happened and all rates are zero.
  var nextDeadline: Duration? { totals == before && rates == Rates() ? nil : tickedAt + .seconds(1) }

  /// Sets all rates to zero, because nothing happens from now on.
  mutating func rest(now: Duration) {
    rates = Rates()
    before = totals
    tickedAt = now
  }

  mutating func count(_ report: FrameReport) {
    if report.isStatusOnly { return }
    totals.frames += 1
    totals.bytes += report.bytes
    totals.rows += report.rows
    totals.changesPainted += report.changes
    totals.painting += report.duration
  }

  mutating func tick(now: Duration) {
    let span = now - tickedAt
    guard nextDeadline != nil, span >= .seconds(1) else { return }
    let frames = totals.frames - before.frames
    // NB: After an idle time the span is too long; the counts since then are treated as those of one second.
    let seconds = span < .seconds(2) ? span / .seconds(1) : 1
    func rate(_ count: KeyPath<Totals, Int>) -> Int {
      Int((Double(totals[keyPath: count] - before[keyPath: count]) / seconds).rounded())
    }
    rates = Rates(
      frames: rate(\.frames), oddsUpdates: rate(\.oddsUpdates), changesPainted: rate(\.changesPainted),
      conflated: rate(\.conflated), bytes: rate(\.bytes))
    if frames > 0 {
      rates.rowsPerFrame = (totals.rows - before.rows) / frames
      rates.bytesPerFrame = (totals.bytes - before.bytes) / frames
      rates.microsecondsPerFrame = Int((totals.painting - before.painting) / .microseconds(frames))
    }
    before = totals
    tickedAt = now
  }
}

/// A figure that changes on the screen at most once a second, to leave attention and bandwidth to the prices.
struct RateLimitedValue: Hashable, Sendable {
  private static let interval = Duration.seconds(1)

  /// The value on the screen, in tenths; nil if there is none.
  private(set) var shown: Int?
  private(set) var newest: Int?
  private var changedAt: Duration?

  /// Applies a new value. A figure that appears or disappears does so at once.
  mutating func apply(_ value: Int?, now: Duration) {
    newest = value
    if value == nil || shown == nil { show(now: now) }
  }

  /// Shows the newest value if it is due. Returns the uptime at which it will be due; nil if no change is pending.
  mutating func settle(now: Duration) -> Duration? {
    guard newest != shown else { return nil }
    if let changedAt, now < changedAt + Self.interval { return changedAt + Self.interval }
    show(now: now)
    return nil
  }

  private mutating func show(now: Duration) {
    shown = newest
    changedAt = now
  }
}
