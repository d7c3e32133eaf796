import OddsModel

/// Derives the changes of prices from observations.
///
/// Several channels may carry a market, with delays of their own. One of them is its owner, and only the owner's
/// changes count, so a slower channel does not turn a price back. When the owner no longer carries the market, another
/// channel takes over.
package struct ChangeDetector {
  private struct Ownership {
    var channel: Int
    /// The market as last recorded.
    var market: Market
  }

  private var channels: [Int: [MatchID: Match]] = [:]
  private var markets: [MarketKey: Ownership] = [:]
  /// The matches as last recorded.
  private var matches: [MatchID: Match] = [:]

  package init() {}

  /// Returns the entries to write for an observation.
  package mutating func apply(_ observation: MatchObservation) -> [HistoryEntry] {
    let (channel, time) = (observation.channel, observation.time)
    var entries: [HistoryEntry] = []
    switch observation.content {
    case .match(let match):
      let old = channels[channel, default: [:]].updateValue(match, forKey: match.id)
      record(match, at: time, &entries)
      compare(old, match, of: channel, at: time, &entries)
    case .removed(let id): remove(id, from: channel, at: time, &entries)
    case .lost:
      for (key, ownership) in markets where ownership.channel == channel {
        markets[key] = nil
        entries.append(.end(key, time: time))
      }
      fallthrough
    case .unknown:
      for id in (channels[channel] ?? [:]).keys.sorted() { remove(id, from: channel, at: time, &entries) }
      channels[channel] = nil
    }
    return entries
  }

  /// Returns the entries that begin the markets that no channel records although one carries them, after the channels
  /// that recorded them were lost.
  mutating func takeOver(at time: Int64) -> [HistoryEntry] {
    var entries: [HistoryEntry] = []
    for channel in channels.keys.sorted() {
      for match in channels[channel, default: [:]].values.sorted(by: { $0.id < $1.id }) {
        for market in match.markets {
          if markets[MarketKey(match: match.id, market: market.id)] != nil { continue }
          observe(market, of: match.id, by: channel, at: time, &entries)
        }
      }
    }
    return entries
  }

  /// Returns the entries that write the current state of everything, after earlier ones were lost.
  func restated(at time: Int64) -> [HistoryEntry] {
    var entries = matches.values.sorted { $0.id < $1.id }.map { HistoryEntry.match($0, time: time) }
    for (key, ownership) in markets {
      entries.append(.begin(key, ownership.market, time: time))
      for outcome in ownership.market.outcomes { Self.add(outcome, of: key, at: time, &entries) }
    }
    return entries
  }

  /// Returns the entries that end the spans of all markets.
  func ended(at time: Int64) -> [HistoryEntry] { markets.keys.map { .end($0, time: time) } }

  private mutating func record(_ match: Match, at time: Int64, _ entries: inout [HistoryEntry]) {
    let old = matches.updateValue(match, forKey: match.id)
    if let old, old.labels == match.labels, old.startTime == match.startTime, old.status == match.status,
      old.score == match.score
    {
      return
    }
    entries.append(.match(match, time: time))
  }

  /// Compares two states of a match, whose markets ascend by id.
  private mutating func compare(
    _ old: Match?, _ new: Match, of channel: Int, at time: Int64, _ entries: inout [HistoryEntry]
  ) {
    let known = old?.markets ?? []
    var index = 0
    for market in new.markets {
      while index < known.count, known[index].id < market.id {
        release(MarketKey(match: new.id, market: known[index].id), by: channel, at: time, &entries)
        index += 1
      }
      if index < known.count, known[index].id == market.id {
        if known[index] != market { observe(market, of: new.id, by: channel, at: time, &entries) }
        index += 1
      } else {
        observe(market, of: new.id, by: channel, at: time, &entries)
      }
    }
    for market in known.dropFirst(index) {
      release(MarketKey(match: new.id, market: market.id), by: channel, at: time, &entries)
    }
  }

  private mutating func remove(
    _ id: MatchID, from channel: Int, at time: Int64, _ entries: inout [HistoryEntry]
  ) {
    guard let match = channels[channel]?.removeValue(forKey: id) else { return }
    for market in match.markets { release(MarketKey(match: id, market: market.id), by: channel, at: time, &entries) }
    if channels.values.contains(where: { $0[id] != nil }) { return }
    matches[id] = nil
    entries.append(.gone(id, time: time))
  }

  private mutating func observe(
    _ market: Market, of match: MatchID, by channel: Int, at time: Int64, _ entries: inout [HistoryEntry]
  ) {
    let key = MarketKey(match: match, market: market.id)
    guard let ownership = markets[key] else {
      markets[key] = Ownership(channel: channel, market: market)
      entries.append(.begin(key, market, time: time))
      for outcome in market.outcomes { Self.add(outcome, of: key, at: time, &entries) }
      return
    }
    if ownership.channel == channel { update(key, to: market, at: time, &entries) }
  }

  /// Records the differences of a market from its last state.
  private mutating func update(
    _ key: MarketKey, to market: Market, at time: Int64, _ entries: inout [HistoryEntry]
  ) {
    guard let old = markets[key]?.market else { return }
    markets[key]?.market = market
    if old.name != market.name || old.handicap != market.handicap || old.mainMarketRank != market.mainMarketRank
      || old.isMainLine != market.isMainLine
    {
      entries.append(.begin(key, market, time: time))
    }
    var index = 0
    for outcome in market.outcomes {
      while index < old.outcomes.count, old.outcomes[index].id < outcome.id {
        withdraw(old.outcomes[index], of: key, at: time, &entries)
        index += 1
      }
      guard index < old.outcomes.count, old.outcomes[index].id == outcome.id else {
        Self.add(outcome, of: key, at: time, &entries)
        continue
      }
      let before = old.outcomes[index]
      index += 1
      let outcomeKey = OutcomeKey(market: key, outcome: outcome.id)
      if before.name != outcome.name || before.key != outcome.key {
        entries.append(.outcome(outcomeKey, outcome, time: time))
      }
      let price = RecordedPrice(outcome)
      if price != RecordedPrice(before) {
        entries.append(.price(outcomeKey, price, time: time, isFirst: false))
      }
    }
    for outcome in old.outcomes.dropFirst(index) { withdraw(outcome, of: key, at: time, &entries) }
  }

  private static func add(
    _ outcome: Outcome, of key: MarketKey, at time: Int64, _ entries: inout [HistoryEntry]
  ) {
    let outcomeKey = OutcomeKey(market: key, outcome: outcome.id)
    entries.append(.outcome(outcomeKey, outcome, time: time))
    entries.append(.price(outcomeKey, RecordedPrice(outcome), time: time, isFirst: true))
  }

  private func withdraw(_ outcome: Outcome, of key: MarketKey, at time: Int64, _ entries: inout [HistoryEntry]) {
    if RecordedPrice(outcome) == .none { return }
    entries.append(.price(OutcomeKey(market: key, outcome: outcome.id), .none, time: time, isFirst: false))
  }

  /// Ends the ownership of a market, or passes it to another channel that carries the market.
  private mutating func release(
    _ key: MarketKey, by channel: Int, at time: Int64, _ entries: inout [HistoryEntry]
  ) {
    guard markets[key]?.channel == channel else { return }
    let other = carrier(of: key, besides: channel)
    guard let (next, market) = other else {
      markets[key] = nil
      entries.append(.end(key, time: time))
      return
    }
    markets[key]?.channel = next
    update(key, to: market, at: time, &entries)
  }

  /// Returns another channel that carries a market, and the market as it has it.
  private func carrier(of key: MarketKey, besides channel: Int) -> (Int, Market)? {
    for other in channels.keys.sorted() where other != channel {
      if let market = channels[other]?[key.match]?.markets.first(where: { $0.id == key.market }) {
        return (other, market)
      }
    }
    return nil
  }
}
