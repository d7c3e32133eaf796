import TestSupport

extension ReferenceStore {
  /// Returns every match by id, rebuilt from all records.
  func pictures() -> [String: String] { Pictures(self).all() }

  /// Returns the keys of all records of a type in ascending order of id: numbers first, by value.
  func all(_ type: String) -> [RecordKey] {
    let ids = tables[type, default: [:]].keys.map { (number: UInt64($0) ?? .max, text: $0) }
    return ids.sorted { ($0.number, $0.text) < ($1.number, $1.text) }.map { RecordKey(type: type, id: $0.text) }
  }

  func reference(_ key: RecordKey, _ field: String) -> String? {
    guard case .text(let id) = self[key]?[field] else { return nil }
    return id
  }

  /// Returns the markets that contain an outcome, including markets that have not arrived.
  func markets(of outcome: String) -> Set<String> {
    let own = reference(RecordKey(type: "OUTCOME", id: outcome), "marketId")
    let relations = tables["MARKET_OUTCOME_RELATION", default: [:]].values.filter { $0["outcomeId"] == .text(outcome) }
    return Set(relations.compactMap { $0["marketId"] } + (own.map { [.text($0)] } ?? [])).reduce(into: []) {
      if case .text(let market) = $1 { $0.insert(market) }
    }
  }
}

/// The matches of a store at one moment.
private struct Pictures {
  private let store: ReferenceStore
  private let matches: [RecordKey]
  /// The children by the ids of their parents, each list in ascending order of id.
  private let infos: [String: [RecordKey]]
  private let markets: [String: [RecordKey]]
  private var outcomes: [String: [RecordKey]] = [:]
  private let offers: [String: [RecordKey]]
  private let mainTypes: [String?]

  init(_ store: ReferenceStore) {
    func children(_ type: String, by field: String) -> [String: [RecordKey]] {
      Dictionary(grouping: store.all(type).filter { store.reference($0, field) != nil }) {
        store.reference($0, field)!
      }
    }
    self.store = store
    matches = store.all("MATCH")
    infos = children("EVENT_INFO", by: "eventId")
    markets = children("MARKET", by: "eventId")
    offers = children("BETTING_OFFER", by: "outcomeId")
    mainTypes = store.mainMarkets.map { store.reference($0, "bettingTypeId") }
    let related = children("MARKET_OUTCOME_RELATION", by: "outcomeId")
    for outcome in store.all("OUTCOME") {
      let joins = related[outcome.id, default: []] + [outcome]
      for market in Set(joins.compactMap { store.reference($0, "marketId") }) {
        outcomes[market, default: []].append(outcome)
      }
    }
  }

  func all() -> [String: String] {
    Dictionary(uniqueKeysWithValues: matches.map { ($0.id, picture($0)) })
  }

  private func text(_ key: RecordKey, _ field: String) -> String { store.reference(key, field) ?? "" }

  private func number(_ key: RecordKey, _ field: String) -> Int64? {
    guard case .number(let number) = store[key]?[field] else { return nil }
    return number
  }

  private func flag(_ key: RecordKey, _ field: String, absent: Bool) -> Bool {
    guard case .flag(let flag) = store[key]?[field] else { return absent }
    return flag
  }

  private func picture(_ match: RecordKey) -> String {
    let markets = markets[match.id, default: []]
    let (home, away) = (text(match, "homeParticipantName"), text(match, "awayParticipantName"))
    let name = text(match, "name")
    var head = MatchPicture.Head(
      id: match.id,
      names: [
        name.isEmpty && !home.isEmpty ? "\(home) - \(away)" : name, home, away, text(match, "parentName"),
        text(match, "categoryName"), text(match, "currentPartName"),
      ],
      sport: store.reference(match, "sportId"), start: number(match, "startTime"))
    head.status = number(match, "statusId").flatMap { (0...3).contains($0) ? Int($0) : nil } ?? 0
    for info in infos[match.id, default: []] { add(info, match, to: &head) }
    head.redCards = redCards(match)
    head.mainMarket = mainMarket(markets)?.id
    let isOver = head.status == 3
    let rows = markets.map { picture(market: $0, isMatchOver: isOver) }
    return ([MatchPicture.head(head)] + rows).joined(separator: "\n")
  }

