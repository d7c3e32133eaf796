import OddsFeed
import OddsModel

/// The state of a runner: its ladders, last traded price and matched stakes.
struct RunnerBook: Sendable {
  let key: RunnerKey
  var status = RunnerStatus.unknown
  var name = ""
  var priority: Int64 = 0
  /// The last traded price, in ten-millionths.
  var lastTraded: Int64?
  /// The stakes matched as the provider sent them, in ten-millionths.
  var volume: Int64?
  private(set) var displayBack = LevelLadder()
  private(set) var displayLay = LevelLadder()
  private(set) var bestBack = LevelLadder()
  private(set) var bestLay = LevelLadder()
  private(set) var allBack = PriceLadder()
  private(set) var allLay = PriceLadder()
  private(set) var traded = PriceLadder()

  /// The id of the outcome's record; `RawID.none` until the first.
  var outcome = RawID.none
  /// The values of the outcome's prices as last written to records.
  var written = PriceFields()
  /// The price of the outcome's offer as last written.
  var writtenPrice = PriceFields.absent
  var isWritten = false

  init(key: RunnerKey) { self.key = key }

  @inline(__always)
  mutating func apply(_ change: LadderChange) {
    switch change.ladder {
    case .displayBack: displayBack.set(change.level, change.price, change.size)
    case .displayLay: displayLay.set(change.level, change.price, change.size)
    case .bestBack: bestBack.set(change.level, change.price, change.size)
    case .bestLay: bestLay.set(change.level, change.price, change.size)
    case .allBack: allBack.set(change.price, change.size)
    case .allLay: allLay.set(change.price, change.size)
    case .traded: traded.set(change.price, change.size)
    }
  }

  /// Empties the ladders, except that of the matched stakes.
  mutating func removePrices() {
    displayBack = LevelLadder()
    displayLay = LevelLadder()
    bestBack = LevelLadder()
    bestLay = LevelLadder()
    allBack = PriceLadder()
    allLay = PriceLadder()
  }

  /// The stakes matched: as sent, otherwise the sum over all prices; nil if neither is subscribed.
  var matched: Int64? { volume ?? (traded.levels.isEmpty ? nil : traded.total) }

  /// Calls `body` with the best prices of a side, the best first: with virtual prices where they are subscribed.
  @inline(__always)
  func eachBest(_ side: OfferSide, _ body: (_ rank: Int, PriceSize) -> Void) {
    let (display, best) = side == .back ? (displayBack, bestBack) : (displayLay, bestLay)
    var rank = 0
    if !display.isUnused || !best.isUnused {
      for level in display.isUnused ? best.levels : display.levels
      where level.size > 0 && rank < ExchangePrices.levelCount {
        body(rank, level)
        rank += 1
      }
      return
    }
    let all = side == .back ? allBack.levels : allLay.levels
    while rank < min(ExchangePrices.levelCount, all.count) {
      body(rank, side == .back ? all[all.count - 1 - rank] : all[rank])
      rank += 1
    }
  }
}

/// The fields of a runner's prices as values of records; `absent` for a field without a value.
struct PriceFields: Sendable {
  static let absent = Int64.min
  static let fields: [RecordField] =
    (RecordField.backLevels + RecordField.layLevels).flatMap { [$0.price, $0.size] } + [.lastTraded, .matched]

  /// The values in the order of `fields`.
  private(set) var values = [Int64](repeating: absent, count: fields.count)

  init() {}

  /// Replaces the values by those of a runner.
  mutating func set(_ runner: RunnerBook) {
    for index in values.indices { values[index] = Self.absent }
    for (side, first) in [(OfferSide.back, 0), (.lay, ExchangePrices.levelCount * 2)] {
      runner.eachBest(side) { rank, level in
        values[first + rank * 2] = level.price
        values[first + rank * 2 + 1] = level.size
      }
    }
    values[values.count - 2] = runner.lastTraded ?? Self.absent
    values[values.count - 1] = runner.matched ?? Self.absent
  }

  /// The best price to back.
  var bestBack: Int64 { values[0] }
  var lastTraded: Int64 { values[values.count - 2] }
}
