import EveryMatrix
import FeedSimulator
import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import FeedServer

@Suite("Limits of connections", .timeLimit(.minutes(45)))
struct ConnectionLimitTests {
  private static let health = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"

  /// Opens a connection, reads a response, and keeps the connection open.
  private func idle(_ port: Int) async throws -> RawClient {
    let client = try await RawClient(to: port)
    client.send(Self.health)
    let answer = await client.read(through: "ok\n")
    #expect(answer?.hasPrefix("HTTP/1.1 200 ") == true)
    return client
  }

  /// Sets the number of connections above which idle ones are closed.
  private static func limit(_ options: inout ServerOptions, to count: Int) {
    options.limits.sessions = 1
    options.limits.accounts.streams = 0
    options.limits.otherConnections = count - 1
  }

  @Test("WebSockets and requests count together; a connection beyond the limit of its address gets 503 with the remedy")
  func address() async throws {
    try await withServer(ScriptedFeed(), { $0.limits.connectionsPerAddress = 2 }) { server in
      let session = try await SocketClient.session(to: server.port)
      let request = try await idle(server.port)
      let refused = try await RawClient(to: server.port)
      let answer = await refused.readToEnd()
      #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("more than '2' connections from your address"))
      #expect(answer.contains("close some of them\n") && answer.contains("Retry-After: 5\r\n"))
      #expect(server.metrics.registry.text.contains(#"refused_total{reason="address"} 1"#))
      try await request.channel.close().get()
      // The client sees the end of its connection before the server counts it.
      while try await HTTPResponse(server.port, "/healthz").status != 200 { try Task.checkCancellation() }
      withExtendedLifetime(session) {}
    }
  }

  @Test("while more than three quarters of the connections are in use, an idle one is closed early")
  func crowded() async throws {
    try await withServer(
      ScriptedFeed(),
      {
        Self.limit(&$0, to: 4)
        $0.limits.crowdedIdleTime = .milliseconds(20)
      }
    ) { server in
      let first = try await idle(server.port)
      var others: [RawClient] = []
      for _ in 0..<3 { others.append(try await RawClient(to: server.port)) }
      let rest = await first.readToEnd()
      #expect(rest.isEmpty)
      withExtendedLifetime(others) {}
    }
  }

  @Test("at the limit, a new connection is served, and the one that is idle for the longest time is closed")
  func evicted() async throws {
    try await withServer(ScriptedFeed(), { Self.limit(&$0, to: 2) }) { server in
      let first = try await idle(server.port)
      let second = try await idle(server.port)
      let third = try await idle(server.port)
      let rest = await first.readToEnd()
      #expect(rest.isEmpty)
      withExtendedLifetime((second, third)) {}
    }
  }

  @Test("many silent connections do not prevent a request from being served")
  func silent() async throws {
    try await withServer(ScriptedFeed(), { Self.limit(&$0, to: 4) }) { server in
      var silent: [RawClient] = []
      for _ in 0..<60 { silent.append(try await RawClient(to: server.port)) }
      let answer = try await HTTPResponse(server.port, "/healthz")
      #expect(answer.status == 200)
      withExtendedLifetime(silent) {}
    }
  }

  @Test("only a few refusals per address are answered, the others are dropped; closed connections no longer count")
  func table() throws {
    let table = ConnectionTable(limit: 100, limitPerNetwork: 3)
    let channels = try (0..<13).map { _ in try Self.active() }
    let admissions = channels.map { table.add($0, from: "192.0.2.1") }
    #expect(
      admissions == Array(repeating: .admitted, count: 3) + Array(repeating: .refused, count: 8) + [.dropped, .dropped])
    #expect(table.add(try Self.active(), from: "192.0.2.2") == .admitted)
    #expect(table.count == 14 && !table.isCrowded)
    for channel in channels { _ = try channel.finish(acceptAlreadyClosed: true) }
    #expect(table.count == 1)
    #expect(table.add(try Self.active(), from: "192.0.2.1") == .admitted)
  }

  @Test("an idle connection is closed for a new one, but a connection with a request in progress is not")
  func busy() throws {
    let table = ConnectionTable(limit: 2, limitPerNetwork: .max)
    let (busy, idle, new) = (try Self.active(), try Self.active(), try Self.active())
    _ = table.add(busy, from: "a")
    _ = table.add(idle, from: "a")
    table.setIdle(busy, false)
    for _ in 0..<1000 {
      table.setIdle(idle, false)
      table.setIdle(idle, true)
    }
    _ = table.add(new, from: "a")
    #expect(busy.isActive && !idle.isActive && new.isActive)
    #expect(table.isCrowded)
    _ = table.add(try Self.active(), from: "a")
    #expect(busy.isActive && !new.isActive)
  }

  private static func active() throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    return channel
  }
}