  /// An info with a higher id overrides an earlier one of the same kind.
  private func add(_ info: RecordKey, _ match: RecordKey, to head: inout MatchPicture.Head) {
    let (first, second) = (number(info, "paramFloat1"), number(info, "paramFloat2"))
    switch number(info, "typeId") {
    case 1: if let first, let second { head.score = (first / 10_000_000, second / 10_000_000) }
    case 95: head.minute = first.map { $0 / 10_000_000 }
    case 37:
      guard let player = store.reference(info, "paramParticipantId1") else { return }
      if player == store.reference(match, "homeParticipantId") {
        head.serving = "home"
      } else {
        head.serving = player == store.reference(match, "awayParticipantId") ? "away" : nil
      }
    default: break
    }
  }

  /// Returns the sum over both kinds of card of the highest count in any record.
  private func redCards(_ match: RecordKey) -> (home: Int64, away: Int64)? {
    let kinds = [Int64(3), 4].map { kind in
      infos[match.id, default: []].filter { number($0, "typeId") == kind }.compactMap { info -> [Int64]? in
        guard let first = number(info, "paramFloat1"), let second = number(info, "paramFloat2") else { return nil }
        let player = store.reference(info, "paramParticipantId1")
        let isAwayFirst = player != nil && player == store.reference(match, "awayParticipantId")
        let counts = [first / 10_000_000, second / 10_000_000]
        return isAwayFirst ? counts.reversed() : counts
      }
    }
    if kinds.allSatisfy(\.isEmpty) { return nil }
    func most(_ side: Int) -> Int64 { kinds.reduce(0) { $0 + max(0, $1.map { $0[side] }.max() ?? 0) } }
    return (most(0), most(1))
  }

  /// Returns the index of a market's betting type in the list of main markets, or nil if it is not listed.
  private func rank(_ market: RecordKey) -> Int? {
    guard let type = store.reference(market, "bettingTypeId") else { return nil }
    return mainTypes.firstIndex(of: type)
  }

  private func mainMarket(_ markets: [RecordKey]) -> RecordKey? {
    let best = markets.compactMap(rank).min()
    let ranked = markets.filter { best == nil || rank($0) == best }
    let open = ranked.filter { !flag($0, "isClosed", absent: false) }
    let candidates = open.isEmpty ? ranked : open
    return candidates.first { flag($0, "mainLine", absent: false) } ?? candidates.first
  }

  private func picture(market: RecordKey, isMatchOver: Bool) -> String {
    let (isAvailable, isClosed) = (
      flag(market, "isAvailable", absent: true), flag(market, "isClosed", absent: false)
    )
    let head = MatchPicture.market(
      id: market.id, name: text(market, "name"), type: store.reference(market, "bettingTypeId"),
      handicap: number(market, "paramFloat1"), isAvailable: isAvailable, isClosed: isClosed,
      outcomeCount: number(market, "numberOfOutcomes").flatMap { (1...254).contains($0) ? Int($0) : nil },
      mainMarketRank: rank(market))
    let takesBets = isAvailable && !isClosed && !isMatchOver
    let outcomes = outcomes[market.id, default: []].map { picture(outcome: $0, takesBets: takesBets) }
    return ([head] + outcomes).joined(separator: "\n")
  }

  private func picture(outcome: RecordKey, takesBets: Bool) -> String {
    let offers = offers[outcome.id, default: []]
    let shown = offers.first(where: isBettable) ?? offers.first
    let names = ["translatedName", "name", "typeName"].map { text(outcome, $0) }
    return MatchPicture.outcome(
      id: outcome.id, name: names.first { !$0.isEmpty } ?? "", key: text(outcome, "headerNameKey"),
      isBettable: takesBets && shown.map(isBettable) == true,
      offer: shown.map {
        MatchPicture.offer(
          id: $0.id, units: number($0, "odds"), status: status($0),
          isAvailable: flag($0, "isAvailable", absent: true), changed: number($0, "lastChangedTime"))
      })
  }

  /// Returns true if the offer itself allows bets (Records.md).
  private func isBettable(_ offer: RecordKey) -> Bool {
    status(offer) == 1 && flag(offer, "isAvailable", absent: true) && number(offer, "odds") != nil
  }

  private func status(_ offer: RecordKey) -> Int {
    guard let status = number(offer, "statusId") else { return 1 }
    return (1...7).contains(status) ? Int(status) : 0
  }
}
