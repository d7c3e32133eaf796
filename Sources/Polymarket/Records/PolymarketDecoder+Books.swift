import JSONText
import OddsFeed
import OddsModel

// Prices: the books of the subscription's tokens.
extension PolymarketDecoder {
  mutating func apply(
    _ event: MarketEvent, _ bytes: UnsafeBufferPointer<UInt8>, _ batch: inout FeedBatch
  ) throws(JSONError) {
    if event.isOfUnknownBook { return lost(&batch) }
    switch event.kind {
    case .book: try replaceBook(event, bytes, &batch)
    case .priceChange: try changeBooks(event, bytes, &batch)
    case .tickSizeChange:
      // The levels of the old prices are not valid any more, and the image that replaces them follows.
      if let token = event.token { invalidate([token], at: nil, &batch) }
    case .lastTradePrice: trade(event, &batch)
    case .marketResolved:
      var ids: [TokenID] = event.token.map { [$0] } ?? []
      let areReadable = try readTokens(of: event, bytes) { ids.append($0) }
      resolve(ids, &batch)
      if ids.isEmpty || !areReadable { lost(&batch) }
    case .withdrawn:
      var ids: [TokenID] = []
      guard try readTokens(of: event, bytes, { ids.append($0) }) else { return lost(&batch) }
      withdraw(ids, before: event.timestamp, &batch)
    case .events:
      guard let range = event.events else { return batch.exceptions.malformedMessages += 1 }
      try replaceEvents(bytes, range, isStale: event.isStale, &batch)
    case .eventsChanged:
      try changeEvents(bytes, event.events, removed: event.removed, isStale: event.isStale, &batch)
    case .bestBidAsk:
      // The best prices follow from the books, which a statement can only contradict.
      guard let token = event.token, tokens[token] != nil else { break }
      tokens[token]!.book.compare(with: event.best, at: event.timestamp)
      appendUpdate(&batch) { $0.publish(token, at: nil, &$1) }
    // New markets are found by Gamma.
    case .newMarket, nil: break
    }
  }

  /// Visits the list of tokens of an event. Returns false if one cannot be read.
  private func readTokens(
    of event: MarketEvent, _ bytes: UnsafeBufferPointer<UInt8>, _ visit: (TokenID) -> Void
  ) throws(JSONError) -> Bool {
    guard let range = event.tokens else { return true }
    return try MarketEventReader.tokens(bytes, range, visit)
  }

  private mutating func replaceBook(
    _ event: MarketEvent, _ bytes: UnsafeBufferPointer<UInt8>, _ batch: inout FeedBatch
  ) throws(JSONError) {
    guard let token = event.token, tokens[token] != nil else { return }
    guard let orders = try reader.orders(of: event, bytes) else {
      // A book with an unknown level has no known best price.
      batch.exceptions.malformedMessages += 1
      return invalidate([token], at: event.timestamp, &batch)
    }
    let id = TokenBook.UpdateID(hash: event.hash, timestamp: event.timestamp)
    guard tokens[token]!.book.apply(image: orders, id) else { return }
    appendUpdate(&batch) { $0.publish(token, at: event.timestamp, &$1) }
  }

  private mutating func changeBooks(
    _ event: MarketEvent, _ bytes: UnsafeBufferPointer<UInt8>, _ batch: inout FeedBatch
  ) throws(JSONError) {
    var touched: [TokenID] = []
    var unreadable: [TokenID] = []
    // NB: the reader is copied, because the closures change the tokens beside it.
    var reader = reader
    let malformed = try reader.changes(bytes, event.changes, unreadable: { unreadable.append($0) }) { change in
      guard tokens[change.token]?.book.apply(change, at: event.timestamp) == true else { return }
      if touched.last != change.token, !touched.contains(change.token) { touched.append(change.token) }
    }
    self.reader = reader
    batch.exceptions.malformedRecords += malformed
    // A change without a token can be of any book.
    if malformed > unreadable.count { return invalidateAll(&batch) }
    for token in touched { tokens[token]!.book.checkStatement() }
    invalidate(unreadable, at: event.timestamp, &batch)
    if touched.isEmpty { return }
    appendUpdate(&batch) { decoder, batch in
      for token in touched { decoder.publish(token, at: event.timestamp, &batch) }
    }
  }

  private mutating func trade(_ event: MarketEvent, _ batch: inout FeedBatch) {
    guard let token = event.token, let price = event.price, OrderBook.isPrice(price) else {
      return batch.exceptions.malformedMessages += 1
    }
    guard tokens[token] != nil, tokens[token]!.lastTraded != price else { return }
    tokens[token]!.lastTraded = price
    appendUpdate(&batch) { $0.publish(token, at: event.timestamp, &$1) }
  }

  private mutating func resolve(_ ids: [TokenID], _ batch: inout FeedBatch) {
    let new = ids.filter { tokens[$0] != nil && resolved.insert($0).inserted }
    if new.isEmpty { return }
    appendUpdate(&batch) { decoder, batch in
      for id in Set(new.map { decoder.tokens[$0]!.eventID }).sorted() {
        let layout = EventLayout(decoder.events[id]!.event, resolved: decoder.resolved)
        let old = decoder.events[id]!.layout
        decoder.events[id]!.layout = layout
        for index in layout.markets.indices where layout.markets[index] != old.markets[index] {
          decoder.appendChange(of: index, id, &batch)
        }
      }
    }
  }

