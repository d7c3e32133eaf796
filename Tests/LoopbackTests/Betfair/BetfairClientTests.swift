import NIOCore
import OddsClient
import Platform
import TestSupport
import Testing

@Suite("A client of Betfair over real sockets", .timeLimit(.minutes(15)))
struct BetfairClientTests {
  private func client(
    _ exchange: FakeBetfair, key: String = "KEY", password: String = "password"
  ) throws(OddsClientError) -> OddsClient {
    try OddsClient(
      .betfair(
        BetfairAccount(appKey: key, user: "user", password: password),
        address: "betfair://127.0.0.1:\(exchange.streamPort)", identity: "http://127.0.0.1:\(exchange.httpPort)"))
  }

  @Test("reads the matches of a sport with names and prices, then one match; a league is an error")
  func matches() async throws {
    let exchange = try FakeBetfair([FakeStreamTests.market(1)])
    exchange.set("1.101", runner: 0, back: [(250, 1000)], lay: [(260, 500)])
    try await exchange.start()
    try await client(exchange).run { feed in
      let live = try await feed.subscribe(to: .live(sport: .football))
      var id: MatchID?
      for await update in live.updates where update.isTrusted {
        guard let match = update.changed.first, match.name == "Ajax v Porto 1",
          match.mainMarket?.prices.contains(where: { $0 != nil }) == true
        else { continue }
        id = match.id
        break
      }
      let event = try await feed.subscribe(to: .match(try #require(id)))
      for await update in event.updates {
        #expect(update.changed.map(\.id) == [id])
        break
      }
      let error = await #expect(throws: OddsClientError.self) { try await feed.subscribe(to: .league("nba")) }
      #expect(error?.code == "selectionUnavailable")
    }
    let requests = exchange.state.withLock { $0.requests.map(\.request) }
    #expect(requests.contains { $0["marketFilter"]["eventTypeIds"] == ["1"] })
    #expect(requests.contains { $0["marketFilter"]["eventIds"] == ["291"] })
    #expect(exchange.state.withLock { $0.refused.isEmpty })
    await exchange.stop()
  }

  @Test("reads no more matches of a sport than the limit, although the betting API fails once")
  func limit() async throws {
    let exchange = try FakeBetfair((1...3).map(FakeStreamTests.market))
    exchange.state.withLock { $0.catalogueErrors = ["SERVICE_BUSY"] }
    try await exchange.start()
    try await client(exchange).run { feed in
      let live = try await feed.subscribe(to: .live(sport: .football, limit: 2))
      for await update in live.updates {
        #expect(Set(update.changed.map(\.id.description)) == ["291", "292"])
        break
      }
    }
    let (lists, requests) = exchange.state.withLock { state in
      (
        state.calls.map(\.parameters).filter { $0["filter"]["eventTypeIds"] == ["1"] }, state.requests.map(\.request)
      )
    }
    #expect(lists.count >= 2)
    #expect(lists.allSatisfy { $0["filter"]["turnInPlayEnabled"].flag == true && $0["maxResults"].integer == 2 })
    #expect(requests.contains { $0["marketFilter"]["marketIds"] == ["1.101", "1.102"] })
    #expect(exchange.state.withLock { $0.refused.isEmpty })
    await exchange.stop()
  }

  @Test("has delayed prices with a delayed key, and locks them when the exchange stops")
  func freshness() async throws {
    let exchange = try FakeBetfair([FakeStreamTests.market(1)])
    exchange.set("1.101", runner: 0, back: [(250, 1000)], lay: [(260, 500)])
    try await exchange.start()
    let grades = try await client(exchange, key: "DELAYED").run { feed in
      let live = try await feed.subscribe(to: .live(sport: .football))
      var grades: [Freshness.Grade] = []
      for await update in live.updates {
        if grades.last != update.freshness.grade { grades.append(update.freshness.grade) }
        if update.freshness.grade == .delayed { await exchange.stop() }
        if update.freshness.grade == .locked, grades.contains(.delayed) { break }
      }
      return grades
    }
    #expect(grades.suffix(2) == [.delayed, .locked] && !grades.contains(.live), "\(grades)")
  }

  @Test("ends with the login service's error if the password is wrong")
  func wrongPassword() async throws {
    let exchange = try FakeBetfair()
    try await exchange.start()
    let error = await #expect(throws: OddsClientError.self) {
      try await client(exchange, password: "wrong").run { feed in _ = try await feed.subscribe(to: .live()) }
    }
    #expect(error?.message.contains("INVALID_USERNAME_OR_PASSWORD") == true)
    await exchange.stop()
  }

  @Test("refuses an empty value, a missing login service, an invalid key and an invalid interval")
  func values() {
    for (key, user, identity) in [
      ("", "user", "http://127.0.0.1:1"), ("KEY", "", "http://127.0.0.1:1"), ("KEY", "user", nil),
      ("K\r\nEY", "user", "http://127.0.0.1:1"),
    ] {
      #expect(throws: OddsClientError.self) {
        try OddsClient(
          .betfair(
            BetfairAccount(appKey: key, user: user, password: "password"), address: "betfair://127.0.0.1:1",
            identity: identity))
      }
    }
    for time in [-1, 120_001] {
      let account = BetfairAccount(appKey: "KEY", user: "user", password: "password")
      let error = #expect(throws: OddsClientError.self) { try OddsClient(.betfair(account, conflateMs: time)) }
      #expect(error?.code == "optionOutOfRange" && error?.message.contains("'\(time)'") == true)
    }
  }
}
