import FeedSimulator
import TestSupport
import Testing

@testable import FeedServer

@Suite("The shutdown of a server", .timeLimit(.minutes(45)))
struct DrainTests {
  @Test("before it closes its sessions, a server reports that it is not ready and continues to serve them")
  func notice() async throws {
    let script = ScriptedFeed()
    try await withServer(script, { $0.drainNotice = .seconds(3600) }) { server in
      let client = try await SocketClient.session(to: server.port)
      #expect(await client.register(ScriptedFeed.topic) == 1)
      #expect(try await HTTPResponse(server.port, "/readyz").status == 200)
      let stopping = Task { await server.stop() }
      while !Task.isCancelled, try await HTTPResponse(server.port, "/readyz").status != 503 { await Task.yield() }
      #expect(try await HTTPResponse(server.port, "/readyz").text == "draining\n")
      #expect(try await HTTPResponse(server.port, "/healthz").status == 200)
      let late = try await RawClient(to: server.port)
      late.send(SocketClient.handshake())
      #expect(await late.readToEnd().hasPrefix("HTTP/1.1 503 "))
      script.schedule(FeedText.update(FeedText.odds(121, "2.5")))
      server.feed.tick()
      #expect(await client.nextUpdate() != nil)
      stopping.cancel()
      #expect(await client.text()?.hasPrefix("[6,") == true)
      await stopping.value
    }
  }

  @Test("without sessions, a server ends at once if /readyz was never requested")
  func alone() async throws {
    try await withServer(ScriptedFeed(), { $0.drainNotice = .seconds(3600) }) { server in
      let health = try await HTTPResponse(server.port, "/healthz")
      #expect(health.status == 200)
      await server.stop()
    }
  }

  @Test("without sessions, a server first reports that it is not ready if /readyz was requested before")
  func asked() async throws {
    try await withServer(ScriptedFeed(), { $0.drainNotice = .seconds(3600) }) { server in
      #expect(try await HTTPResponse(server.port, "/readyz").status == 200)
      let stopping = Task { await server.stop() }
      while !Task.isCancelled, try await HTTPResponse(server.port, "/readyz").status != 503 { await Task.yield() }
      #expect(try await HTTPResponse(server.port, "/healthz").status == 200)
      stopping.cancel()
      await stopping.value
    }
  }

  @Test("sessions get GOODBYE at different times, while the server still listens")
  func goodbyes() async throws {
    try await withServer(ScriptedFeed(), { $0.drainTime = .seconds(20) }) { server in
      var clients: [SocketClient] = []
      for _ in 0..<20 { clients.append(try await SocketClient.session(to: server.port)) }
      let stopping = Task { await server.stop() }
      while !Task.isCancelled, server.metrics.sessions == clients.count { await Task.yield() }
      // Other sessions are still open.
      #expect(server.metrics.sessions > 0)
      #expect(try await HTTPResponse(server.port, "/healthz").status == 200)
      stopping.cancel()
      for client in clients { #expect(await client.text()?.hasPrefix("[6,") == true) }
      await stopping.value
    }
  }
}
