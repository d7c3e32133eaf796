import OddsFeed
import OddsModel

/// The fields of a match, from the definitions of its markets.
struct MatchFields {
  private let definition: MarketDefinition
  private let status: MatchStatus

  /// Creates the fields from the definition that has just changed and those of all markets of the match.
  init(_ definition: MarketDefinition, others: [MarketDefinition?]) {
    self.definition = definition
    status = Self.status(of: others)
  }

  /// Returns the stage of a match, from the definitions of all its markets.
  static func status(of markets: [MarketDefinition?]) -> MatchStatus {
    let known = markets.compactMap(\.self)
    if known.isEmpty { return .unknown }
    if known.allSatisfy({ $0.status == .closed }) { return .ended }
    return known.contains { $0.isInPlay && $0.status != .closed } ? .inProgress : .pending
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
    if let time = definition.startTime { batch.set(.startTime, .integer(time)) }
    batch.set(.status, .integer(Int64(status.rawValue)))
  }
}

extension MarketDefinition {
  /// The name of the market, or its type in words: "Match Odds" for `MATCH_ODDS`.
  var shownName: String {
    if !name.isEmpty { return name }
    return marketType.split(separator: "_").map { $0.prefix(1) + $0.dropFirst().lowercased() }.joined(separator: " ")
  }

  /// The roles of the runners in a market on the result of a match: first the home side, then the away side, then the
  /// draw.
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
