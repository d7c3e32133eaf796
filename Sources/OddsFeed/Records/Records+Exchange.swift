import OddsModel

/// The state of a market on an exchange, in a table of its own: a feed with fixed odds has none. Its id is the
/// market's.
struct ExchangeMarketContent: RecordContent {
  /// The stakes matched, in ten-millionths.
  var totalMatched = absentNumber
  var betDelay = absentNumber
  var winnerCount = absentNumber
  /// The packed letters of the currency of all amounts of the market; 0 if there is none.
  var currency: UInt32 = 0
  /// A `MarketStatus`; 0 is unknown.
  var status: UInt8 = 0
  var isInPlay = false
  var hasLines = false
  var isAwaitingImage = false

  mutating func set(_ field: RecordField, _ value: FieldValue, _ batch: FeedBatch, _ texts: inout TextTable) -> Bool {
    switch field {
    // An unreadable status is unknown, which is not open.
    case .status: if !value.assign(code: &status, absent: 0) { status = 0 }
    case .totalMatched: return value.assign(&totalMatched)
    case .betDelay: return value.assign(&betDelay)
    case .winnerCount: return value.assign(&winnerCount)
    case .currency: return assign(currency: value)
    case .isInPlay: return value.assign(&isInPlay, absent: false)
    case .hasLines: return value.assign(&hasLines, absent: false)
    case .isAwaitingImage: return value.assign(&isAwaitingImage, absent: false, unreadable: true)
    default: break
    }
    return true
  }

  private mutating func assign(currency value: FieldValue) -> Bool {
    switch value {
    case .integer(let packed): currency = Currency(packed: packed)?.packed ?? 0
    case .null: currency = 0
    default: return false
    }
    return true
  }

  func appendFields(to batch: inout FeedBatch, _ texts: TextTable) {
    batch.set(.status, .integer(Int64(status)))
    batch.set(.totalMatched, sentUnits: totalMatched)
    batch.set(.betDelay, sent: betDelay)
    batch.set(.winnerCount, sent: winnerCount)
    if currency != 0 { batch.set(.currency, .integer(Int64(currency))) }
    batch.set(.isInPlay, .flag(isInPlay))
    batch.set(.hasLines, .flag(hasLines))
    batch.set(.isAwaitingImage, .flag(isAwaitingImage))
  }

  func amount(_ units: Int64) -> Amount? {
    units == absentNumber ? nil : Amount(units: units, currency: Currency(packed: Int64(currency)))
  }

  /// True if the market is open and its prices are known.
  var hasLivePrices: Bool { status == MarketStatus.open.rawValue && !isAwaitingImage }

  var value: ExchangeMarket {
    ExchangeMarket(
      status: MarketStatus(rawValue: status) ?? .unknown, isInPlay: isInPlay,
      betDelay: betDelay == absentNumber ? nil : Int(betDelay),
      winnerCount: winnerCount == absentNumber ? nil : Int(winnerCount), totalMatched: amount(totalMatched),
      hasLines: hasLines, isAwaitingImage: isAwaitingImage)
  }
}

/// The best prices of an outcome on an exchange, in a table of its own. Its id is the outcome's.
struct ExchangePricesContent: RecordContent {
  /// A price and the amount available at it, in ten-millionths.
  struct Level: Equatable, Sendable {
    var price = absentNumber
    var size = absentNumber
  }

  /// The best three levels of a side. Levels that are absent are skipped.
  struct Side: Equatable, Sendable {
    var first = Level()
    var second = Level()
    var third = Level()
  }

  var backs = Side()
  var lays = Side()
  var lastTraded = absentNumber
  /// The stakes matched, in ten-millionths.
  var matched = absentNumber

  mutating func set(_ field: RecordField, _ value: FieldValue, _ batch: FeedBatch, _ texts: inout TextTable) -> Bool {
    switch field {
    case .backPrice1: value.assign(&backs.first.price)
    case .backSize1: value.assign(&backs.first.size)
    case .backPrice2: value.assign(&backs.second.price)
    case .backSize2: value.assign(&backs.second.size)
    case .backPrice3: value.assign(&backs.third.price)
    case .backSize3: value.assign(&backs.third.size)
    case .layPrice1: value.assign(&lays.first.price)
    case .laySize1: value.assign(&lays.first.size)
    case .layPrice2: value.assign(&lays.second.price)
    case .laySize2: value.assign(&lays.second.size)
    case .layPrice3: value.assign(&lays.third.price)
    case .laySize3: value.assign(&lays.third.size)
    case .lastTraded: value.assign(&lastTraded)
    case .matched: value.assign(&matched)
    default: true
    }
  }

  func appendFields(to batch: inout FeedBatch, _ texts: TextTable) {
    append(backs, RecordField.backLevels, to: &batch)
    append(lays, RecordField.layLevels, to: &batch)
    batch.set(.lastTraded, sentUnits: lastTraded)
    batch.set(.matched, sentUnits: matched)
  }

  private func append(_ side: Side, _ fields: [(price: RecordField, size: RecordField)], to batch: inout FeedBatch) {
    for (field, level) in zip(fields, [side.first, side.second, side.third]) {
      batch.set(field.price, sentUnits: level.price)
      batch.set(field.size, sentUnits: level.size)
    }
  }

  /// Returns the prices of an outcome whose market has this state. `template` has the id, status and availability of
  /// all offers.
  func value(of template: BettingOffer, in market: ExchangeMarketContent) -> ExchangePrices {
    ExchangePrices(
      backs: offers(template, .back, backs, market), lays: offers(template, .lay, lays, market),
      lastTraded: lastTraded == absentNumber ? nil : DecimalOdds(units: lastTraded), matched: market.amount(matched))
  }

  private func offers(_ template: BettingOffer, _ side: OfferSide, _ levels: Side, _ market: ExchangeMarketContent)
    -> [BettingOffer]
  {
    [levels.first, levels.second, levels.third].filter { $0.price != absentNumber }.enumerated().map { place, level in
      var offer = template.on(side, level: place, size: market.amount(level.size))
      offer.odds = DecimalOdds(units: level.price)
      return offer
    }
  }
}

extension RecordField {
  /// The fields of the levels to back, the best first.
  package static let backLevels: [(price: RecordField, size: RecordField)] = [
    (.backPrice1, .backSize1), (.backPrice2, .backSize2), (.backPrice3, .backSize3),
  ]
  /// The fields of the levels to lay, the best first.
  package static let layLevels: [(price: RecordField, size: RecordField)] = [
    (.layPrice1, .laySize1), (.layPrice2, .laySize2), (.layPrice3, .laySize3),
  ]
}
