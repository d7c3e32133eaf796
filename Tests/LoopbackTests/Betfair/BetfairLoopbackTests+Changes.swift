import Dashboard
import Platform
import Testing

// Changes that are merged, and changes that cannot be read.
extension BetfairLoopbackTests {
  @Test("locks a market after an unreadable change, and requests an image, which unlocks it")
  func damage() async throws {
    let exchange = try Self.exchange(2)
    try await run(exchange) { board in
      await board.screen.waitUntil { Self.isLive($0, "2.00") && Self.isLive($0, "2.00", match: "Ajax1") }
      // This change of a price cannot be read. The exchange does not answer the next subscription.
      exchange.state.withLock { $0.faults = [.init(step: .subscribing, kind: .silence)] }
      exchange.trigger(.line(#"{"op":"mcm","id":2,"mc":[{"id":"1.100","rc":[{"id":47972,"bdatb":[[0,"x",0]]}]}]}"#))
      await board.screen.waitUntil { text in
        let row = text.split(separator: "\n").first { $0.contains("Ajax0") }
        return row.map { !$0.contains("2.00") || $0.contains("?") } == true
      }
      // Without an answer, the board reconnects and reads an image.
      exchange.set("1.100", runner: 0, back: [(300, 1000)], lay: [])
      await board.screen.waitUntil { Self.isLive($0, "3.00") && $0.contains("Ajax1") }
      exchange.trigger(.line(#"{"op":"mcm","id":5,"mc":[{"id":"1.100","rc":7}]}"#))
      exchange.set("1.100", runner: 0, back: [(400, 1000)], lay: [])
      await board.screen.waitUntil { Self.isLive($0, "4.00") && $0.contains("Ajax1") }
      let requests = exchange.state.withLock { $0.requests.filter { $0.request["op"] == "marketSubscription" } }
      #expect(requests.map(\.connection) == [1, 1, 2, 2] && requests.allSatisfy { $0.request["clk"] == .null })
    }
  }

  @Test("locks a market that begins without an image, and requests the image, which unlocks it")
  func withoutImage() async throws {
    let exchange = try Self.exchange(2)
    try await run(exchange) { board in
      await board.screen.waitUntil { Self.isLive($0, "2.00") && Self.isLive($0, "2.00", match: "Ajax1") }
      // The exchange has another market, whose image was lost.
      let other = try #require(Self.exchange(3).state.withLock { $0.markets.last })
      exchange.state.withLock { $0.markets.append(other) }
      exchange.trigger(.line(#"{"op":"mcm","id":2,"pt":1,"mc":[{"id":"\#(other.id)","rc":[{"id":47972,"ltp":9}]}]}"#))
      await board.screen.waitUntil { Self.isLive($0, "2.00", match: "Ajax2") && Self.isLive($0, "2.00") }
      let requests = exchange.state.withLock { $0.requests.filter { $0.request["op"] == "marketSubscription" } }
      #expect(requests.map(\.connection) == [1, 1] && requests.allSatisfy { $0.request["clk"] == .null })
    }
  }

  @Test("subscribes to the first 200 markets when a channel grows beyond that, on the same connection")
  func limitWhileLive() async throws {
    let exchange = try Self.exchange(199)
    try await run(exchange) { board in
      await board.screen.waitUntil { Self.isLive($0, "2.00") }
      for number in 199..<202 { Self.add(number, to: exchange) }
      var request = JSONTree.null
      while request["marketFilter"]["marketIds"] == .null {
        try Task.checkCancellation()
        await Task.yield()
        request = exchange.state.withLock { $0.requests.last!.request }
      }
      #expect(request["marketFilter"]["marketIds"].texts?.count == 200)
      exchange.set("1.100", runner: 0, back: [(300, 1000)], lay: [])
      await board.screen.waitUntil { Self.isLive($0, "3.00") }
      let requests = exchange.state.withLock { $0.requests.filter { $0.request["op"] == "marketSubscription" } }
      #expect(requests.map(\.connection) == [1, 1])
      #expect(exchange.state.withLock { $0.refused } == [.limit])
    }
  }

  @Test("requests merged updates at the interval of the option, and a long interval makes prices delayed")
  func conflation() async throws {
    for (milliseconds, status) in [(200, "● live"), (60_000, "delayed by merged updates")] {
      let exchange = try Self.exchange()
      try await run(exchange, options: ["--betfair-conflate-ms", "\(milliseconds)"]) { board in
        await board.screen.waitUntil { $0.contains(status) && $0.contains("2.00") }
        let request = exchange.state.withLock { $0.requests.last!.request }
        #expect(request["conflateMs"].integer == milliseconds)
      }
    }
  }
}
