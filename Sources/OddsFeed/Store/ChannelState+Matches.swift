package import OddsModel

extension ChannelState {
  /// Returns a match with its markets, outcomes and offers, or nil if it is not in the channel.
  package mutating func match(_ id: MatchID) -> Match? {
    sortChildren()
    let slot = matches.present(id.raw)
    if slot == .none { return nil }
    if matches[slot].marks.contains(.built), let known = values.match(slot) { return known }
    let match = build(slot)
    values.store(match, slot)
    matches[slot].marks.insert(.built)
    return match
  }

  /// Returns a market, or nil if it is not in the channel.
  package mutating func market(_ id: MarketID) -> Market? {
    sortChildren()
    let slot = markets.present(id.raw)
    return slot == .none ? nil : market(slot)
  }

  /// Returns an outcome as it is in its first market that has arrived, or nil if it or such a market is missing.
  package mutating func outcome(_ id: OutcomeID) -> Outcome? {
    sortChildren()
    let slot = outcomes.present(id.raw)
    guard slot != .none else { return nil }
    var relation = outcomes[slot].relations.first
    while relation != .none, !markets[relations[relation].market].isPresent {
      relation = relations[relation].inOutcome.next
    }
    if relation == .none { return nil }
    let market = relations[relation].market
    let exchange = exchange(ofMarket: markets[market].id)
    return outcome(slot, takesBets: takesBets(market: market, exchange), exchange: exchange)
  }

  /// The ids of all matches, in no particular order.
  package var matchIDs: some Collection<MatchID> { matches.slots.map { MatchID(raw: matches[$0].id) } }

  private mutating func build(_ slot: Slot) -> Match {
    let content = matches[slot].content
    let labels = values.labels(slot) ?? Match.Names(content, texts, sport: sport(content.sportID))
    values.store(labels, slot)
    var markets: [Market] = []
    var market = matches[slot].markets.first
    while market != .none {
      if self.markets[market].isPresent { markets.append(self.market(market)) }
      market = self.markets[market].inMatch.next
    }
    var match = Match(
      id: MatchID(raw: matches[slot].id), labels: labels,
      sportID: content.sportID == RawID.none ? nil : SportID(raw: content.sportID),
      startTime: content.startTime == absentNumber ? nil : content.startTime,
      status: MatchStatus(rawValue: content.status) ?? .unknown, markets: markets)
    var cards = SentOff()
    var info = matches[slot].infos.first
    while info != .none {
      add(eventInfos[info].content, to: &match, &cards, content)
      info = eventInfos[info].inMatch.next
    }
    match.redCards = cards.total
    return match
  }

  private func sport(_ id: UInt64) -> TextID {
    let slot = sports.present(id)
    return slot == .none ? 0 : sports[slot].content.name
  }

  private func add(
    _ info: EventInfoContent, to match: inout Match, _ cards: inout SentOff, _ record: MatchContent
  ) {
    func whole(_ number: Int64) -> Int { Int(number / DecimalOdds.unitsPerOne) }
    switch EventInfoContent.Kind(rawValue: info.type) {
    case .score:
      guard info.first != absentNumber, info.second != absentNumber else { return }
      match.score = Score(home: whole(info.first), away: whole(info.second))
    case .matchTime: match.minute = info.first == absentNumber ? nil : whole(info.first)
    case .serve:
      guard info.participant != RawID.none else { return }
      match.serving = info.participant == record.homeID ? .home : info.participant == record.awayID ? .away : nil
    case .redCards, .secondYellowCards:
      guard info.first != absentNumber, info.second != absentNumber else { return }
      // The first number is that of the named participant, who can be the away side.
      let isAwayFirst = info.participant != RawID.none && info.participant == record.awayID
      let (home, away) = isAwayFirst ? (info.second, info.first) : (info.first, info.second)
      cards.add(
        Score(home: whole(home), away: whole(away)),
        isSecondYellow: info.type != EventInfoContent.Kind.redCards.rawValue)
    case nil: break
    }
  }

  private mutating func market(_ slot: Slot) -> Market {
    if markets[slot].marks.contains(.built), let known = values.market(slot) { return known }
    let market = build(market: slot)
    values.store(market, slot)
    markets[slot].marks.insert(.built)
    return market
  }

  private func build(market slot: Slot) -> Market {
    let content = markets[slot].content
    let exchange = exchange(ofMarket: markets[slot].id)
    let takesBets = takesBets(market: slot, exchange)
    var outcomes: [Outcome] = []
    var relation = markets[slot].relations.first
    var last = Slot.none
    while relation != .none {
      let outcome = relations[relation].outcome
      // Relations are sorted by outcome, so the relations of an outcome that is joined twice are adjacent.
      if outcome != last, self.outcomes[outcome].isPresent {
        outcomes.append(self.outcome(outcome, takesBets: takesBets, exchange: exchange))
      }
      last = outcome
      relation = relations[relation].inMarket.next
    }
    return Market(
      id: MarketID(raw: markets[slot].id), name: texts[content.name],
      handicap: content.handicap == absentNumber ? nil : content.handicap, bettingTypeID: content.bettingTypeID,
      isAvailable: content.isAvailable, isClosed: content.isClosed, isMatchOver: isMatchOver(ofMarket: slot),
      isMainLine: content.isMainLine, statedOutcomeCount: Int(content.outcomeCount),
      mainMarketRank: content.bettingTypeID == RawID.none ? nil : values.mainMarketRank(content.bettingTypeID),
      outcomes: outcomes, exchange: exchange?.value)
  }

