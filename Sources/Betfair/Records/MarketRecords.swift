import OddsFeed
import OddsModel

/// A writer of the records of markets: the changed ones, or all of them.
struct MarketRecords: Sendable {
  /// The indices of the markets of each match.
  private var matches: [UInt64: [Int]] = [:]
  private var sports: Set<UInt64> = []
  private var hasMainMarkets = false
  private var fields = PriceFields()
  /// True for a recording, which can be a historical file without the offers.
  private let isRecorded: Bool

  init(isRecorded: Bool) { self.isRecorded = isRecorded }

  /// All amounts of the stream are in pounds.
  private static let currency = Currency("GBP")!

  /// The types of markets that show a match best, the best first.
  private static let mainTypes = [
    "MATCH_ODDS", "MONEY_LINE", "MATCH_ODDS_UNMANAGED", "WIN", "TOURNAMENT_WINNER", "WINNER", "OUTRIGHT_WINNER",
  ]

  /// Returns the rank of a type of markets among the main ones; the largest number if it is none of them.
  static func mainRank(_ type: String) -> Int { mainTypes.firstIndex(of: type) ?? .max }

  /// Appends the records of the markets that have changed. A dump has those of all markets.
  mutating func append(_ cache: inout MarketCache, isDump: Bool, to batch: inout FeedBatch) {
    if isDump {
      matches = [:]
      sports = []
      hasMainMarkets = false
    } else {
      for removal in cache.removed {
        if removal.id != RawID.none { batch.appendRecord(.market, .delete, id: removal.id) { _ in } }
        if removal.match != RawID.none { leave(removal.match, removal.index, cache, to: &batch) }
      }
    }
    if !hasMainMarkets, !cache.books.isEmpty { appendMainMarkets(to: &batch) }
    if isDump {
      for index in cache.books.indices { append(index, &cache, isDump: true, to: &batch) }
    } else {
      for index in cache.changed { append(index, &cache, isDump: false, to: &batch) }
    }
    cache.finishChanges()
  }

  private mutating func appendMainMarkets(to batch: inout FeedBatch) {
    hasMainMarkets = true
    for type in Self.mainTypes {
      guard let id = RawID.of(type) else { continue }
      batch.appendRecord(.mainMarket, id: id) { $0.set(.bettingTypeID, .id(id)) }
    }
  }

  // NB: No copy of a book may live while the book is changed: that would copy its runners for each message.
  private mutating func append(_ index: Int, _ cache: inout MarketCache, isDump: Bool, to batch: inout FeedBatch) {
    let id = cache.books[index].id
    guard id != RawID.none else { return batch.exceptions.malformedRecords += 1 }
    if cache.books[index].isReplaced, !isDump { batch.appendRecord(.market, .delete, id: id) { _ in } }
    let isNew = isDump || !cache.books[index].isWritten
    let isDefined = isNew || cache.books[index].isDefined
    if isDefined {
      appendDefinition(of: index, id, isNew: isNew, isDump: isDump, &cache, to: &batch)
    } else if cache.books[index].hasNewVolume || cache.books[index].volume == nil,
      case let matched = cache.books[index].matched, matched != nil || cache.books[index].hasWrittenMatched
    {
      batch.appendRecord(.exchangeMarket, .update, id: id) {
        $0.set(.totalMatched, matched.map(FieldValue.fixed) ?? .null)
      }
      cache.update(market: index) { $0.hasWrittenMatched = matched != nil }
    }
    let canLackOffers = isRecorded && !cache.requiresImages
    cache.update(market: index) { book in
      let context = PriceContext(
        isNew: isNew, hasStatus: isDefined, hasLines: book.definition?.hasLines ?? false, time: book.publishTime,
        isTradedOnly: canLackOffers && !book.hasOffers && !book.isDamaged)
      if isDefined {
        for place in 0..<book.runners.count {
          book.update(runner: place) { appendPrices(of: &$0, context, to: &batch) }
        }
      } else {
        for place in 0..<book.changedRunners.count {
          book.update(runner: book.changedRunners[place]) { appendPrices(of: &$0, context, to: &batch) }
        }
      }
      book.isWritten = true
      book.isReplaced = false
    }
  }

  /// The market of a runner whose prices are appended.
  private struct PriceContext {
    /// True if the market's records are new.
    let isNew: Bool
    /// True if the status of the runner may have changed.
    let hasStatus: Bool
    let hasLines: Bool
    let time: Int64
    /// True if the file has had no offers of the market, so that its prices are those of the last matched bets.
    let isTradedOnly: Bool

    func status(of runner: RunnerBook) -> OfferStatus {
      isTradedOnly && runner.status == .active ? .lastTraded : runner.status.offerStatus
    }
  }

