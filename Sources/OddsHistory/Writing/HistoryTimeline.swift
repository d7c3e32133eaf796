/// Makes entries of the observations of all channels, with times that never go back.
///
/// While the process is stopped or the machine sleeps, no price is known. The spans end at the time before and begin
/// anew afterwards.
struct HistoryTimeline {
  /// A sleep that takes longer than planned by at least this, in milliseconds, means that the process was stopped.
  private static let maxOvershoot: Int64 = 5000
  /// An observation whose time is before that of the last entry by more than this, in milliseconds, has the time of a
  /// clock that cannot be compared with ours.
  private static let maxDelay: Int64 = 5000

  private var detector = ChangeDetector()
  private var clock = HistoryClock()
  private var wall: Int64 = 0
  /// The time of the last entry.
  private var lastTime = Int64.min / 2
  /// The earliest and the latest time at which the process was stopped: the begin of the sleep and its planned end. Nil
  /// if it was not stopped.
  private var stop: ClosedRange<Int64>?

  /// The time of the last reading.
  private(set) var now: Int64 = 0

  /// The time up to which the history is complete with the entries so far.
  var end: Int64 { max(now, lastTime) }

  mutating func update(_ reading: HistoryClock.Reading) {
    clock.update(reading)
    wall = reading.wall
    now = clock.time(of: wall)
  }

  /// Notes a sleep of the recorder. One that takes much longer than `duration` means that the process was stopped.
  mutating func noteSleep(_ begin: HistoryClock.Reading, _ end: HistoryClock.Reading, duration: Duration) {
    update(begin)
    let start = now
    update(end)
    let elapsed = max(now - start, Int64((end.uptime - begin.uptime) / .milliseconds(1)))
    let expected = Int64(duration / .milliseconds(1))
    if elapsed - expected >= Self.maxOvershoot { stop = start...start + expected }
  }

  /// Begins at the end of a file if that is ahead of the wall clock, which was set back while nothing was written.
  mutating func begin(atEndOf file: Int64) {
    guard clock.begin(atEndOf: file, wall: wall) else { return }
    now = file
    // NB: An entry at the end itself would replace the one there.
    lastTime = max(lastTime, file + 1)
  }

  /// Returns the entries of observations, in their order.
  mutating func entries(of observations: [MatchObservation]) -> [HistoryEntry] {
    var entries: [HistoryEntry] = []
    for observation in observations {
      let time = clock.time(of: observation.time)
      if let stop, time > stop.upperBound { entries += resumed(by: time) }
      lastTime = max(lastTime, time < lastTime - Self.maxDelay ? now : time)
      entries += detector.apply(
        MatchObservation(channel: observation.channel, time: lastTime, observation.content))
    }
    if stop != nil { entries += resumed(by: now) }
    clock.forgetStep()
    return entries
  }

  /// Returns the entries that end the known prices before a stop of the process, and state them again.
  private mutating func resumed(by time: Int64) -> [HistoryEntry] {
    guard let stop = stop.take() else { return [] }
    // The last prices are known for a moment.
    let begin = max(stop.lowerBound, lastTime + 1)
    lastTime = max(begin, min(time, now))
    return detector.ended(at: begin) + detector.restated(at: lastTime)
  }

  /// Returns the entries that write the current state of everything, after earlier ones were lost.
  mutating func restated() -> [HistoryEntry] {
    // NB: An earlier time of a later observation would put its price before the one that is restated.
    lastTime = end
    return detector.restated(at: lastTime)
  }
}
