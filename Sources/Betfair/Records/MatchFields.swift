import OddsFeed
import OddsModel

/// The fields of a match, from the definitions of its markets.
struct MatchFields {
  private let definition: MarketDefinition
  private let markets: [MarketDefinition?]

  /// Creates the fields from the definition that has just changed and those of all markets of the match.
  init(_ definition: MarketDefinition, markets: [MarketDefinition?]) {
    self.definition = definition
    self.markets = markets
  }

  /// Returns the stage of a match, from the definitions of all its markets.
  private static func status(of markets: [MarketDefinition?]) -> MatchStatus {
    let known = markets.compactMap(\.self)
    if known.isEmpty { return .unknown }
    if known.allSatisfy({ $0.status == .closed }) { return .ended }
    return known.contains { $0.isInPlay && $0.status != .closed } ? .inProgress : .pending
  }

  /// Returns the first start of the markets of the best type that are not closed, or of all of that type if all are
  /// closed: the next race of a meeting, as the main market of a match.
  private static func startTime(of markets: [MarketDefinition?]) -> Int64? {
    var best = (Int.max, 1)
    var start: Int64?
    for market in markets {
      guard let market else { continue }
      let order = (MarketRecords.mainRank(market.marketType), market.status == .closed ? 1 : 0)
      if order > best { continue }
      if order < best { start = nil }
      best = order
      if let time = market.startTime { start = min(start ?? time, time) }
    }
    return start
  }

  /// Appends the fields that depend on all markets of a match.
  static func append(of markets: [MarketDefinition?], to batch: inout FeedBatch) {
    if let time = startTime(of: markets) { batch.set(.startTime, .integer(time)) }
    batch.set(.status, .integer(Int64(status(of: markets).rawValue)))
  }

  func append(to batch: inout FeedBatch) {
    let name = definition.eventName
    batch.set(.name, text: (name.isEmpty ? definition.eventID : name).utf8)
    let sides = name.split(separator: " v ", omittingEmptySubsequences: false)
    if sides.count == 2 {
      batch.set(.homeName, text: sides[0].utf8)
      batch.set(.awayName, text: sides[1].utf8)
    }
    if !definition.competition.isEmpty { batch.set(.tournamentName, text: definition.competition.utf8) }
    if let sport = RawID.of(definition.eventTypeID) { batch.set(.sportID, .id(sport)) }
    Self.append(of: markets, to: &batch)
  }
}

extension MarketDefinition {
  /// The name of the market, or its type in words: "Match Odds" for `MATCH_ODDS`.
  var shownName: String {
    if !name.isEmpty { return name }
    return marketType.split(separator: "_").map { $0.prefix(1) + $0.dropFirst().lowercased() }.joined(separator: " ")
  }

  /// The roles of the runners in a market on the result of a match, by their priorities: first the home side, then the
  /// away side, then the draw. Empty for other markets.
  var outcomeKeys: [RunnerKey: String] {
    guard ["MATCH_ODDS", "MATCH_ODDS_UNMANAGED", "MONEY_LINE", "HALF_TIME"].contains(marketType),
      2...3 ~= runners.count
    else { return [:] }
    let sorted = runners.sorted { $0.priority < $1.priority }.map(\.key)
    return Dictionary(zip(sorted, ["home", "away", "draw"])) { first, _ in first }
  }
}

extension RunnerKey {
  /// Returns the id of the runner's outcome: the market's id, the selection's and, unless it is 0, the handicap.
  func text(in market: MarketKey) -> String {
    "\(market.text)/\(id)" + (handicap == 0 ? "" : "/\(handicapText)")
  }

  /// The handicap with a sign: "+1.5", "-0.25".
  fileprivate var handicapText: String {
    let units = handicap.magnitude
    let (whole, rest) = units.quotientAndRemainder(dividingBy: UInt64(DecimalOdds.unitsPerOne))
    var digits = String(String(rest + UInt64(DecimalOdds.unitsPerOne)).dropFirst())
    while digits.last == "0" { digits.removeLast() }
    return (handicap < 0 ? "-" : "+") + "\(whole)" + (digits.isEmpty ? "" : ".\(digits)")
  }
}

extension RunnerBook {
  /// The name of the runner, or the selection's id, and the handicap.
  var shownName: String {
    (name.isEmpty ? "\(key.id)" : name) + (key.handicap == 0 ? "" : " \(key.handicapText)")
  }
}