  /// Appends the changed prices of a runner whose outcome's record exists.
  private mutating func appendPrices(of runner: inout RunnerBook, _ context: PriceContext, to batch: inout FeedBatch) {
    if runner.outcome == RawID.none { return }
    let isFirst = context.isNew || !runner.isWritten
    fields.set(runner)
    if isFirst { runner.written = PriceFields() }
    // NB: A last traded price counts as a price only while the runner has no result: it is not the price of an offer.
    let traded = context.status(of: runner) == .lastTraded ? fields.lastTraded : PriceFields.absent
    let price = context.isTradedOnly ? traded : fields.bestBack
    let hasNewPrice = isFirst || price != runner.writtenPrice
    runner.writtenPrice = price
    if isFirst || fields.values != runner.written.values {
      batch.appendRecord(.exchangePrices, isFirst ? .create : .update, id: runner.outcome) { batch in
        for index in PriceFields.fields.indices where fields.values[index] != runner.written.values[index] {
          let value = fields.values[index]
          batch.set(PriceFields.fields[index], value == PriceFields.absent ? .null : .fixed(value))
        }
      }
    }
    if hasNewPrice || context.hasStatus {
      batch.appendRecord(.bettingOffer, isFirst ? .create : .update, id: runner.outcome) { batch in
        if isFirst { batch.set(.outcomeID, .id(runner.outcome)) }
        // A line is no price, and neither is a number that the store would reject.
        let hasOdds = !context.hasLines && DecimalOdds.unitsPerOne...DecimalOdds.limit.units ~= price
        batch.set(.odds, hasOdds ? .fixed(price) : .null)
        batch.set(.status, .integer(Int64(context.status(of: runner).rawValue)))
        if hasNewPrice { batch.set(.lastChanged, .integer(context.time)) }
      }
    }
    swap(&runner.written, &fields)
    runner.isWritten = true
  }

  /// Appends the match, the market and the outcomes of a market that is new or whose definition has changed.
  private mutating func appendDefinition(
    of index: Int, _ id: UInt64, isNew: Bool, isDump: Bool, _ cache: inout MarketCache, to batch: inout FeedBatch
  ) {
    let book = cache.books[index]
    let definition = book.definition ?? MarketDefinition()
    let match = RawID.of(definition.eventID) ?? id
    let change = isNew ? ChangeKind.create : .update
    if let sport = RawID.of(definition.eventTypeID), sports.insert(sport).inserted,
      let name = SportNames.name(definition.eventTypeID)
    {
      batch.appendRecord(.sport, id: sport) { $0.set(.name, text: name.utf8) }
    }
    let isNewMatch = matches[match] == nil
    if matches[match]?.contains(index) != true { matches[match, default: []].append(index) }
    let markets = matches[match]!.map { cache.books[$0].definition }
    batch.appendRecord(.match, isNewMatch ? .create : .update, id: match) { batch in
      MatchFields(definition, markets: markets).append(to: &batch)
    }
    batch.appendRecord(.market, change, id: id) { batch in
      batch.set(.matchID, .id(match))
      if let type = RawID.of(definition.marketType) { batch.set(.bettingTypeID, .id(type)) }
      batch.set(.name, text: definition.shownName.utf8)
      batch.set(.isAvailable, .flag(definition.status == .open && !book.isDamaged))
      batch.set(.isClosed, .flag(definition.status == .closed))
    }
    batch.appendRecord(.exchangeMarket, change, id: id) { batch in
      batch.set(.status, .integer(Int64(definition.status.rawValue)))
      batch.set(.isInPlay, .flag(definition.isInPlay))
      batch.set(.hasLines, .flag(definition.hasLines))
      batch.set(.isAwaitingImage, .flag(book.definition == nil || book.isDamaged))
      batch.set(.betDelay, definition.betDelay.map(FieldValue.integer) ?? .null)
      batch.set(.winnerCount, definition.winnerCount.map(FieldValue.integer) ?? .null)
      batch.set(.totalMatched, book.matched.map(FieldValue.fixed) ?? .null)
      batch.set(.currency, .integer(Int64(Self.currency.packed)))
    }
    // NB: The former match is removed only now, because its removal would remove the market.
    if !isDump, book.match != RawID.none, book.match != match { leave(book.match, index, cache, to: &batch) }
    let keys = definition.outcomeKeys
    let key = book.key
    cache.update(market: index) { book in
      book.match = match
      book.hasWrittenMatched = book.matched != nil
      for place in 0..<book.runners.count {
        book.update(runner: place) { runner in
          let isNewOutcome = isNew || runner.outcome == RawID.none
          if isNewOutcome {
            runner.isWritten = false
            runner.outcome = RawID.of(runner.key.text(in: key)) ?? RawID.none
          }
          guard runner.outcome != RawID.none else { return batch.exceptions.malformedRecords += 1 }
          batch.appendRecord(.outcome, isNewOutcome ? .create : .update, id: runner.outcome) { batch in
            batch.set(.marketID, .id(id))
            batch.set(.name, text: runner.shownName.utf8)
            batch.set(.key, text: (keys[runner.key] ?? "").utf8)
          }
        }
      }
    }
  }

  /// Removes a market from its former match, and the match if it was its last market. The stage and the start of the
  /// match become those of its remaining markets.
  private mutating func leave(_ match: UInt64, _ index: Int, _ cache: MarketCache, to batch: inout FeedBatch) {
    matches[match]?.removeAll { $0 == index }
    guard let rest = matches[match] else { return }
    if rest.isEmpty {
      matches[match] = nil
      batch.appendRecord(.match, .delete, id: match) { _ in }
    } else {
      let definitions = rest.map { cache.books[$0].definition }
      batch.appendRecord(.match, .update, id: match) { MatchFields.append(of: definitions, to: &$0) }
    }
  }
}

extension RawID {
  /// Returns the raw form of an id's text; nil if the text is no id.
  static func of(_ text: String) -> UInt64? {
    var text = text
    return text.withUTF8 { parse($0) }
  }
}
