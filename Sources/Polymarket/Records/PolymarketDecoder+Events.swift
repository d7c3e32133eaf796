import JSONText
import OddsFeed
import OddsModel

// Names: the events of the subscription, and the state of their games.
extension PolymarketDecoder {
  /// Replaces everything: the books too, because they await new images.
  mutating func replaceEvents(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, isStale: Bool, _ batch: inout FeedBatch
  ) throws(JSONError) {
    let list = try GammaEvents(bytes, range)
    batch.exceptions.malformedRecords += list.malformed
    events = [:]
    games = [:]
    tokens = [:]
    sports = []
    // NB: In a recording, the dump can be from before the end of a market. A dump says itself which markets are closed.
    resolved = []
    batch.appendMessage(.dump) { batch in
      for (rank, type) in EventLayout.mainTypes.enumerated() {
        batch.appendRecord(.mainMarket, id: UInt64(rank + 1)) { $0.set(.bettingTypeID, .id(Self.typeID(type))) }
      }
      for event in list.events where events[event.id] == nil { add(event, &batch) }
    }
    batch.messages[batch.messages.count - 1].source = Self.source(isStale: isStale)
  }

  /// Adds and changes events, and removes those that are named.
  mutating func changeEvents(
    _ bytes: UnsafeBufferPointer<UInt8>, _ changed: Range<Int>?, removed: Range<Int>?, isStale: Bool,
    _ batch: inout FeedBatch
  ) throws(JSONError) {
    let list = try changed.map { range throws(JSONError) in try GammaEvents(bytes, range) }
    batch.exceptions.malformedRecords += list?.malformed ?? 0
    var gone: [UInt64] = []
    var areReadable = list?.malformed ?? 0 == 0
    if let removed {
      let areIDs = try MarketEventReader.tokens(bytes, removed) { token in UInt64("\(token)").map { gone.append($0) } }
      areReadable = areReadable && areIDs
    }
    batch.appendMessage(.update) { batch in
      for id in gone {
        resolved.subtract(events[id]?.layout.markets.flatMap(\.outcomes).map(\.token) ?? [])
        remove(id, &batch)
      }
      for event in list?.events ?? [] { change(event, &batch) }
    }
    batch.messages[batch.messages.count - 1].source = Self.source(isStale: isStale)
    // NB: Any event may have been removed or closed.
    if !areReadable { lost(&batch) }
  }

  private static func source(isStale: Bool) -> SourceState { isStale ? .impaired(.catalogueStale) : .live }

  private mutating func add(_ event: GammaEvent, _ batch: inout FeedBatch) {
    let layout = EventLayout(event, resolved: resolved)
    var entry = Event(event: event, layout: layout)
    entry.hasEndedAtGamma = event.hasEnded
    entry.awaiting = Set(layout.markets.indices.filter { layout.markets[$0].status != .closed })
    if let game = event.gameID { games[game] = event.id }
    let sport = Self.sportID(event.league)
    if sports.insert(sport).inserted {
      batch.appendRecord(.sport, id: sport) { $0.set(.name, text: Leagues.sport(of: event.league).utf8) }
    }
    batch.appendRecord(.match, id: event.id) { batch in
      batch.set(.sportID, .id(sport))
      appendNames(of: event, to: &batch)
      appendStatus(of: event, to: &batch)
    }
    appendState(of: event, &entry, to: &batch)
    for (place, market) in layout.markets.enumerated() {
      batch.appendRecord(.market, id: market.id) { batch in
        batch.set(.matchID, .id(event.id))
        batch.set(.bettingTypeID, .id(Self.typeID(market.type)))
        append(market, to: &batch)
      }
      batch.appendRecord(.exchangeMarket, id: market.id) { batch in
        batch.set(.currency, .integer(Int64(Quotation.currency.packed)))
        batch.set(.winnerCount, .integer(1))
        append(market, isAwaiting: entry.awaiting.contains(place), to: &batch)
      }
      for (index, outcome) in market.outcomes.enumerated() where tokens[outcome.token] == nil {
        batch.appendRecord(.outcome, id: outcome.id) { batch in
          batch.set(.marketID, .id(market.id))
          batch.set(.name, text: outcome.name.utf8)
          if !outcome.key.isEmpty { batch.set(.key, text: outcome.key.utf8) }
        }
        tokens[outcome.token] = Token(eventID: event.id, market: place, outcome: index)
      }
    }
    events[event.id] = entry
  }

