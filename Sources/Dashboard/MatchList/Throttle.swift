import HeapModule
import OddsModel

/// A filter that shows each match at most once per interval, without delaying other matches.
///
/// A change after a quiet interval passes at once (leading edge). Later changes of the same match are pending until the
/// interval ends; the newest replaces the pending one (trailing edge). A change that takes away a shown price passes at
/// once, because that price would look live until the interval ends.
struct Throttle: Sendable {
  /// The intervals to choose from; zero is off.
  static let steps: [Duration] = [
    .zero, .milliseconds(50), .milliseconds(100), .milliseconds(250), .milliseconds(500), .seconds(1),
  ]

  /// The markets of a match whose prices are shown.
  enum Scope: Sendable { case mainMarket, allMarkets }

  private struct Shown {
    let time: Duration
    let match: Match
  }

  private(set) var interval: Duration
  private let scope: Scope
  /// The number of pending changes replaced by a newer one of the same match.
  private(set) var merged = 0

  /// The matches as last shown, and the pending ones, by raw id.
  private var lastShown: [UInt64: Shown] = [:]
  private var waiting: [UInt64: Match] = [:]
  private var due = Heap<DueMatch>()
  /// The number of shown matches at which those of past intervals are removed.
  private var shownLimit = Self.minShownLimit
  private static let minShownLimit = 64

  init(interval: Duration = .zero, scope: Scope = .mainMarket) {
    self.interval = interval
    self.scope = scope
  }

  /// Applies a changed match. Returns it if it can be shown now; otherwise keeps it pending.
  mutating func offer(_ match: Match, now: Duration) -> Match? {
    if interval == .zero { return match }
    let id = match.id.raw
    if let last = lastShown[id], now < last.time + interval, !last.match.losesPrice(in: match, scope) {
      if waiting.updateValue(match, forKey: id) == nil {
        due.insert(DueMatch(at: last.time + interval, id: match.id))
      } else {
        merged += 1
      }
      return nil
    }
    if waiting.removeValue(forKey: id) != nil { merged += 1 }
    lastShown[id] = Shown(time: now, match: match)
    if lastShown.count >= shownLimit { removePast(now: now) }
    return match
  }

  /// Removes shown matches whose interval has passed. They have no effect any more, and each keeps an old state of its
  /// match in memory.
  private mutating func removePast(now: Duration) {
    lastShown = lastShown.filter { id, shown in now < shown.time + interval || waiting[id] != nil }
    shownLimit = max(Self.minShownLimit, 2 * lastShown.count)
  }

  /// Applies changed matches. Returns those that can be shown now; keeps the others pending.
  mutating func offer(_ matches: [Match], now: Duration) -> [Match] {
    interval == .zero ? matches : matches.compactMap { offer($0, now: now) }
  }

  /// Returns the matches that are due, each in its newest state.
  mutating func release(now: Duration) -> [Match] {
    var released: [Match] = []
    while let first = due.min, first.at <= now {
      due.removeMin()
      // The entry of a match that was shown early or forgotten is still in the heap: it is not due for a later change.
      guard let last = lastShown[first.id.raw], last.time + interval == first.at,
        let match = waiting.removeValue(forKey: first.id.raw)
      else { continue }
      lastShown[first.id.raw] = Shown(time: now, match: match)
      released.append(match)
    }
    return released
  }

  /// The uptime at which the next match can be due; nil if there is none. The match may have been shown early or
  /// forgotten since: `release` then returns nothing.
  var nextDeadline: Duration? { due.min?.at }

  /// Removes a match and its pending change. Its next change passes at once.
  mutating func forget(_ id: MatchID) {
    waiting[id.raw] = nil
    lastShown[id.raw] = nil
  }

  /// Changes the interval. Returns all pending matches, to be shown now.
  mutating func change(to interval: Duration) -> [Match] {
    self.interval = interval
    defer {
      waiting = [:]
      lastShown = [:]
      due = Heap()
    }
    return Array(waiting.values)
  }
}

/// A match that is due at an uptime.
struct DueMatch: Comparable, Sendable {
  let at: Duration
  let id: MatchID

  static func < (left: DueMatch, right: DueMatch) -> Bool { (left.at, left.id) < (right.at, right.id) }
}
