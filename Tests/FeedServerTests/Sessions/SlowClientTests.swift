import EveryMatrix
import NIOCore
import OddsModel
import TestSupport
import Testing

@testable import FeedServer

@Suite("Slow clients", .timeLimit(.minutes(45)))
struct SlowClientTests {
  private let page = Topic.aggregator(.popular, matches: 10)

  /// Runs a client that reads nothing for `ticks` ticks, then everything. Returns the metrics of the server.
  private func lag(ticks: UInt64, _ change: (inout ServerLimits) -> Void) async throws -> ServerMetrics {
    var metrics: ServerMetrics?
    try await withServer(
      try ManualBookFeed(rate: 400),
      {
        $0.limits.socketBuffer = 4096
        $0.limits.pendingBytes = 4096
        change(&$0.limits)
      }
    ) { server in
      let slowClient = try await SocketClient.session(to: server.port, reads: false)
      slowClient.send(.register(request: 1, procedure: page.path))
      slowClient.requestDump(of: page)
      // A second client that reads everything. Its answers show that the ticks are processed.
      let fastClient = try await SocketClient.session(to: server.port)
      _ = await fastClient.register(page)
      var (slowReplica, fastReplica, expected) = (FeedReplica(), FeedReplica(), FeedReplica())
      while server.metrics.total("dumps_total") < 2 {
        let dump = await fastClient.dump(of: page, &fastReplica)
        try #require(dump != nil)
      }
      for tick in 1...ticks {
        server.feed.tick(uptime: tick * 50_000_000)
        if tick.isMultiple(of: 8) { _ = await fastClient.dump(of: page, &fastReplica) }
      }
      expected.apply(try await server.feed.dump(of: page))
      try await slowClient.raw.beginReading()
      _ = await slowClient.raw.read(through: "\r\n\r\n")
      let first = (await slowClient.text(), await slowClient.text())
      #expect(first.0?.hasPrefix("[2,") == true && first.1 == "[65,1,1]")
      let dump = await slowClient.receiveDump(&slowReplica)
      #expect(dump != nil)
      // The last message brings the slow client up to date.
      while slowReplica.matches != expected.matches {
        guard await slowClient.receiveUpdate(&slowReplica) else { break }
      }
      let isSame = slowReplica.matches == expected.matches
      #expect(isSame)
      metrics = server.metrics
    }
    return metrics!
  }

  @Test("a client that is behind gets one message for many and has the current state")
  func conflated() async throws {
    let metrics = try await lag(ticks: 400) { $0.conflatedFrom = 8 }
    #expect(metrics.total("conflated_total") > 0 && metrics.total("catch_up_dumps_total") == 0)
  }

  @Test("a client that is too far behind gets a dump and has the current state")
  func lost() async throws {
    let metrics = try await lag(ticks: 400) { $0.keptMessages = 32 }
    #expect(metrics.total("catch_up_dumps_total") > 0)
  }

  @Test(
    "a reading client that is too far behind gets one dump and later updates, even if the dump fills the buffer")
  func lostAndReading() async throws {
    let script = ScriptedFeed()
    try await withServer(script, { ($0.limits.keptMessages, $0.limits.pendingBytes) = (2, 64) }) { server in
      let client = try await SocketClient.session(to: server.port)
      #expect(await client.register(ScriptedFeed.topic) == 1)
      let dump = FeedText.dump(FeedText.football(), FeedText.odds(121, "3.5"))
      script.schedule(
        FeedText.update(FeedText.odds(121, "2.5")), FeedText.update(FeedText.odds(121, "3.0")),
        FeedText.update(FeedText.odds(121, "3.5")), dump: dump)
      server.feed.tick()
      #expect(await client.text() == "[68,1,1,{},[],\(dump)]")
      script.schedule(FeedText.update(FeedText.odds(121, "4.0")))
      server.feed.tick()
      #expect(await client.text() == "[68,2,1,{},[],\(FeedText.update(FeedText.odds(121, "4.0")))]")
    }
  }

