import OddsModel

/// The state of a market: its definition and its runners.
struct MarketBook: Sendable {
  let key: MarketKey
  /// The id of the market's records; `RawID.none` if the process has no room for it.
  let id: UInt64
  var definition: MarketDefinition?
  /// The stakes matched, in ten-millionths, as the provider sent them.
  var volume: Int64?
  /// The time of the last change, in milliseconds since 1970.
  var publishTime: Int64 = 0
  private(set) var runners: [RunnerBook] = []
  private var keys: [RunnerKey] = []

  /// True if a change was lost, so that neither the status nor the prices are known until an image.
  private(set) var isDamaged = false

  /// True once a ladder of offers has had a level. Historical files of the kind BASIC have no offers.
  private(set) var hasOffers = false

  /// True if the records of the market and of all its runners must be written: its definition has changed, its prices
  /// were lost, or its first offer or a new runner has arrived.
  var isDefined = false
  /// The indices of the runners that have changed since their records were written. May repeat.
  var changedRunners: [Int] = []
  /// True if the market is in the list of changed markets.
  var isChanged = false
  /// True if the market's volume has changed since its records were written.
  var hasNewVolume = false
  /// True if the market's records have the stakes matched.
  var hasWrittenMatched = false
  /// True once the market's records exist.
  var isWritten = false
  /// True if an image has replaced the market since its records were written, so that they must be removed first.
  var isReplaced = false
  /// The match that the market's records refer to; `RawID.none` before the first.
  var match = RawID.none

  init(key: MarketKey) {
    self.key = key
    id = RawID.of(key.text) ?? RawID.none
  }

  /// The stakes matched: as sent, otherwise the sum over the runners; nil if neither is subscribed.
  var matched: Int64? {
    if let volume { return volume }
    let volumes = runners.compactMap(\.matched)
    return volumes.isEmpty ? nil : volumes.reduce(0, &+)
  }

  /// Removes everything before an image.
  mutating func reset() {
    isReplaced = isReplaced || isWritten
    isWritten = false
    definition = nil
    volume = nil
    runners = []
    keys = []
    changedRunners = []
    isDefined = true
    isDamaged = false
  }

  /// Removes all offers, because a change was lost. The last traded prices stay.
  mutating func lose() {
    isDamaged = true
    isDefined = true
    for index in runners.indices { runners[index].removePrices() }
  }

  mutating func define(_ definition: MarketDefinition) {
    self.definition = definition
    isDefined = true
    // NB: A runner that the definition does not list is no longer in the market.
    for index in runners.indices { runners[index].status = .unknown }
    for runner in definition.runners {
      let index = index(of: runner.key)
      runners[index].status = runner.status
      runners[index].name = runner.name
      runners[index].priority = runner.priority
    }
  }

  mutating func apply(_ change: RunnerChange, _ key: RunnerKey, _ levels: [LadderChange]) {
    let index = index(of: key)
    changedRunners.append(index)
    if let price = change.lastTraded { runners[index].lastTraded = price }
    if let volume = change.volume { runners[index].volume = volume }
    for place in change.levels { runners[index].apply(levels[place]) }
    if !hasOffers, change.levels.contains(where: { levels[$0].ladder != .traded }) {
      hasOffers = true
      isDefined = true
    }
  }

  mutating func update(runner index: Int, _ body: (inout RunnerBook) -> Void) { body(&runners[index]) }

  private mutating func index(of key: RunnerKey) -> Int {
    if let index = keys.firstIndex(of: key) { return index }
    keys.append(key)
    // The outcome's record is written with the definition.
    isDefined = true
    runners.append(RunnerBook(key: key))
    return keys.count - 1
  }
}
