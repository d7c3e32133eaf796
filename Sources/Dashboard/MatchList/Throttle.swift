import HeapModule
import OddsFeed

/// Lets each match change on the screen at most once per interval, without delaying any other match.
///
/// A change after a quiet moment passes at once (leading edge); further ones of the same match wait for the end of
/// the interval, the newest replacing the one that waits (trailing edge).
struct Throttle: Sendable {
  /// The intervals that the key steps through; zero is off.
  static let steps: [Duration] = [
    .zero, .milliseconds(50), .milliseconds(100), .milliseconds(250), .milliseconds(500), .seconds(1),
  ]

  private(set) var interval: Duration
  /// Changes that a newer one of the same match replaced while they waited.
  private(set) var merged = 0

  private var lastShown: [MatchID: Duration] = [:]
  private var waiting: [MatchID: Match] = [:]
  private var due = Heap<Due>()

  private struct Due: Comparable, Sendable {
    let at: Duration
    let id: MatchID

    static func < (left: Due, right: Due) -> Bool { (left.at, left.id) < (right.at, right.id) }
  }

  init(interval: Duration = .zero) {
    self.interval = interval
  }

  /// A changed match: given back where it is to be shown now, kept where it has to wait.
  mutating func offer(_ match: Match, at now: Duration) -> Match? {
    if interval == .zero { return match }
    if waiting.updateValue(match, forKey: match.id) != nil {
      merged += 1
      return nil
    }
    if let last = lastShown[match.id], now < last + interval {
      due.insert(Due(at: last + interval, id: match.id))
      return nil
    }
    waiting[match.id] = nil
    lastShown[match.id] = now
    return match
  }

  /// The matches whose wait is over, each with its newest value.
  mutating func release(at now: Duration) -> [Match] {
    var released: [Match] = []
    while let first = due.min, first.at <= now {
      due.removeMin()
      guard let match = waiting.removeValue(forKey: first.id) else { continue }
      lastShown[first.id] = now
      released.append(match)
    }
    return released
  }

  /// When the next match may be shown; nil where none waits.
  var nextRelease: Duration? { due.min?.at }

  /// A match is gone: nothing of it waits any more.
  mutating func forget(_ id: MatchID) {
    waiting[id] = nil
    lastShown[id] = nil
  }

  /// Takes another interval; all that waits is given back to be shown now.
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
