/// Counters of failures, one for each key. A counter falls by one in each `pause`. Times are in milliseconds. If the
/// clock is set back, the counters continue from their values.
///
/// The number of counters is bounded. When there is no room for another one, the lowest half is removed. A counter of n
/// is therefore removed only after others have been raised at least n times `bound` / 2 times.
struct DecayingCounters<Key: Hashable & Sendable>: Sendable {
  let pause: Int64
  /// The maximum value of a counter.
  let highest: Int
  /// The maximum number of counters.
  let bound: Int
  /// The time at which each counter reaches zero.
  private var zeroAt: [Key: Int64] = [:]
  /// The time of the last call.
  private var last = Int64.min

  init(pause: Int64, highest: Int, bound: Int) {
    self.pause = pause
    self.highest = highest
    self.bound = bound
  }

  var count: Int { zeroAt.count }

  /// Returns the time until the counter of a key reaches zero: its value times `pause`.
  mutating func remaining(_ key: Key, now: Int64) -> Int64 {
    follow(now)
    return max(0, (zeroAt[key] ?? now) - now)
  }

  /// Raises the counter of a key by one, at most to `highest`.
  mutating func raise(_ key: Key, now: Int64) {
    let left = remaining(key, now: now)
    if zeroAt[key] == nil, zeroAt.count >= bound { removeLowest(now) }
    zeroAt[key] = now + min(left + pause, Int64(highest) * pause)
  }

  /// Takes back a raise at `time`, except for the part by which the counter has fallen since.
  mutating func takeBack(_ key: Key, raisedAt time: Int64, now: Int64) {
    follow(now)
    guard let zero = zeroAt[key] else { return }
    zeroAt[key] = zero - min(pause, max(0, pause - (now - time)))
  }

  /// Moves the counters to an earlier time if the clock was set back. Otherwise they would not fall until it is as late
  /// as before.
  private mutating func follow(_ now: Int64) {
    defer { last = now }
    guard now < last else { return }
    let step = last - now
    zeroAt = zeroAt.mapValues { $0 - step }
  }

  private mutating func removeLowest(_ now: Int64) {
    zeroAt = zeroAt.filter { $0.value > now }
    let surplus = zeroAt.count - bound / 2
    guard surplus > 0 else { return }
    for (key, _) in zeroAt.sorted(by: { $0.value < $1.value }).prefix(surplus) { zeroAt[key] = nil }
  }
}