  @Test("subscribers of one address that are behind get their dumps one after another without further updates")
  func oneAfterAnother() async throws {
    let script = ScriptedFeed()
    try await withServer(
      script,
      {
        ($0.limits.keptMessages, $0.limits.pendingBytes, $0.limits.catchUpsOfAddress) = (2, 64, 1)
      }
    ) { server in
      var clients: [SocketClient] = []
      for _ in 0..<6 {
        clients.append(try await SocketClient.session(to: server.port))
        #expect(await clients.last?.register(ScriptedFeed.topic) == 1)
      }
      let dump = FeedText.dump(FeedText.football(), FeedText.odds(121, "3.5"))
      script.schedule(
        FeedText.update(FeedText.odds(121, "2.5")), FeedText.update(FeedText.odds(121, "3.0")),
        FeedText.update(FeedText.odds(121, "3.5")), dump: dump)
      server.feed.tick()
      for client in clients { #expect(await client.text() == "[68,1,1,{},[],\(dump)]") }
    }
  }

  @Test("a reading client that cannot catch up is disconnected, because it would show old prices as live")
  func behindForTooLong() async throws {
    let script = ScriptedFeed()
    try await withServer(
      script,
      {
        ($0.limits.keptMessages, $0.limits.pingInterval) = (2, .milliseconds(20))
        $0.limits.catchUpLimit = .milliseconds(60)
      }
    ) { server in
      let client = try await SocketClient.session(to: server.port)
      #expect(await client.register(ScriptedFeed.topic) == 1)
      server.hub.work.charge("127.0.0.1", TopicWork(nanoseconds: 1 << 40), now: .now())
      script.schedule(
        FeedText.update(FeedText.odds(121, "2.5")), FeedText.update(FeedText.odds(121, "3.0")),
        FeedText.update(FeedText.odds(121, "3.5")))
      server.feed.tick()
      #expect(await client.text()?.hasPrefix("[6,") == true)
      #expect(server.metrics.total("catch_up_dumps_total") == 0)
    }
  }

  @Test("requests wait while their client reads nothing, so that hundreds of dumps need no memory")
  func greedy() async throws {
    try await withServer(try ManualBookFeed(), { $0.limits.socketBuffer = 4096 }) { server in
      let greedy = try await SocketClient.session(to: server.port, reads: false)
      for number in 1...300 as ClosedRange<UInt64> {
        greedy.send(.call(request: number, procedure: WAMPMessage.dumpProcedure, topic: page.path))
      }
      let other = try await SocketClient.session(to: server.port)
      var replica = FeedReplica()
      _ = await other.dump(of: page, &replica)
      #expect(server.metrics.total("dumps_total") < 20)
      try await greedy.raw.beginReading()
      _ = await greedy.raw.read(through: "\r\n\r\n")
      var answers = 0
      while answers <= 300, await greedy.text() != nil { answers += 1 }
      #expect(answers == 301)
    }
  }

  @Test("a client that reads nothing for too long is disconnected, even if it continues to send")
  func deaf() async throws {
    try await withServer(
      try ManualBookFeed(),
      {
        ($0.limits.socketBuffer, $0.limits.pendingBytes) = (4096, 4096)
        ($0.limits.pingInterval, $0.limits.silence) = (.milliseconds(20), .milliseconds(60))
        $0.limits.requestBurst = .infinity
      }
    ) { server in
      let notReading = try await SocketClient.session(to: server.port, reads: false)
      notReading.requestDump(of: page)
      // An unsolicited pong is a sign of life. It is sent until the connection ends.
      let pong = ByteBuffer(bytes: [0x8A, 0x80, 0, 0, 0, 0])
      let channel = notReading.raw.channel
      await withTaskCancellationHandler {
        do { while true { try await channel.writeAndFlush(pong).get() } } catch {}
      } onCancel: {
        channel.close(promise: nil)
      }
      #expect(server.metrics.registry.text.contains(#"refused_total{reason="silence"} 1"#))
      withExtendedLifetime(notReading) {}
    }
  }
}
