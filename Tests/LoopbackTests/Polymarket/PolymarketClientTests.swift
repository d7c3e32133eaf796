import NIOHTTP1
import OddsClient
import Platform
import Testing

@testable import Polymarket

@Suite("A client of Polymarket over real sockets", .timeLimit(.minutes(15)))
struct PolymarketClientTests {
  @Test("reads live games and one game with its prices; a sport is an error")
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
      let error = await #expect(throws: OddsClientError.self) { try await feed.subscribe(to: .live(sport: .football)) }
      #expect(error?.code == "selectionUnavailable")
    }
    await server.stop()
  }

  @Test("waits while Gamma does not answer yet, and subscribes once it does")
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
