extension ChannelState {
  /// A match with its markets, outcomes and offers; nil where it is not in the channel.
  package mutating func match(_ id: MatchID) -> Match? {
    if let known = built[id] { return known }
    guard let record = matches[id.raw] else { return nil }
    let names = labels[id] ?? Match.Labels(record)
    labels[id] = names
    let match = build(record, names)
    built[id] = match
    return match
  }

  /// Every match, in no order.
  package var matchIDs: some Collection<MatchID> {
    matches.records.keys.lazy.map(MatchID.init(raw:))
  }

  /// The match that a market is of, or nil.
  package func match(of market: MarketID) -> MatchID? {
    markets[market.raw]?.eventID.map(MatchID.init(raw:))
  }

  /// The match in whose market an outcome first stands, or nil.
  package func match(of outcome: OutcomeID) -> MatchID? {
    marketsOfOutcome[outcome.raw].first.flatMap { markets[$0]?.eventID }.map(MatchID.init(raw:))
  }

  private func build(_ record: MatchRecord, _ labels: Match.Labels) -> Match {
    var match = Match(
      id: MatchID(raw: record.id), labels: labels, sportID: record.sportID.map(SportID.init(raw:)),
      startTime: record.startTime, status: record.status.flatMap { MatchStatus(rawValue: Int($0)) } ?? .unknown,
      markets: marketsOfMatch[record.id].each(market))
    for id in infosOfMatch[record.id] {
      if let info = eventInfos[id] { add(info, to: &match, record) }
    }
    return match
  }

  private func add(_ info: EventInfoRecord, to match: inout Match, _ record: MatchRecord) {
    switch info.type.flatMap(EventInfoRecord.Kind.init) {
    case .score:
      guard let home = info.first, let away = info.second else { return }
      match.score = Score(home: Int(home / DecimalOdds.unitsPerOne), away: Int(away / DecimalOdds.unitsPerOne))
    case .matchTime: match.minute = info.first.map { Int($0 / DecimalOdds.unitsPerOne) }
    case .serve:
      guard let player = info.participant else { return }
      match.serving = player == record.homeID ? .home : player == record.awayID ? .away : nil
    case nil: break
    }
  }

  private func market(_ id: UInt64) -> Market? {
    guard let record = markets[id] else { return nil }
    let isOpen = record.isAvailable && !record.isClosed
    return Market(
      id: MarketID(raw: id), name: record.name, isAvailable: record.isAvailable, isClosed: record.isClosed,
      isMain: record.bettingTypeID.map(mainBettingTypes.contains) ?? false,
      outcomes: outcomesOfMarket[id].each { outcome($0, isOpen: isOpen) })
  }

  private func outcome(_ id: UInt64, isOpen: Bool) -> Outcome? {
    guard let record = outcomes[id] else { return nil }
    var shown: BettingOffer?
    for offer in offersOfOutcome[id] {
      guard let candidate = offers[offer].map(BettingOffer.init) else { continue }
      if shown == nil { shown = candidate }
      if candidate.isBettable {
        shown = candidate
        break
      }
    }
    return Outcome(
      id: OutcomeID(raw: id), name: record.shownName, key: record.key, offer: shown,
      isBettable: isOpen && shown?.isBettable == true)
  }
}

extension BettingOffer {
  fileprivate init(_ record: BettingOfferRecord) {
    id = OfferID(raw: record.id)
    odds = record.odds.map(DecimalOdds.init(units:))
    // NB: a producer that sends no status at all means an ordinary offer; a status we do not know is not bettable.
    status = record.status.map { OfferStatus(rawValue: Int($0)) ?? .unknown } ?? .standard
    isAvailable = record.isAvailable
    lastChanged = record.lastChanged
  }

  /// The offer's own part of the bettable rule (FEED.md §3); the market's part is in `Outcome.isBettable`.
  fileprivate var isBettable: Bool { status == .standard && isAvailable && odds != nil }
}

extension [UInt64] {
  /// `compactMap` without the growth: nearly every id has its record.
  fileprivate func each<Child>(_ make: (UInt64) -> Child?) -> [Child] {
    var made: [Child] = []
    made.reserveCapacity(count)
    for id in self {
      if let child = make(id) { made.append(child) }
    }
    return made
  }
}
