/// What the footer counts, as totals, and the rates that it shows, taken once a second.
struct Meters: Hashable, Sendable {
  /// Totals since the program began.
  struct Totals: Hashable, Sendable {
    var frames = 0
    var oddsUpdates = 0
    var changesPainted = 0
    var conflated = 0
    var bytes = 0
    var rows = 0
    /// Time spent on painting.
    var painting = Duration.zero
  }

  /// What happened in the last whole second.
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

  /// The uptime at which the rates are taken next; nil where nothing has happened and they are all zero.
  var nextTick: Duration? { totals == before && rates == Rates() ? nil : tickedAt + .seconds(1) }

  /// Nothing happens from now on: the rates are zero, not what they were when they were taken last.
  mutating func rest(at now: Duration) { (rates, before, tickedAt) = (Rates(), totals, now) }

  /// Takes the rates where a second or more has passed.
  mutating func tick(at now: Duration) {
    let span = now - tickedAt
    guard nextTick != nil, span >= .seconds(1) else { return }
    let frames = totals.frames - before.frames
    // NB: after a rest the span is long and old; what has begun since is counted as one second's.
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