  /// Returns true if bets are taken on a market, by the rule of `Market.takesBets`.
  private func takesBets(market slot: Slot, _ exchange: ExchangeMarketContent?) -> Bool {
    let content = markets[slot].content
    return content.isAvailable && !content.isClosed && !isMatchOver(ofMarket: slot) && exchange?.hasLivePrices ?? true
  }

  private func isMatchOver(ofMarket slot: Slot) -> Bool {
    let match = markets[slot].match
    return match != .none && matches[match].content.isOver
  }

  /// Returns the state of a market on an exchange; nil if there is none.
  @inline(__always)
  private func exchange(ofMarket id: UInt64) -> ExchangeMarketContent? {
    if exchangeMarkets.isUnused { return nil }
    let slot = exchangeMarkets.present(id)
    return slot == .none ? nil : exchangeMarkets[slot].content
  }

  /// Returns the slot of the first bettable offer, otherwise of the first offer; `.none` if there is no offer.
  private func shownOffer(ofOutcome slot: Slot) -> Slot {
    var offer = outcomes[slot].offers.first
    while offer != .none {
      if offers[offer].content.isBettable { return offer }
      offer = offers[offer].inOutcome.next
    }
    return outcomes[slot].offers.first
  }

  /// Returns the price of the shown offer, or the outcome's last price if that offer has none. A price with the status
  /// `lastTraded` does not count: it is that of a matched bet.
  func lastOdds(ofOutcome slot: Slot) -> Int64 {
    let shown = shownOffer(ofOutcome: slot)
    let odds = shown == .none ? absentNumber : offers[shown].content.offeredOdds
    return odds == absentNumber ? outcomes[slot].lastOdds : odds
  }

  private func outcome(_ slot: Slot, takesBets: Bool, exchange: ExchangeMarketContent?) -> Outcome {
    let content = outcomes[slot].content
    let (shown, lastOdds) = (shownOffer(ofOutcome: slot), lastOdds(ofOutcome: slot))
    var outcome = Outcome(
      id: OutcomeID(raw: outcomes[slot].id), name: texts[content.shownName], key: texts[content.key],
      offer: shown == .none ? nil : BettingOffer(offers[shown]),
      isBettable: takesBets && shown != .none && offers[shown].content.isBettable,
      lastOdds: lastOdds == absentNumber ? nil : DecimalOdds(units: lastOdds))
    if !exchangePrices.isUnused, case let prices = exchangePrices.present(outcomes[slot].id), prices != .none {
      let market = exchange ?? ExchangeMarketContent()
      let template = BettingOffer(
        id: OfferID(raw: outcomes[slot].id), odds: nil, status: outcome.offer?.status ?? .unknown,
        isAvailable: takesBets && market.hasLivePrices && outcome.offer?.isAvailable != false)
      let ladder = exchangePrices[prices].content.value(of: template, in: market)
      outcome.exchange = ladder
      // The shown offer is the best price to back. Its size is in the ladder only.
      if let offer = outcome.offer, let best = ladder.backs.first, best.odds == offer.odds {
        outcome.offer = offer.on(.back, level: 0, size: best.size)
      }
    }
    return outcome
  }
}

/// The players sent off in a match. The feed counts red cards and second yellow cards apart, and may count parts of the
/// match besides the whole: the highest count of a kind is that of the whole match.
private struct SentOff {
  private var red: Score?
  private var secondYellow: Score?

  var total: Score? {
    guard let red, let secondYellow else { return red ?? secondYellow }
    return Score(home: red.home + secondYellow.home, away: red.away + secondYellow.away)
  }

  mutating func add(_ count: Score, isSecondYellow: Bool) {
    if isSecondYellow { Self.raise(&secondYellow, to: count) } else { Self.raise(&red, to: count) }
  }

  private static func raise(_ known: inout Score?, to count: Score) {
    known = Score(home: max(known?.home ?? 0, count.home), away: max(known?.away ?? 0, count.away))
  }
}

extension BettingOffer {
  fileprivate init(_ node: OfferNode) {
    let content = node.content
    self.init(
      id: OfferID(raw: node.id), odds: content.odds == absentNumber ? nil : DecimalOdds(units: content.odds),
      status: OfferStatus(rawValue: content.status) ?? .unknown, isAvailable: content.isAvailable,
      lastChanged: content.lastChanged == absentNumber ? nil : content.lastChanged)
  }
}

extension Match.Names {
  fileprivate convenience init(_ record: MatchContent, _ texts: TextTable, sport: TextID) {
    let (home, away) = (texts[record.home], texts[record.away])
    self.init(
      name: record.name == 0 && record.home != 0 ? "\(home) - \(away)" : texts[record.name], home: home, away: away,
      tournament: texts[record.tournament], category: texts[record.category], part: texts[record.part],
      sport: texts[sport])
  }
}
