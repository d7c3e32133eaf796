import Dashboard
import NIOHTTP1
import OddsModel
import Platform
import TerminalCore
import TestSupport
import Testing

@testable import Polymarket

@Suite("A board of Polymarket over real sockets", .timeLimit(.minutes(15)))
struct PolymarketLoopbackTests {
  /// A game in progress: Bills against Chiefs.
  static func game(_ id: UInt64 = 16085, _ first: String = "Bills", _ second: String = "Chiefs") -> GammaEvent {
    var event = GammaEvent(id: id)
    event.slug = "nfl-\(first.prefix(3).lowercased())-\(second.prefix(3).lowercased())-2026-01-25"
    event.title = "\(first) vs. \(second)"
    event.gameID = id + 1000
    event.startTime = ClientClock.wallTime() - 60_000
    event.isLive = true
    var market = GammaMarket(id: id * 10)
    market.question = event.title
    market.type = "moneyline"
    market.outcomes = [first, second]
    market.tokens = [TokenID("\(id)1")!, TokenID("\(id)2")!]
    event.markets = [market]
    return event
  }

  private func run(
    _ events: [GammaEvent], size: Size = Size(rows: 24, columns: 80),
    _ body: (FakePolymarket, FeedBoard) async throws -> Void
  ) async throws {
    let server = FakePolymarket(events)
    for token in events.flatMap(\.openTokens) { server.set("\(token)", bid: 40, ask: 42) }
    try await server.start()
    let board = try FeedBoard(server.address, size: size)
    try await body(server, board)
    await board.quit()
    await server.stop()
  }