  /// Discards books, whose prices are unknown until their images come.
  ///
  /// - Parameter time: The time of the update that the books lack, in milliseconds since 1970; nil if they may lack
  ///   none.
  private mutating func invalidate(_ ids: [TokenID], at time: Int64?, _ batch: inout FeedBatch) {
    publishLoss(of: ids.filter { tokens[$0]?.book.invalidate(at: time) == true }, &batch)
  }

  /// Discards books, with `time` only those from before it.
  private mutating func withdraw(_ ids: [TokenID], before time: Int64?, _ batch: inout FeedBatch) {
    guard let time else { return invalidate(ids, at: nil, &batch) }
    publishLoss(of: ids.filter { tokens[$0]?.book.withdraw(before: time) == true }, &batch)
  }

  private mutating func publishLoss(of known: [TokenID], _ batch: inout FeedBatch) {
    if known.isEmpty { return }
    appendUpdate(&batch) { decoder, batch in for token in known { decoder.publish(token, at: nil, &batch) } }
  }

  /// Counts a message that may have had an update of any book, and discards all books.
  mutating func lost(_ batch: inout FeedBatch) {
    batch.exceptions.malformedMessages += 1
    invalidateAll(&batch)
  }

  mutating func invalidateAll(_ batch: inout FeedBatch) {
    let known = tokens.filter { $0.value.book.orders != nil }
    invalidate(known.keys.sorted(), at: nil, &batch)
  }

  /// Appends an update unless `build` appends no records.
  private mutating func appendUpdate(
    _ batch: inout FeedBatch, _ build: (inout PolymarketDecoder, inout FeedBatch) -> Void
  ) {
    var message = FeedBatch.Message()
    let first = batch.records.count
    build(&self, &batch)
    if batch.records.count == first { return }
    message.records = first..<batch.records.count
    batch.messages.append(message)
  }

  // MARK: Records

  /// Publishes the prices of a token and whether its market awaits an image, as far as they have changed. `time` is in
  /// milliseconds since 1970.
  mutating func publish(_ id: TokenID, at time: Int64?, _ batch: inout FeedBatch) {
    guard var token = tokens[id], let entry = events[token.eventID] else { return }
    let market = entry.layout.markets[token.market]
    let outcome = market.outcomes[token.outcome]
    let isShown = market.status != .closed && outcome.isOpen
    let quote = isShown ? token.book.knownOrders.map(Quote.init) ?? Quote() : Quote()
    // NB: The offer has the outcome's status, which the prices to lay need too. So it stays without a price to back.
    let hasOffer = isShown && (token.hasOffer || !quote.isEmpty)
    if hasOffer != token.hasOffer || quote.backs.first?.odds != token.published.backs.first?.odds {
      publish(
        back: quote.backs.first?.odds, isOpen: hasOffer, of: outcome.id, at: time, &token.hasOffer, &batch)
    }
    if quote != token.published || token.lastTraded != token.publishedTrade {
      publish(quote, lastTraded: token.lastTraded, of: outcome.id, &token.hasPrices, &batch)
    }
    token.published = quote
    token.publishedTrade = token.lastTraded
    tokens[id] = token
    publishAwaiting(token.market, of: token.eventID, &batch)
  }

  /// Publishes the offer of an outcome with the best odds to back, if there are any; removes the offer if it is not
  /// open.
  private func publish(
    back odds: Int64?, isOpen: Bool, of id: UInt64, at time: Int64?, _ isKnown: inout Bool, _ batch: inout FeedBatch
  ) {
    guard isOpen else {
      if isKnown { batch.appendRecord(.bettingOffer, .delete, id: id) { _ in } }
      isKnown = false
      return
    }
    batch.appendRecord(.bettingOffer, isKnown ? .update : .create, id: id) { batch in
      if !isKnown { batch.set(.outcomeID, .id(id)) }
      batch.set(.odds, odds.map { .fixed($0) } ?? .null)
      if let time { batch.set(.lastChanged, .integer(time)) }
    }
    isKnown = true
  }

  private func publish(
    _ quote: Quote, lastTraded: Int64?, of id: UInt64, _ isKnown: inout Bool, _ batch: inout FeedBatch
  ) {
    if quote.isEmpty, lastTraded == nil {
      if isKnown { batch.appendRecord(.exchangePrices, .delete, id: id) { _ in } }
      isKnown = false
      return
    }
    batch.appendRecord(.exchangePrices, isKnown ? .update : .create, id: id) { batch in
      func append(_ levels: [Quote.Level], _ fields: [(price: RecordField, size: RecordField)]) {
        for (index, field) in fields.enumerated() {
          batch.set(field.price, index < levels.count ? .fixed(levels[index].odds) : .null)
          batch.set(field.size, index < levels.count ? .fixed(levels[index].stake) : .null)
        }
      }
      append(quote.backs, RecordField.backLevels)
      append(quote.lays, RecordField.layLevels)
      if let lastTraded { batch.set(.lastTraded, .fixed(Quotation.odds(of: lastTraded))) }
    }
    isKnown = true
  }

  /// Publishes whether a market awaits the image of one of its tokens.
  private mutating func publishAwaiting(_ index: Int, of eventID: UInt64, _ batch: inout FeedBatch) {
    let market = events[eventID]!.layout.markets[index]
    let isAwaiting =
      market.status != .closed && market.outcomes.contains { $0.isOpen && tokens[$0.token]?.book.knownOrders == nil }
    guard isAwaiting != events[eventID]!.awaiting.contains(index) else { return }
    if isAwaiting { events[eventID]!.awaiting.insert(index) } else { events[eventID]!.awaiting.remove(index) }
    batch.appendRecord(.exchangeMarket, .update, id: market.id) { $0.set(.isAwaitingImage, .flag(isAwaiting)) }
  }
}
