import EveryMatrix
import OddsModel
import TestSupport
import Testing

@testable import FeedServer

@Suite("The handshake", .timeLimit(.minutes(45)))
struct HandshakeTests {
  struct Refused: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let request: String
    let status: String
    let text: String
    var reason = ServerMetrics.Refusal.handshake
  }

  private static let refused = [
    Refused(
      testDescription: "another sub-protocol", request: SocketClient.handshake(protocols: "mqtt, wamp.2.cbor"),
      status: "400", text: "subprotocol 'mqtt, wamp.2.cbor' is not supported: offer 'wamp.2.json'", reason: .protocols),
    Refused(
      testDescription: "no sub-protocol", request: SocketClient.handshake(protocols: nil), status: "400",
      text: "offer 'wamp.2.json'", reason: .protocols),
    Refused(
      testDescription: "no upgrade", request: "GET /v2 HTTP/1.1\r\nHost: a\r\n\r\n", status: "426",
      text: "request it with GET and 'Upgrade: websocket'"),
    Refused(
      testDescription: "another version",
      request: SocketClient.handshake().replacing("Version: 13", with: "Version: 8"), status: "426",
      text: "use version 13"),
    Refused(
      testDescription: "no key", request: SocketClient.handshake().replacing("Sec-WebSocket-Key", with: "X-Key"),
      status: "400", text: "send Sec-WebSocket-Key"),
    Refused(
      testDescription: "a body", request: SocketClient.handshake(["Content-Length: 4"]) + "body", status: "426",
      text: "request it with GET"),
    Refused(
      testDescription: "an upgrade elsewhere", request: SocketClient.handshake(path: "/nowhere"), status: "404",
      text: ""),
  ]

  @Test("an invalid handshake is refused with a status and a message", arguments: refused)
  func refuse(_ refused: Refused) async throws {
    try await withServer { server in
      let client = try await RawClient(to: server.port)
      client.send(refused.request)
      let head = await client.read(through: "\r\n\r\n")
      #expect(head?.hasPrefix("HTTP/1.1 \(refused.status) ") == true)
      if refused.text.isEmpty { return }
      let text = await client.readToEnd()
      #expect(text.contains(refused.text))
      #expect(server.metrics.registry.text.contains("refused_total{reason=\"\(refused.reason.rawValue)\"} 1"))
    }
  }

  @Test("the response has the supported sub-protocol among those offered, and the accept key")
  func accept() async throws {
    try await withServer { server in
      let client = try await RawClient(to: server.port)
      client.send(SocketClient.handshake(protocols: "wamp.2.cbor, wamp.2.json"))
      let head = try #require(await client.read(through: "\r\n\r\n"))
      #expect(head.hasPrefix("HTTP/1.1 101 "))
      #expect(head.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
      #expect(head.contains("Sec-WebSocket-Protocol: wamp.2.json\r\n"))
    }
  }

  @Test("only requests with a configured origin are accepted")
  func origins() async throws {
    try await withServer(ScriptedFeed(), { $0.origins = ["https://a.example", "https://b.example"] }) { server in
      for (headers, status) in [
        (["Origin: https://B.example"], "101"), (["Origin: https://evil.example"], "403"), ([], "403"),
      ] {
        let client = try await RawClient(to: server.port)
        client.send(SocketClient.handshake(headers))
        let head = await client.read(through: "\r\n\r\n")
        #expect(head?.hasPrefix("HTTP/1.1 \(status) ") == true)
      }
    }
  }

  @Test("a configured token is required for WebSockets, lists and metrics, but not for health")
  func token() async throws {
    try await withServer(ScriptedFeed(), { $0.token = AccessToken("s3cret") }) { server in
      for (headers, status) in [
        (["Authorization: Bearer s3cret"], "101"), (["Authorization: bearer s3cret"], "101"),
        (["Authorization: Bearer s3cre"], "401"), (["Authorization: Bearer s3crets3cret"], "401"),
        (["Authorization: Basic s3cret"], "401"), (["Authorization: Bearer "], "401"), ([], "401"),
      ] {
        let client = try await RawClient(to: server.port)
        client.send(SocketClient.handshake(headers))
        let head = await client.read(through: "\r\n\r\n")
        #expect(head?.hasPrefix("HTTP/1.1 \(status) ") == true, "\(headers)")
      }
      let query = "?topic=\(ScriptedFeed.topic)"
      let refused = try await HTTPResponse(server.port, "/api/odds\(query)")
      #expect(refused.status == 401 && refused["www-authenticate"] == "Bearer")
      #expect(try await HTTPResponse(server.port, "/api/odds\(query)", ["Authorization: Bearer s3cret"]).status == 200)
      #expect(try await HTTPResponse(server.port, "/metrics").status == 401)
      #expect(try await HTTPResponse(server.port, "/healthz").status == 200)
    }
    #expect("\(AccessToken("s3cret")!)" == "•••")
    #expect(AccessToken("a b") == nil && AccessToken("") == nil)
  }

  @Test("sessions above the limit are refused until one ends")
  func sessions() async throws {
    try await withServer(ScriptedFeed(), { $0.limits.sessions = 2 }) { server in
      let first = try await SocketClient.session(to: server.port)
      let second = try await SocketClient.session(to: server.port)
      let third = try await RawClient(to: server.port)
      third.send(SocketClient.handshake())
      let answer = await third.readToEnd()
      #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("Retry-After: 5"))
      first.send(.goodbye(reason: "wamp.close.normal"))
      _ = await first.text()
      _ = await first.next()
      first.send(0x88, [0x03, 0xE8])
      _ = await first.next()
      // The client sees the end of its session before the server counts it.
      while (try? await SocketClient.session(to: server.port)) == nil { try Task.checkCancellation() }
      withExtendedLifetime(second) {}
    }
  }

  @Test("a realm that is not served is refused")
  func realm() async throws {
    try await withServer(ScriptedFeed(), { $0.realm = "www.example.com" }) { server in
      let client = try await SocketClient(to: server.port)
      client.send(.hello(realm: "other"))
      let abort = await client.text()
      #expect(abort?.contains("wamp.error.no_such_realm") == true)
      let end = await client.next()
      #expect(end == .close(1000, ""))
    }
  }
}