  private mutating func remove(_ id: UInt64, _ batch: inout FeedBatch) {
    guard let entry = events.removeValue(forKey: id) else { return }
    if let game = entry.event.gameID, games[game] == id { games[game] = nil }
    for market in entry.layout.markets {
      for outcome in market.outcomes where tokens[outcome.token]?.eventID == id { tokens[outcome.token] = nil }
    }
    batch.appendRecord(.match, .delete, id: id) { _ in }
  }

  private mutating func change(_ new: GammaEvent, _ batch: inout FeedBatch) {
    guard let old = events[new.id] else { return add(new, &batch) }
    let event = old.hasSports ? new.withState(of: old.event) : new
    let layout = EventLayout(event, resolved: resolved)
    guard layout.hasShape(of: old.layout), event.gameID == old.event.gameID else {
      // The markets are others: everything of the event is replaced, except the books.
      let books = Dictionary(
        old.layout.markets.flatMap(\.outcomes).compactMap { outcome in
          tokens[outcome.token].map { (outcome.token, $0) }
        }, uniquingKeysWith: { first, _ in first })
      remove(event.id, &batch)
      add(event, &batch)
      for (token, known) in books where tokens[token]?.eventID == event.id {
        let market = layout.markets[tokens[token]!.market]
        if market.status != .closed { tokens[token]!.book = known.book }
        tokens[token]!.lastTraded = known.lastTraded
        publish(token, at: nil, &batch)
      }
      events[event.id]!.hasSports = old.hasSports
      events[event.id]!.hasEndedAtGamma = new.hasEnded
      return
    }
    var entry = old
    entry.event = event
    entry.layout = layout
    entry.hasEndedAtGamma = new.hasEnded
    batch.appendRecord(.match, .update, id: event.id) { batch in
      appendNames(of: event, to: &batch)
      appendStatus(of: event, to: &batch)
    }
    appendState(of: event, &entry, to: &batch)
    events[event.id] = entry
    for (place, market) in layout.markets.enumerated() where market != old.layout.markets[place] {
      appendChange(of: place, event.id, &batch)
    }
  }

  /// Publishes a market whose state has changed, with the prices of its tokens.
  mutating func appendChange(of place: Int, _ eventID: UInt64, _ batch: inout FeedBatch) {
    guard let market = events[eventID]?.layout.markets[place] else { return }
    if market.status == .closed {
      events[eventID]!.awaiting.remove(place)
      // Its changes do not arrive any more. If it opens again, its prices await an image.
      for outcome in market.outcomes { tokens[outcome.token]?.book = TokenBook() }
    }
    let isAwaiting = events[eventID]!.awaiting.contains(place)
    batch.appendRecord(.market, .update, id: market.id) { append(market, to: &$0) }
    batch.appendRecord(.exchangeMarket, .update, id: market.id) { append(market, isAwaiting: isAwaiting, to: &$0) }
    for outcome in market.outcomes { publish(outcome.token, at: nil, &batch) }
  }

  // MARK: Scores

  /// Applies the state of a game. A game of another subscription is ignored.
  mutating func apply(_ update: SportsUpdate, _ batch: inout FeedBatch) {
    guard let id = games[update.gameID], var entry = events[id] else { return }
    var event = entry.event
    event.isLive = update.isLive
    event.hasEnded = update.hasEnded || entry.hasEndedAtGamma
    event.period = update.period
    event.elapsed = update.elapsed
    if !update.score.isEmpty { event.score = update.isReversed ? GameState.reversed(update.score) : update.score }
    entry.hasSports = true
    guard event != entry.event else { return events[id] = entry }
    entry.event = event
    batch.appendMessage(.update) { batch in
      batch.appendRecord(.match, .update, id: id) { appendStatus(of: event, to: &$0) }
      appendState(of: event, &entry, to: &batch)
    }
    events[id] = entry
  }

  // MARK: Ids

  private static func typeID(_ type: String) -> UInt64 {
    if let rank = EventLayout.mainTypes.firstIndex(of: type) { return UInt64(rank + 1) }
    return MarketID(type.isEmpty ? "other" : type)?.raw ?? 0
  }

  private static func sportID(_ league: String) -> UInt64 {
    SportID(Leagues.sport(of: league).lowercased())?.raw ?? 0
  }
}

extension GammaEvent {
  /// Returns the event with the state of the game from another one. A game that has ended stays so.
  fileprivate func withState(of other: GammaEvent) -> GammaEvent {
    var event = self
    event.isLive = other.isLive
    event.hasEnded = hasEnded || other.hasEnded
    event.score = other.score
    event.period = other.period
    event.elapsed = other.elapsed
    return event
  }
}
