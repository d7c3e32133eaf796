@testable import Polymarket

/// Events that tests use.
enum Sample {
  /// A game that cannot be drawn: Bills against Chiefs, with a result, a handicap and a total.
  static let game: GammaEvent = {
    var event = GammaEvent(id: 16085)
    event.slug = "nfl-buf-kc-2026-01-25"
    event.title = "Bills vs. Chiefs"
    event.gameID = 19439
    event.startTime = 1_769_383_800_000
    event.markets = [
      market(501, "moneyline", ["Bills", "Chiefs"], ["11", "12"]),
      market(502, "spreads", ["Chiefs", "Bills"], ["21", "22"], line: -25_000_000),
      market(503, "totals", ["Over", "Under"], ["31", "32"], line: 475_000_000),
    ]
    return event
  }()

  /// A game that can be drawn: Fulham against Chelsea, with a market of Yes and No for each result.
  static let footballGame: GammaEvent = {
    var event = GammaEvent(id: 16090)
    event.slug = "epl-ful-che-2026-01-24"
    event.title = "Fulham FC vs. Chelsea FC"
    event.gameID = 90_123_081
    event.startTime = 1_769_268_600_000
    event.isLive = true
    event.score = "0-1"
    event.elapsed = "81"
    event.period = "2H"
    event.markets = [
      market(601, "moneyline", ["Yes", "No"], ["41", "42"], group: "Fulham FC"),
      market(602, "moneyline", ["Yes", "No"], ["51", "52"], group: "Draw (Fulham FC vs. Chelsea FC)"),
      market(603, "moneyline", ["Yes", "No"], ["61", "62"], group: "Chelsea FC"),
    ]
    return event
  }()

  static func market(
    _ id: UInt64, _ type: String, _ outcomes: [String], _ tokens: [String], line: Int64? = nil, group: String = ""
  ) -> GammaMarket {
    var market = GammaMarket(id: id)
    market.question = "Question \(id)"
    market.type = type
    market.groupTitle = group
    market.outcomes = outcomes
    market.tokens = tokens.compactMap { TokenID($0) }
    market.line = line
    return market
  }
}
