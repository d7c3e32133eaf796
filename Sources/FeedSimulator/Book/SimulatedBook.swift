/// A simulated bookmaker's book: matches that start, are played and end, with prices that move continuously.
///
/// A value type. Its time advances only with its ticks and jumps, so the same options and the same calls give the same
/// changes. The number of matches is constant: when a match is removed, its *slot* goes to an upcoming match.
package struct SimulatedBook: Sendable {
  /// The current time of the book, in milliseconds since 1970.
  package internal(set) var time: Int64
  /// The matches, by slot.
  package internal(set) var matches: [SimulatedMatch] = []
  /// The slots, by start time, then id of their matches.
  var order: [Int] = []
  /// The numbers of matches in progress and upcoming, by sport, in the order of `SimulatedSport.allCases`.
  var counts = [SportCount](repeating: SportCount(), count: SimulatedSport.allCases.count)
  let names: NameList

  var random: SeededGenerator
  var fixtures: [FixtureList]
  /// The slots of the matches, by the ids of the matches and of their markets.
  var slots: [Int64: Int] = [:]
  /// The number of the match's fixture, by slot.
  var fixtureNumbers: [Int] = []
  /// The time of the match's next event, by slot. Kept apart from the matches because every tick scans it.
  var due: [Int64] = []
  /// The number of odds updates still to publish. If negative, later ticks publish that many fewer.
  var budget = 0
  var shares = UpdateMix()
  /// The withdrawn offers, unordered. Some may have been replaced or restored since.
  var withdrawn: [WithdrawnOffer] = []
  var log = BookTick()

  private var nextID: Int64 = 273_905_045_266_774_016

  package init(options: SimulatorOptions) {
    time = options.startTime
    let names = NameList()
    self.names = names
    var random = SeededGenerator(seed: options.seed)
    fixtures = SimulatedSport.allCases.map { FixtureList(sport: $0, names: names, random: &random) }
    self.random = random
    drawMatches(options.matches)
  }

  /// Advances the book and publishes price moves.
  ///
  /// All prices of a market move together, so that its overround stays in its range. A tick can therefore exceed
  /// `updates` slightly (by two records, or by up to about `longestDebt` when suspended matches resume at new prices);
  /// the following ticks publish that many fewer.
  ///
  /// - Parameters:
  ///   - elapsed: The time since the last tick, in milliseconds.
  ///   - updates: The number of offer records with odds to publish.
  package mutating func tick(elapsed: Int64, updates: Int) -> BookTick {
    time += elapsed
    budget += updates
    for slot in due.indices {
      while due[slot] <= time { step(slot) }
    }
    publishPrices()
    publishStatuses()
    defer { log = BookTick() }
    return log
  }

  /// Advances the book without playing the elapsed time, in milliseconds. Replaces all matches by as many new ones, at
  /// the new time and with new ids. Costs less than a new book, however long the time is.
  package mutating func jump(elapsed: Int64) {
    time += elapsed
    budget = 0
    withdrawn = []
    let count = matches.count
    removeMatches()
    drawMatches(count)
  }

  /// Returns the first id of a new block of 16 ids, each of 18 digits.
  mutating func nextIDs() -> Int64 {
    defer { nextID += 16 }
    return nextID
  }

  /// Returns the first id of the block that contains an id.
  static func blockID(of id: Int64) -> Int64 { id & ~15 }

  func comesBefore(_ left: Int, _ right: Int) -> Bool {
    (matches[left].startTime, matches[left].id) < (matches[right].startTime, matches[right].id)
  }

  mutating func record(_ slot: Int, _ kind: BookChange.Kind) {
    log.changes.append(BookChange(slot: slot, matchID: matches[slot].id, kind: kind))
  }

  /// Returns a random time in milliseconds. Small values are the most likely, so that a match is always about to start.
  mutating func squared(upTo minutes: Double) -> Int64 {
    let unit = random.unit()
    return Int64(unit * unit * minutes * 60_000)
  }
}

/// The numbers of matches of a sport in progress and upcoming.
struct SportCount: Hashable, Sendable {
  var live = 0
  var upcoming = 0

  /// Counts a match, or uncounts it if `count` is -1.
  mutating func add(_ match: SimulatedMatch, _ count: Int = 1) {
    if match.isLive { live += count }
    if match.isUpcoming { upcoming += count }
  }
}
