import NIOHTTP1
import OddsClient
import Platform
import Testing

@testable import Polymarket

@Suite("A client of Polymarket over real sockets", .timeLimit(.minutes(15)))
struct PolymarketClientTests {
  @Test("reads live games and one game with its prices; a sport without a list is an error")
  func games() async throws {
    let game = PolymarketLoopbackTests.game()
    let server = FakePolymarket([game])
    for token in game.openTokens { server.set("\(token)", bid: 40, ask: 42) }
    try await server.start()
    let client = try OddsClient(.polymarket(address: server.address))
    try await client.run { feed in
      let live = try await feed.subscribe(to: .live(limit: 5))
      var id: MatchID?
      for await update in live.updates where update.isTrusted {
        guard let match = update.changed.first, match.mainMarket?.prices.contains(where: { $0 != nil }) == true else {
          continue
        }
        id = match.id
        break
      }
      let event = try await feed.subscribe(to: .match(try #require(id)))
      for await update in event.updates {
        #expect(update.changed.map(\.id) == [id])
        break
      }
      let error = await #expect(throws: OddsClientError.self) { try await feed.subscribe(to: .live(sport: .id(77))) }
      #expect(error?.code == "selectionUnavailable" && error?.message.contains("the sport '77'") == true)
    }
    await server.stop()
  }

  @Test("reads the live games of a sport: of a league that is known, and of one with the sport's tag")
  func sport() async throws {
    var games = (0..<3).map { PolymarketLoopbackTests.game(16085 + 5 * UInt64($0), "Home\($0)", "Away\($0)") }
    games[1].slug = "epl-ful-che-2026-01-25"
    games[2].slug = "nor-bra-mol-2026-01-25"
    let server = FakePolymarket(games)
    try await server.start()
    let client = try OddsClient(.polymarket(address: server.address))
    try await client.run { feed in
      for (limit, ids) in [(50, [16090, 16095]), (1, [16090])] as [(Int, Set<MatchID>)] {
        let live = try await feed.subscribe(to: .live(sport: .football, limit: limit))
        for await update in live.updates {
          #expect(Set(update.changed.map(\.id)) == ids)
          break
        }
      }
    }
    await server.stop()
  }

  @Test("reads all games of a league, also from a second page, and none of another league")
  func league() async throws {
    var other = PolymarketLoopbackTests.game(40_000, "Fulham", "Chelsea")
    other.slug = "epl-ful-che-2026-01-25"
    let games = (0..<120).map { PolymarketLoopbackTests.game(30_000 + UInt64($0), "Home\($0)", "Away\($0)") }
    let server = FakePolymarket([other] + games)
    try await server.start()
    let client = try OddsClient(.polymarket(address: server.address))
    try await client.run { feed in
      for (limit, count) in [(200, 120), (110, 110), (5, 5)] {
        let league = try await feed.subscribe(to: .league("nfl", limit: limit))
        for await update in league.updates {
          #expect(update.changed.count == count && !update.changed.contains { $0.id == 40_000 })
          break
        }
      }
    }
    await server.stop()
  }

  @Test("refuses a league that Polymarket does not have, with an error that names it")
  func unknownLeague() async throws {
    let server = FakePolymarket([PolymarketLoopbackTests.game()])
    try await server.start()
    let client = try OddsClient(.polymarket(address: server.address))
    try await client.run { feed in
      let error = await #expect(throws: OddsClientError.self) { try await feed.subscribe(to: .league("nab")) }
      #expect(error?.code == "polymarketNoLeague" && error?.message.contains("'nab'") == true)
      _ = try await feed.subscribe(to: .league("nfl"))
    }
    await server.stop()
  }

  @Test("reads the games of the day by their start, and none of another day")
  func today() async throws {
    // The clock stands still 1 ms before the end of a day by UTC.
    let nextDay: Int64 = 1_769_385_600_000
    let live = ClientClock.live
    let clock = ClientClock(uptime: live.uptime, wall: { nextDay - 1 }, sleep: live.sleep)
    let starts: [(id: UInt64, start: Int64)] = [
      (16085, nextDay - 86_400_000), (16090, nextDay - 1), (16095, nextDay), (16080, nextDay - 86_400_001),
    ]
    let games = starts.map { id, start in
      var game = PolymarketLoopbackTests.game(id, "Home\(id)", "Away\(id)")
      game.startTime = start
      game.isLive = false
      return game
    }
    let server = FakePolymarket(games)
    try await server.start()
    let client = try OddsClient(.polymarket(address: server.address), clock: clock)
    try await client.run { feed in
      for (limit, ids) in [(5, [16085, 16090]), (1, [16085])] as [(Int, Set<MatchID>)] {
        let today = try await feed.subscribe(to: .next(limit: limit))
        for await update in today.updates {
          #expect(Set(update.changed.map(\.id)) == ids)
          break
        }
      }
    }
    await server.stop()
  }

  @Test("waits while Gamma answers with an error, and subscribes once it has the games")
  func lateGamma() async throws {
    let game = PolymarketLoopbackTests.game()
    let server = FakePolymarket([game])
    server.state.withLock { $0.status = .internalServerError }
    try await server.start()
    let client = try OddsClient(.polymarket(address: server.address))
    try await client.run { feed in
      async let live = feed.subscribe(to: .live(limit: 5))
      for await state in await feed.states { if case .waiting = state { break } }
      server.state.withLock { $0.status = .ok }
      for await update in try await live.updates {
        #expect(update.changed.count == 1)
        break
      }
    }
    await server.stop()
  }
}
