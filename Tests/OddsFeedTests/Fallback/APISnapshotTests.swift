import TestSupport
import Testing

@testable import OddsFeed
@testable import OddsModel

struct APISnapshotTests {
  private func matches(_ snapshot: APISnapshot) -> [Match] {
    var state = ChannelState()
    state.apply(snapshot.dump)
    #expect(state.counters.rejected == 0 && state.counters.waiting == 0 && state.counters.unparsable == 0)
    return Array(state.matchIDs).compactMap { state.match($0) }.sorted(by: Match.boardOrder)
  }

  @Test("A match has its names, its start and one main market with its prices, in the order home, draw, away")
  func match() throws {
    let match = try #require(matches(ScriptedAPI.match()).first)
    #expect(match.id == 100 && match.startTime == 1_750_752_000_000)
    #expect(match.labels.name == "Ajax - Porto" && match.labels.home == "Ajax" && match.labels.away == "Porto")
    let market = try #require(match.mainMarket)
    #expect(market.isMain)
    #expect(market.outcomes.map(\.key) == ["home", "draw", "away"])
    #expect(market.outcomes.map { "\($0.offer?.odds?.description ?? "-")" } == ["3.00", "3.10", "2.45"])
    #expect(market.outcomes.map(\.isBettable) == [true, true, true])
  }

  @Test("An outcome without a price is not bettable, and a sport without draws has no draw outcome")
  func noPrice() throws {
    let market = try #require(matches(ScriptedAPI.match(100, nil, hasDraw: false)).first?.mainMarket)
    #expect(market.outcomes.map(\.key) == ["home", "away"])
    #expect(market.outcomes.map(\.isBettable) == [false, true])
  }

  @Test("Matches keep their ids, markets have ids with an API prefix, and names may contain any character")
  func ids() throws {
    var snapshot = ScriptedAPI.match(123_456_789_012_345_678)
    snapshot.rows.append(snapshot.rows[0])
    snapshot.rows[1].matchID = "7"
    snapshot.rows[1].home = "\"A\" \\ 北京"
    let matches = matches(snapshot)
    #expect(Set(matches.map(\.id.description)) == ["123456789012345678", "7"])
    #expect(matches.first { $0.id == 7 }?.labels.home == "\"A\" \\ 北京")
    #expect(Set(matches.flatMap(\.markets).map(\.id.description)) == ["api:123456789012345678", "api:7"])
  }

  @Test("A snapshot without matches is an empty dump")
  func empty() { #expect(matches(APISnapshot(rows: [])).isEmpty) }
}