  @Test("shows games with scores and the probabilities to back and to lay, and their changes")
  func live() async throws {
    // At 80 columns there is no room for the score.
    try await run([Self.game()], size: Size(rows: 24, columns: 120)) { server, board in
      let shown = await board.screen.waitUntil { $0.contains("● live") && $0.contains("Bills") && $0.contains("42.0%") }
      #expect(shown.contains("1 Live") && shown.contains("2 Today"))
      server.set("160851", bid: 55, ask: 57)
      await board.screen.waitUntil { $0.contains("57.0%") && $0.contains("55.0%") && $0.contains("42.0%") }
      server.send(
        #"{"event_type":"price_change","timestamp":"1769383800001","price_changes":[{"asset_id":"160851","price":"0.56","size":"5","#
          + #""side":"SELL","hash":"n","best_bid":"","best_ask":""}]}"#, about: "160851")
      await board.screen.waitUntil { $0.contains("56.0%") }
      server.sendScore(#"{"gameId":17085,"score":"3-16","period":"Q4","elapsed":"5:18","live":true,"ended":false}"#)
      await board.screen.waitUntil { $0.contains("3-16") || $0.contains("3:16") }
    }
  }

  @Test("shows the price to lay of an outcome without any price to back")
  func oneSided() async throws {
    try await run([Self.game()], size: Size(rows: 24, columns: 120)) { server, board in
      server.set("160851", bid: 55, ask: 57)
      await board.screen.waitUntil { $0.contains("● live") && $0.contains("57.0%") && $0.contains("55.0%") }
      let changes = ["0.57", "0.99"].map { price in
        #"{"asset_id":"160851","price":"\#(price)","size":"0","side":"SELL","hash":"n\#(price)"}"#
      }
      server.send(
        #"{"event_type":"price_change","timestamp":"1769383800001","price_changes":[\#(changes.joined(separator: ","))]}"#,
        about: "160851")
      await board.screen.waitUntil { !$0.contains("57.0%") && $0.contains("55.0%") }
    }
  }

  @Test("locks prices when the server stops, and has new live prices after its restart")
  func loss() async throws {
    try await run([Self.game()]) { server, board in
      await board.screen.waitUntil { $0.contains("● live") && $0.contains("42.0%") }
      await server.stop()
      await board.screen.waitUntil { !$0.contains("● live") && $0.contains("?") }
      for token in ["160851", "160852"] { server.set(token, bid: 20, ask: 25) }
      try await server.start()
      board.input.press(.character("r"))
      await board.screen.waitUntil { $0.contains("● live") && $0.contains("25.0%") && !$0.contains("42.0%") }
    }
  }

  @Test("resumes with the server's prices after dropped sockets")
  func drops() async throws {
    try await run([Self.game()]) { server, board in
      await board.screen.waitUntil { $0.contains("42.0%") }
      for ask: Int64 in 43...47 {
        await server.drop { $0.isMarket || ask % 2 == 0 }
        for token in ["160851", "160852"] { server.set(token, bid: ask - 2, ask: ask) }
        await board.screen.waitUntil { $0.contains("● live") && $0.contains("\(ask).0%") }
      }
    }
  }

  @Test("shows correct prices after a connection is closed at any step", arguments: FakePolymarket.Step.allCases)
  func closed(step: FakePolymarket.Step) async throws {
    let server = FakePolymarket([Self.game()])
    for token in ["160851", "160852"] { server.set(token, bid: 40, ask: 42) }
    server.state.withLock { $0.faults = [step] }
    try await server.start()
    let board = try FeedBoard(server.address, size: Size(rows: 24, columns: 80))
    await board.screen.waitUntil { $0.contains("● live") && $0.contains("42.0%") }
    #expect(server.state.withLock { $0.faults.isEmpty })
    server.state.withLock { $0.faults = [step] }
    await server.drop { $0.isMarket }
    for token in ["160851", "160852"] { server.set(token, bid: 20, ask: 25) }
    await board.screen.waitUntil { $0.contains("● live") && $0.contains("25.0%") && !$0.contains("42.0%") }
    // Gamma is requested every 30 s, independently of the sockets.
    #expect(step == .asked || server.state.withLock { $0.faults.isEmpty })
    await board.quit()
    await server.stop()
  }

  @Test("locks prices when a socket does not answer, and reconnects")
  func silence() async throws {
    try await run([Self.game()]) { server, board in
      await board.screen.waitUntil { $0.contains("● live") && $0.contains("42.0%") }
      // Without the images of the next connection, the prices stay unknown.
      server.state.withLock { state in
        state.answersPings = false
        state.withheld = [TokenID("160851")!, TokenID("160852")!]
      }
      await board.screen.waitUntil { !$0.contains("42.0%") }
      server.state.withLock { state in
        state.answersPings = true
        state.withheld = []
      }
      for token in ["160851", "160852"] { server.set(token, bid: 20, ask: 25) }
      await board.screen.waitUntil { $0.contains("● live") && $0.contains("25.0%") }
      #expect(server.state.withLock { $0.subscriptions.count } > 1)
    }
  }

  @Test("shows no price while a token's image is missing, and the price when it comes")
  func missingImage() async throws {
    let server = FakePolymarket([Self.game()])
    for token in ["160851", "160852"] { server.set(token, bid: 40, ask: 42) }
    server.state.withLock { $0.withheld = [TokenID("160852")!] }
    try await server.start()
    let board = try FeedBoard(server.address)
    let shown = await board.screen.waitUntil { $0.contains("● live") && $0.contains("Bills") && $0.contains("?") }
    #expect(!shown.contains("Waiting"))
    server.state.withLock { $0.withheld = [] }
    // The session requests the image again by itself.
    await board.screen.waitUntil { text in
      text.split(separator: "\n").contains { $0.contains("Bills") && $0.contains("42.0%") && !$0.contains("?") }
    }
    await board.quit()
    await server.stop()
  }

  @Test("withdraws prices at a change of the tick size until the next image")
  func tickSize() async throws {
    try await run([Self.game()]) { server, board in
      await board.screen.waitUntil { $0.contains("● live") && $0.contains("42.0%") }
      server.state.withLock { $0.withheld = [TokenID("160851")!] }
      server.send(#"{"event_type":"tick_size_change","asset_id":"160851","new_tick_size":"0.001"}"#, about: "160851")
      await board.screen.waitUntil { text in
        text.split(separator: "\n").contains { $0.contains("Bills") && $0.contains("?") }
      }
      server.state.withLock { $0.withheld = [] }
      server.set("160851", bid: 30, ask: 31)
      await board.screen.waitUntil { $0.contains("31.0%") }
    }
  }

  @Test("withdraws prices that contradict the best prices that the server states, and requests the image")
  func contradiction() async throws {
    try await run([Self.game()], size: Size(rows: 24, columns: 120)) { server, board in
      await board.screen.waitUntil { $0.contains("● live") && $0.contains("42.0%") }
      server.state.withLock { state in
        state.withheld = [TokenID("160851")!]
        state.resubscriptions = []
      }
      // An order at 30 cents, which the server has not sent.
      server.send(
        #"{"event_type":"best_bid_ask","asset_id":"160851","best_bid":"0.28","best_ask":"0.3","timestamp":"1769383800001"}"#,
        about: "160851")
      await board.screen.waitUntil { text in
        text.split(separator: "\n").contains { $0.contains("Bills") && $0.contains("?") }
      }
      // The session requests only this image.
      server.change("160851", bid: 28, ask: 30)
      server.state.withLock { $0.withheld = [] }
      await board.screen.waitUntil { text in
        text.split(separator: "\n").contains { $0.contains("Bills") && $0.contains("30.0%") && !$0.contains("?") }
      }
      #expect(server.state.withLock { Set($0.resubscriptions) } == [[TokenID("160851")!]])
    }
  }

  @Test("closes a resolved market, although Gamma does not know it yet")
  func resolved() async throws {
    try await run([Self.game(), Self.game(16090, "Lions", "Bears")]) { server, board in
      await board.screen.waitUntil { $0.contains("● live") && $0.contains("Lions") && $0.contains("42.0%") }
      server.send(
        #"{"event_type":"market_resolved","assets_ids":["160851","160852"],"winning_asset_id":"160851"}"#,
        about: "160851")
      await board.screen.waitUntil { text in
        text.split(separator: "\n").contains { $0.contains("Bills") && !$0.contains("%") }
          && text.split(separator: "\n").contains { $0.contains("Lions") && $0.contains("42.0%") }
      }
    }
  }

  @Test("opens a game with all its markets, of which the list has only the main ones")
  func detail() async throws {
    var event = Self.game()
    var market = GammaMarket(id: 777)
    market.question = "Longest field goal"
    market.type = "props"
    market.outcomes = ["Over 45", "Under 45"]
    market.tokens = [TokenID("7771")!, TokenID("7772")!]
    event.markets.append(market)
    try await run([event], size: Size(rows: 60, columns: 160)) { server, board in
      await board.screen.waitUntil { $0.contains("● live") && $0.contains("42.0%") }
      #expect(server.state.withLock { $0.subscriptions } == [event.main.openTokens])
      board.input.press(.enter)
      await board.screen.waitUntil { $0.contains("Longest field goal") && $0.contains("Over 45") }
      server.set("7771", bid: 60, ask: 63)
      await board.screen.waitUntil { $0.contains("63.0%") }
    }
  }

  @Test("divides 750 tokens among four sockets, and has the prices of all games")
  func many() async throws {
    let events = (0..<375).map { Self.game(20_000 + UInt64($0), "Home\($0)", "Away\($0)") }
    let server = FakePolymarket(events)
    for token in events.flatMap(\.openTokens) { server.set("\(token)", bid: 40, ask: 42) }
    try await server.start()
    var options = try PolymarketFeedOptions.make(server.address, matches: 375)
    try await options.follow { matches in
      matches.count == 375 && matches.allSatisfy { $0.mainMarket?.outcomes.allSatisfy(\.isBettable) ?? false }
    }
    let sizes = server.state.withLock { $0.subscriptions.map(\.count) }
    #expect(sizes.sorted() == [150, 200, 200, 200])
    await server.stop()
  }

  @Test("shows the error with a remedy when nothing listens at the address")
  func noNetwork() async throws {
    let server = FakePolymarket([])
    let board = try FeedBoard(server.address)
    await board.screen.waitUntil { text in
      text.contains("Cannot connect to") && text.contains("Connection refused: check the address")
        && text.contains("attempt")
    }
    await board.quit()
    withExtendedLifetime(server) {}
  }

  @Test("shows the status of an error from Gamma, and the games once Gamma answers")
  func gammaError() async throws {
    let server = FakePolymarket([Self.game()])
    server.state.withLock { $0.status = .internalServerError }
    try await server.start()
    let board = try FeedBoard(server.address)
    await board.screen.waitUntil { $0.contains("500") }
    server.state.withLock { $0.status = .ok }
    await board.screen.waitUntil { $0.contains("Bills") }
    await board.quit()
    await server.stop()
  }
}
