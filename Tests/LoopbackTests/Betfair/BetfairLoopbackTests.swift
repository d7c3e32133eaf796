import Dashboard
import NIOCore
import OddsModel
import Platform
import TerminalCore
import TestSupport
import Testing

@testable import Betfair

@Suite("A board of Betfair over real sockets", .timeLimit(.minutes(15)))
struct BetfairLoopbackTests {
  /// Creates an exchange with markets of football matches, each with the prices of its three runners.
  static func exchange(_ count: Int = 1) throws -> FakeBetfair {
    let exchange = try FakeBetfair()
    for number in 0..<count { add(number, to: exchange) }
    return exchange
  }

  static func add(_ number: Int, to exchange: FakeBetfair) {
    var market = FakeMarket(
      "1.\(100 + number)", event: "29\(number)", "Ajax\(number) v Porto\(number)",
      runners: [.init(47972, "Ajax"), .init(47973, "Porto"), .init(58805, "The Draw")])
    market.isInPlay = true
    exchange.add(market)
    for runner in 0..<3 {
      exchange.set(
        "1.\(100 + number)", runner: runner, back: [(200 + 10 * runner, 1000)], lay: [(206 + 10 * runner, 500)])
    }
  }

  func run(
    _ exchange: FakeBetfair, key: String = "KEY", password: String = "password", options: [String] = [],
    size: Size = Size(rows: 24, columns: 120), _ body: (FeedBoard) async throws -> Void
  ) async throws {
    try await exchange.start()
    let arguments = try BetfairArguments(exchange, key: key, password: password)
    let board = try FeedBoard(arguments.address, arguments.list + options, size: size)
    try await body(board)
    await board.quit()
    await exchange.stop()
    withExtendedLifetime(arguments) {}
  }

  /// True if a row of the match has the price, and no price of it is uncertain.
  static func isLive(_ text: String, _ price: String, match: String = "Ajax0") -> Bool {
    text.contains("● live")
      && text.split(separator: "\n").contains { $0.contains(match) && $0.contains(price) && !$0.contains("?") }
  }

  @Test("shows matches by name with the best prices to back and to lay, and their changes")
  func live() async throws {
    let exchange = try Self.exchange(3)
    try await run(exchange) { board in
      let shown = await board.screen.waitUntil { Self.isLive($0, "2.00") && $0.contains("Porto2") }
      #expect(shown.contains("1 Going in-play") && shown.contains("2 Football"))
      exchange.set("1.100", runner: 0, back: [(250, 1000)], lay: [(260, 500)])
      await board.screen.waitUntil { Self.isLive($0, "2.50") }
      Self.add(7, to: exchange)
      await board.screen.waitUntil { $0.contains("Ajax7") }
      exchange.define("1.101") { $0.status = "SUSPENDED" }
      await board.screen.waitUntil { text in
        text.split(separator: "\n").contains { $0.contains("Ajax1") && $0.contains("susp") }
      }
      #expect(exchange.state.withLock { $0.refused.isEmpty })
    }
  }

  @Test("shows correct prices after the connection is closed at any step", arguments: FakeBetfair.Step.allCases)
  func closed(step: FakeBetfair.Step) async throws {
    let exchange = try Self.exchange(5)
    exchange.state.withLock { $0.faults = [.init(step: step, kind: .close)] }
    try await run(exchange) { board in
      await board.screen.waitUntil { Self.isLive($0, "2.00") }
      exchange.state.withLock { $0.faults = [.init(step: step, kind: .close)] }
      await exchange.drop()
      exchange.set("1.100", runner: 0, back: [(300, 1000)], lay: [])
      await board.screen.waitUntil { Self.isLive($0, "3.00") }
      // The second connection continues without an image, and so does not come to `imageBegun`.
      #expect(step == .imageBegun || exchange.state.withLock { $0.faults.isEmpty })
    }
  }

  @Test("continues at its position after a lost connection, and with an image if the position is unknown")
  func resume() async throws {
    let exchange = try Self.exchange(2)
    try await run(exchange) { board in
      await board.screen.waitUntil { Self.isLive($0, "2.00") && $0.contains("Ajax1") }
      await exchange.drop()
      exchange.set("1.100", runner: 0, back: [(300, 1000)], lay: [])
      await board.screen.waitUntil { Self.isLive($0, "3.00") && $0.contains("Ajax1") }
      let requests = exchange.state.withLock { $0.requests.map(\.request).filter { $0["op"] == "marketSubscription" } }
      #expect(requests.count == 2 && requests[0]["clk"] == .null && requests[1]["clk"].text?.hasPrefix("C") == true)
      exchange.forgetPositions()
      await exchange.drop()
      exchange.set("1.100", runner: 0, back: [(400, 1000)], lay: [])
      await board.screen.waitUntil { Self.isLive($0, "4.00") && $0.contains("Ajax1") }
      #expect(exchange.state.withLock { $0.refused.map(\.code) } == ["INVALID_CLOCK"])
    }
  }

  @Test("locks prices after two missing heartbeats, and reconnects")
  func silence() async throws {
    let exchange = try Self.exchange()
    try await run(exchange) { board in
      await board.screen.waitUntil { Self.isLive($0, "2.00") }
      // The next connection is refused.
      exchange.state.withLock { $0.connectionLimit = 0 }
      exchange.trigger(.silence)
      await board.screen.waitUntil { !$0.contains("● live") && $0.contains("2.00?") }
      await board.screen.waitUntil { $0.contains("no further connection") }
      exchange.state.withLock { $0.connectionLimit = 1 }
      exchange.set("1.100", runner: 0, back: [(300, 1000)], lay: [])
      board.input.press(.character("r"))
      await board.screen.waitUntil { Self.isLive($0, "3.00") }
    }
  }

