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
    /// The time spent on painting.
    var painting = Duration.zero
  }

  /// The counts of the last whole second.
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
  mutating func rest(at now: Duration) { (rates, before, tickedAt) = (Rates(), totals, now) }

  /// Computes the rates if a second or more has passed.
  mutating func tick(at now: Duration) {
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
