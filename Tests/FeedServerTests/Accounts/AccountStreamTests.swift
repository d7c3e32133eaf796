import AccountModel
import EveryMatrix
import FeedSimulator
import NIOCore
import TestSupport
import Testing

@testable import FeedServer

@Suite("The account stream over a socket", .timeLimit(.minutes(45)))
struct AccountStreamTests {
  /// Returns the next event or comment, without the chunk framing of HTTP.
  private func next(_ client: RawClient) async -> String? {
    guard let size = await client.read(through: "\r\n"), let count = Int(size.prefix(while: \.isHexDigit), radix: 16),
      count > 0
    else {
      return nil
    }
    let bytes = await client.read(count)
    _ = await client.read(2)
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  private func open(_ server: AccountServer, _ login: AccountLogin, after id: String? = nil) async throws
    -> RawClient
  {
    let client = try await server.stream(login, id.map { ["Last-Event-ID: \($0)"] } ?? [])
    _ = await client.read(2)
    return client
  }

  private func id(_ event: String?) -> UInt64? {
    event?.split(separator: "\n").last { $0.hasPrefix("id: ") }.flatMap { UInt64($0.dropFirst(4)) }
  }

  @Test("sends Server-Sent Events: a retry time, then events with ids, and keep-alive comments")
  func events() async throws {
    try await AccountServer.with({ $0.limits.accounts.keepAlive = 20 }) { server in
      let login = try await server.session()
      let client = try await RawClient(to: server.port)
      client.send(
        "GET \(AccountPath.updates(of: login.userId)) HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\(login.header)\r\n\r\n"
      )
      let head = try #require(await client.read(through: "\r\n\r\n")?.lowercased())
      #expect(head.hasPrefix("http/1.1 200 ") && head.contains("content-type: text/event-stream\r\n"))
      #expect(head.contains("cache-control: no-cache\r\n") && !head.contains("content-encoding"))
      #expect(await next(client) == "retry: 200\n\n")
      server.advance(by: 20)
      #expect(await next(client) == ": keep-alive\n\n")
      server.advance(by: 10_000)
      let first = await next(client)
      #expect(id(first) != nil && first?.contains("data: {\"type\":\"BALANCE_UPDATE") == true)
      let wallet = try await HTTPResponse(server.port, AccountPath.wallet(of: login.userId), [login.header]).text
      server.advance(by: 10_000)
      #expect(id(await next(client)) ?? 0 > id(first) ?? .max)
      #expect(try await HTTPResponse(server.port, AccountPath.wallet(of: login.userId), [login.header]).text != wallet)
    }
  }

  @Test("replays the missed events after the last id that a client has seen")
  func replay() async throws {
    try await AccountServer.with { server in
      let login = try await server.session()
      let one = try await open(server, login)
      server.advance(by: 10_000)
      let seen = await next(one)
      server.advance(by: 10_000)
      let missed = try #require(await next(one))
      // NB: The missed events are in the first chunk, of which `open` would read the beginning.
      let again = try await server.stream(login, ["Last-Event-ID: \(try #require(id(seen)))"])
      #expect(await again.read(missed.utf8.count).map { String(decoding: $0, as: UTF8.self) } == missed)
      for unknown in ["1", "x", "\(UInt64.max)"] {
        let fresh = try await open(server, login, after: unknown)
        server.advance(by: 0)
        server.hub.post(100, to: "anna")
        #expect(await next(fresh)?.contains("\"affectedAmount\":1,") == true)
      }
    }
  }

  @Test("disconnects and counts a client that does not read; other streams continue")
  func slow() async throws {
    try await AccountServer.with({
      ($0.limits.accounts.unreadBytes, $0.limits.socketBuffer, $0.limits.pendingBytes) = (4096, 4096, 4096)
    }) { server in
      let login = try await server.session()
      let slow = try await server.stream(login, reads: false)
      let quick = try await open(server, login)
      while !Task.isCancelled, server.hub.counts.streams < 2 { await Task.yield() }
      var posted = 0
      while server.hub.counts.streamsBehind == 0, posted < 10_000 {
        server.hub.post(100, to: "anna")
        posted += 1
        guard await next(quick) != nil else { break }
      }
      #expect(server.hub.counts.streamsBehind == 1 && server.hub.counts.streams == 1)
      try await slow.beginReading()
      _ = await slow.readToEnd()
      server.hub.post(100, to: "anna")
      #expect(await next(quick) != nil)
    }
  }

  @Test("refuses streams above the limit; a closed stream no longer counts")
  func bounded() async throws {
    try await AccountServer.with({ $0.limits.accounts.streams = 1 }) { server in
      let login = try await server.session()
      let only = try await open(server, login)
      let refused = try await HTTPResponse(server.port, AccountPath.updates(of: login.userId), [login.header])
      #expect(refused.status == 503 && refused["retry-after"] == "5" && refused.text.contains("too many streams"))
      try await only.channel.close().get()
      while !Task.isCancelled, server.hub.counts.streams > 0 { await Task.yield() }
      _ = try await open(server, login)
    }
  }

  @Test(
    "ends with its session, after the reason if there is one, and so do WebSockets with the same token",
    arguments: [
      (SessionEnd.Cause.kicked, "Kicked"), (.expired, "Expired"), (.terminated, "SESSION_TERMINATED"), (nil, ""),
    ])
  func ended(cause: SessionEnd.Cause?, word: String) async throws {
    try await AccountServer.with({ $0.requiresLogin = true }) { server in
      let (login, other) = (try await server.session(), try await server.session())
      let (stream, on) = (try await open(server, login), try await open(server, other))
      let socket = try await SocketClient(to: server.port, headers: [login.header])
      socket.send(.hello(realm: "any"))
      _ = await socket.text()
      _ = await socket.register(ScriptedFeed.topic)
      let staying = try await SocketClient(to: server.port, headers: [other.header])
      if let cause { server.hub.end(login.sessionId, cause) } else { server.hub.logOut(login.sessionId) }
      if cause != nil { #expect(await next(stream)?.contains(word) == true) }
      #expect(await next(stream) == nil)
      let received = (await socket.text(), await socket.next())
      #expect(received.0 == #"[6,{},"wamp.close.killed"]"#)
      #expect(received.1 == .close(1008, "the login session has ended: log in again"))
      let refused = try await HTTPResponse(server.port, AccountPath.updates(of: login.userId), [login.header])
      #expect(refused.status == 401)
      server.hub.post(100, to: "anna")
      #expect(await next(on)?.contains("BALANCE_UPDATE") == true)
      staying.send(.hello(realm: "any"))
      #expect(await staying.text()?.hasPrefix("[2,") == true)
    }
  }

  @Test("ends when the server is stopped")
  func drain() async throws {
    var stream: RawClient?
    try await AccountServer.with { server in
      let login = try await server.session()
      stream = try await open(server, login)
    }
    #expect(await stream?.readToEnd() == "0\r\n\r\n")
  }
}