  @Test("shows that the provider's prices are delayed, and that a key has delayed prices")
  func delayed() async throws {
    let exchange = try Self.exchange()
    try await run(exchange) { board in
      await board.screen.waitUntil { Self.isLive($0, "2.00") }
      exchange.state.withLock { $0.isStale = true }
      exchange.set("1.100", runner: 0, back: [(220, 1000)], lay: [])
      await board.screen.waitUntil { $0.contains("delayed by the provider") && !$0.contains("● live") }
      exchange.state.withLock { $0.isStale = false }
      exchange.set("1.100", runner: 0, back: [(230, 1000)], lay: [])
      await board.screen.waitUntil { Self.isLive($0, "2.30") }
    }
    let other = try Self.exchange()
    try await run(other, key: "DELAYED") { board in
      await board.screen.waitUntil { $0.contains("delayed 3 min by the key") && $0.contains("Ajax0") }
    }
  }

  @Test("shows errors of the key, the password and the network, with a remedy")
  func refusals() async throws {
    try await run(try Self.exchange(), key: "WRONG") { board in
      await board.screen.waitUntil { $0.contains("application key (INVALID_APP_KEY)") && $0.contains("check the file") }
    }
    let exchange = try Self.exchange()
    try await run(exchange, password: "wrong") { board in
      await board.screen.waitUntil {
        $0.contains("refuses the user name or the password (INVALID_USERNAME_OR_PASSWORD)")
          && $0.contains("restart with the correct")
      }
      board.input.press(.character("r"))
      await board.screen.waitUntil { $0.contains("restart with the correct") }
      // A second attempt could lock the account.
      #expect(exchange.state.withLock { $0.calls.count } == 1)
    }
    let absent = try Self.exchange()
    let arguments = try BetfairArguments(absent)
    let board = try FeedBoard(arguments.address, arguments.list, size: Size(rows: 24, columns: 120))
    await board.screen.waitUntil { $0.contains("Cannot connect to") && $0.contains("Connection refused") }
    await board.quit()
    withExtendedLifetime((absent, arguments)) {}
  }

  @Test("logs in again when the session has ended, and waits while too many connections are open")
  func sessions() async throws {
    let exchange = try Self.exchange()
    try await run(exchange) { board in
      await board.screen.waitUntil { Self.isLive($0, "2.00") }
      exchange.expireSessions()
      await exchange.drop()
      exchange.set("1.100", runner: 0, back: [(300, 1000)], lay: [])
      await board.screen.waitUntil { Self.isLive($0, "3.00") }
      #expect(exchange.state.withLock { $0.calls.filter { $0.path == "/api/login" }.count } == 2)
      exchange.state.withLock { $0.connectionLimit = 0 }
      await exchange.drop()
      await board.screen.waitUntil { $0.contains("no further connection") && !$0.contains("● live") }
      exchange.state.withLock { $0.connectionLimit = 1 }
      exchange.set("1.100", runner: 0, back: [(400, 1000)], lay: [])
      board.input.press(.character("r"))
      await board.screen.waitUntil { Self.isLive($0, "4.00") }
    }
  }

  @Test("shows ids while the names cannot be requested, and the names when they can")
  func names() async throws {
    let exchange = try Self.exchange()
    exchange.state.withLock { $0.catalogueErrors = Array(repeating: "TOO_MANY_REQUESTS", count: 1000) }
    try await run(exchange) { board in
      await board.screen.waitUntil { Self.isLive($0, "2.00", match: "290") }
      exchange.state.withLock { $0.catalogueErrors = ["TOO_MANY_REQUESTS", "INVALID_SESSION_INFORMATION"] }
      await board.screen.waitUntil { Self.isLive($0, "2.00", match: "Ajax0") }
    }
  }

  @Test("subscribes to the first 200 markets of a channel that has more")
  func limit() async throws {
    let exchange = try Self.exchange(205)
    exchange.state.withLock { $0.catalogueErrors = ["SERVICE_BUSY"] }
    try await run(exchange) { board in
      await board.screen.waitUntil { Self.isLive($0, "2.00") }
      let request = exchange.state.withLock { $0.requests.last { $0.request["op"] == "marketSubscription" }!.request }
      #expect(request["marketFilter"]["marketIds"].texts?.count == 200)
      #expect(exchange.state.withLock { $0.refused.map(\.code) }.contains("SUBSCRIPTION_LIMIT_EXCEEDED"))
    }
  }

  @Test("opens a match with all its markets on a separate connection")
  func detail() async throws {
    let exchange = try Self.exchange()
    var market = FakeMarket(
      "1.900", event: "290", "Ajax0 v Porto0", runners: [.init(1, "Over 2.5"), .init(2, "Under 2.5")])
    market.name = "Over/Under 2.5 Goals"
    market.type = "OVER_UNDER_25"
    exchange.add(market)
    exchange.set("1.900", runner: 0, back: [(170, 1000)], lay: [])
    try await run(exchange, size: Size(rows: 60, columns: 160)) { board in
      await board.screen.waitUntil { Self.isLive($0, "2.00") && !$0.contains("Over/Under") }
      board.input.press(.enter)
      await board.screen.waitUntil { $0.contains("Over/Under 2.5 Goals") && $0.contains("1.70") }
      #expect(exchange.state.withLock { $0.connections.count } == 2)
    }
  }
}
