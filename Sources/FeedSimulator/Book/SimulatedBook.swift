/// A bookmaker's book of matches that start, are played and end, with prices that move all the while.
///
/// A pure value: its time advances with its ticks only, so the same options and the same ticks make the same changes.
/// The number of matches is constant, as an upcoming match takes the place, the *slot*, of each that has gone.
package struct SimulatedBook: Sendable {
  /// In milliseconds since 1970.
  package internal(set) var time: Int64
  /// By slot.
  package internal(set) var matches: [SimulatedMatch] = []
  /// Slots by start time, then id.
  var order: [Int] = []
  /// How many matches of each sport there are in progress and yet to start, in the order of `SimulatedSport.allCases`.
  var counts = [SportCount](repeating: SportCount(), count: SimulatedSport.allCases.count)
  let names: NameList

  var random: SeededGenerator
  var fixtures: [FixtureList]
  /// By slot: the number of the match's fixture.
  var fixtureNumbers: [Int] = []
  /// By slot: when something happens to the match next. Kept apart from the matches, as every tick reads it all.
  var due: [Int64] = []
  /// Odds updates to publish; below 0 when a market took more than was left, and the next ticks pay for it.
  var budget = 0
  var shares = UpdateMix()
  /// Withdrawn offers, in no order. Some may have been replaced or put back in the meantime.
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
    matches.reserveCapacity(options.matches)
    for slot in 0..<options.matches {
      let (number, fixture) = fixtures[SimulatedSport.ofMatch(slot).rawValue].draw()
      let match = slot % 5 < 3 ? running(fixture) : announced(fixture, wait: squared(upTo: 180))
      matches.append(match)
      fixtureNumbers.append(number)
      due.append(match.due)
      counts[match.sport.rawValue].add(match)
    }
    order = matches.indices.sorted { comesBefore($0, $1) }
  }

  /// Lets time pass and publishes price moves.
  ///
  /// Markets move whole, so that their overround holds: one tick may publish a little more than `updates` (two
  /// records, or up to `longestDebt` when suspended matches come back at new prices), and the ticks after it as many
  /// less.
  /// - Parameters:
  ///   - elapsed: How much later it is now, in milliseconds.
  ///   - updates: How many records of offers with odds are due.
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

  /// A block of 16 ids of 18 digits.
  mutating func takeIDs() -> Int64 {
    defer { nextID += 16 }
    return nextID
  }

  func comesBefore(_ left: Int, _ right: Int) -> Bool {
    (matches[left].startTime, matches[left].id) < (matches[right].startTime, matches[right].id)
  }

  mutating func record(_ slot: Int, _ kind: BookChange.Kind) {
    log.changes.append(BookChange(slot: slot, matchID: matches[slot].id, kind: kind))
  }

  /// Small times are the likeliest, so that something is always about to start. In milliseconds.
  mutating func squared(upTo minutes: Double) -> Int64 {
    let unit = random.unit()
    return Int64(unit * unit * minutes * 60_000)
  }
}

/// How many matches of a sport are in progress and yet to start.
struct SportCount: Hashable, Sendable {
  var live = 0
  var upcoming = 0

  /// Counts a match in, or out where `count` is -1.
  mutating func add(_ match: SimulatedMatch, _ count: Int = 1) {
    if match.isLive { live += count }
    if match.isUpcoming { upcoming += count }
  }
}
