import OddsModel

/// The changes of the favourite's price over the last minute and the last five minutes, in tenths of a per cent. Nil if
/// they are not known or the favourite cannot be bet on.
struct RecentMoves: Hashable, Sendable {
  /// The lengths of time in seconds.
  static let spans = [60, 300]

  var oneMinute: Int32?
  var fiveMinutes: Int32?
}

/// The price of a match's favourite over the last five minutes, with a resolution of one second.
///
/// At most 400 steps of 12 bytes are kept.
struct FavouriteHistory: Hashable, Sendable {
  private struct Step: Hashable, Sendable {
    let second: Int32
    // NB: Two halves, because a whole number would make each step a third larger.
    private let high: UInt32
    private let low: UInt32

    init(_ units: Int64, at second: Int) {
      self.second = Int32(clamping: second)
      let bits = UInt64(bitPattern: units)
      high = UInt32(truncatingIfNeeded: bits >> 32)
      low = UInt32(truncatingIfNeeded: bits)
    }

    var units: Int64 { Int64(bitPattern: UInt64(high) << 32 | UInt64(low)) }
  }

  static let limit = 400

  private var steps: [Step] = []
  private var market: MarketID?
  /// The current price; nil while it is not known or the favourite cannot be bet on.
  private var current: Int64?

  var count: Int { steps.count }

  /// Records the price of the main market's favourite at a second, nil while it cannot be bet on. The history starts
  /// anew if the market differs from the last one, or while `isKnown` is false.
  mutating func record(_ favourite: DecimalOdds?, of market: MarketID?, isKnown: Bool, at second: Int) {
    if market != self.market || !isKnown {
      self.market = market
      steps = []
    }
    current = isKnown ? favourite?.units : nil
    guard let current, steps.last?.units != current else { return }
    let step = Step(current, at: second)
    if let last = steps.last, last.second >= step.second { steps.removeLast() }
    if steps.last?.units != current { steps.append(step) }
    if steps.count >= Self.limit { removeOld(before: second - RecentMoves.spans[1]) }
  }

  /// Removes the steps that ended before a second. The step in force at that second stays.
  private mutating func removeOld(before second: Int) {
    if let kept = steps.lastIndex(where: { $0.second <= second }) { steps.removeFirst(kept) }
  }

  /// Removes the steps after a second, to which a recording has jumped back. The current price stays until the next
  /// update.
  mutating func rewind(to second: Int) { steps.removeAll { $0.second > second } }

  /// Removes all steps. The current price counts from a second on.
  mutating func restart(at second: Int) { steps = current.map { [Step($0, at: second)] } ?? [] }

  /// Returns the changes at a second. Prices before the second `start` are not known.
  func moves(at second: Int, knownSince start: Int) -> RecentMoves {
    func move(over span: Int) -> Int32? {
      guard let current, second - span >= start, let before = steps.last(where: { $0.second <= second - span })?.units,
        before > 0
      else { return nil }
      return Int32(clamping: Int((Double(current - before) * 1000 / Double(before)).rounded()))
    }
    return RecentMoves(oneMinute: move(over: RecentMoves.spans[0]), fiveMinutes: move(over: RecentMoves.spans[1]))
  }

  /// Returns the first second after `second` at which a recent change can differ although no price arrived, because an
  /// older price leaves its span; nil if there is none.
  func nextChange(after second: Int, knownSince start: Int) -> Int? {
    var next: Int?
    func add(_ change: Int) { if change > second { next = min(next ?? change, change) } }
    for span in RecentMoves.spans {
      add(start + span)
      if let step = steps.first(where: { Int($0.second) + span > second }) { add(Int(step.second) + span) }
    }
    return next
  }
}

/// The histories of all rows' favourites, by the slots of the rows. They exist while a column or the order shows them.
struct FavouriteMoves: Sendable {
  private var histories: [FavouriteHistory] = []
  /// The second at which each row changes by itself; `Int.max` if it does not.
  private var due: [Int] = []
  /// The second since which prices are known without a gap.
  private(set) var knownSince: Int

  init(knownSince: Int) { self.knownSince = knownSince }

  /// The second at which the first row changes by itself; nil if none does.
  private(set) var nextSecond: Int?

  /// Empties the history of a slot, which belongs to another match now.
  mutating func reset(_ slot: Int) {
    while histories.count <= slot {
      histories.append(FavouriteHistory())
      due.append(.max)
    }
    histories[slot] = FavouriteHistory()
    due[slot] = .max
  }

  mutating func record(
    _ favourite: DecimalOdds?, of market: MarketID?, isKnown: Bool, in slot: Int, at second: Int
  ) -> RecentMoves {
    histories[slot].record(favourite, of: market, isKnown: isKnown, at: second)
    return moves(of: slot, at: second)
  }

  /// Returns the changes of a row, and schedules the next one.
  mutating func moves(of slot: Int, at second: Int) -> RecentMoves {
    due[slot] = histories[slot].nextChange(after: second, knownSince: knownSince) ?? .max
    if due[slot] < nextSecond ?? .max { nextSecond = due[slot] }
    return histories[slot].moves(at: second, knownSince: knownSince)
  }

  /// Returns the slots whose rows change by a second. `moves(of:at:)` must be called for each.
  mutating func dueSlots(at second: Int) -> [Int] {
    guard let next = nextSecond, next <= second else { return [] }
    let slots = due.indices.filter { due[$0] <= second }
    nextSecond = due.filter { $0 > second && $0 < .max }.min()
    return slots
  }

  /// Records that prices before a second are not known without a gap.
  mutating func markUnknown(until second: Int) {
    knownSince = second
    makeAllDue()
  }

  /// Removes the prices after a second. If that second is before `knownSince`, the prices before it are not known
  /// either: all are removed, and the current ones count from that second on.
  mutating func rewind(to second: Int) {
    let isKnown = second >= knownSince
    for slot in histories.indices {
      if isKnown { histories[slot].rewind(to: second) } else { histories[slot].restart(at: second) }
    }
    knownSince = min(knownSince, second)
    makeAllDue()
  }

  private mutating func makeAllDue() {
    for slot in due.indices { due[slot] = 0 }
    nextSecond = due.isEmpty ? nil : 0
  }
}
