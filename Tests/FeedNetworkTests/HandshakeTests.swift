import NIOCore
import OddsFeed
import OddsModel
import TestSupport
import Testing

@testable import FeedNetwork

@Suite("The WebSocket handshake", .timeLimit(.minutes(45)))
struct HandshakeTests {
  @Test("The request has the origin, token and subprotocol, and the connection carries text both ways")
  func upgrade() async throws {
    let (requests, frames) = (EventRecorder<[String]>(), EventRecorder<Peer.Frame?>())
    try await TestClient(path: "/v2?x=1", origin: "https://site.test", token: "abc").connected { peer in
      requests.add(try await peer.accept())
      try await peer.send(Peer.text("hello"))
      frames.add(try await peer.frame())
      try await peer.send(Peer.close(1000))
    } _: { connection in
      #expect(await connection.read().map(\.summary) == ["text hello"])
      connection.send(Array("[1]".utf8))
      #expect(await connection.events().map(\.summary) == ["closed(code: Optional(1000))"])
      #expect(await connection.read().isEmpty)
    }
    let lines = try #require(requests.elements.first)
    #expect(lines.first == "GET /v2?x=1 HTTP/1.1")
    for line in [
      "Origin: https://site.test", "Authorization: Bearer abc", "Sec-WebSocket-Protocol: wamp.2.json",
      "User-Agent: test/1", "Sec-WebSocket-Version: 13",
    ] { #expect(lines.contains(line), "\(lines)") }
    #expect(frames.elements == [Peer.Frame(opcode: 1, bytes: Array("[1]".utf8))])
  }

  @Test("A refusal is an error with the server's text and a remedy that depends on the status")
  func refusals() async throws {
    let cases: [(answer: String, kind: ConnectionError.Kind, text: String)] = [
      ("401 Unauthorized", .unauthorized, "token"), ("403 Forbidden", .unauthorized, "--origin"),
      ("404 Not Found", .protocolMismatch, "path"),
      ("302 Found\r\nLocation: https://else.test/x", .protocolMismatch, "'https://else.test/x'"),
      ("503 Busy", .protocolMismatch, "503 Service Unavailable"),
      ("429 Slow Down", .protocolMismatch, "retrying automatically"), ("200 OK", .protocolMismatch, "is not a feed"),
    ]
    for (answer, kind, text) in cases {
      let fault = try #require(
        try await TestClient().connectionError { peer in
          _ = try await peer.request()
          try await peer.send("HTTP/1.1 \(answer)\r\nContent-Length: 13\r\n\r\ngo\u{1B}[31m\u{7}away\r\n")
          try await peer.end()
        })
      #expect(fault.kind == kind)
      #expect("\(fault.problem)".contains(text), "\(fault.problem)")
      #expect(fault.problem.message.contains("'ws://127.0.0.1:"), "\(fault.problem)")
      #expect(fault.problem.message.contains("go[31maway") || answer.hasPrefix("302"), "\(fault.problem)")
      #expect(!"\(fault.problem)".unicodeScalars.contains { $0.value < 0x20 })
    }
  }

  @Test("Retry-After of a busy server is read in seconds, of which more than 300 count as 300")
  func retryAfter() async throws {
    for (header, time) in [
      ("Retry-After: 7", Duration.seconds(7)), ("Retry-After: 99999999999999999999", .seconds(300)),
      ("Retry-After: -1", nil), ("Retry-After: Fri, 31 Dec 1999 23:59:59 GMT", nil), ("X: 1", nil),
    ] {
      let fault = try #require(
        try await TestClient().connectionError { peer in
          _ = try await peer.request()
          try await peer.send("HTTP/1.1 503 Busy\r\n\(header)\r\nContent-Length: 0\r\n\r\n")
          try await peer.end()
        })
      #expect(fault.retryAfter == time, "\(header)")
    }
  }

  @Test("An answer that is no handshake is a protocol mismatch; a connection without an answer is lost")
  func misfits() async throws {
    let wrong = try await TestClient().connectionError { peer in try await peer.accept(subprotocol: "soap") }
    #expect(wrong?.kind == .protocolMismatch && wrong?.problem.message.contains("'soap'") == true)
    let none = try await TestClient().connectionError { peer in try await peer.accept(subprotocol: nil) }
    #expect(none?.kind == .protocolMismatch)
    let withoutAccept = try await TestClient().connectionError { peer in
      _ = try await peer.request()
      try await peer.send(
        "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n"
          + "Sec-WebSocket-Accept: AAAA\r\nSec-WebSocket-Protocol: wamp.2.json\r\n\r\n")
      try await peer.end()
    }
    #expect(withoutAccept?.kind == .protocolMismatch)
    let other = try await TestClient().connectionError { peer in
      try await peer.send("SSH-2.0-OpenSSH_9\r\n")
      try await peer.end()
    }
    #expect(other?.kind == .protocolMismatch)
    let ended = try await TestClient().connectionError { peer in _ = try await peer.request() }
    #expect(ended?.kind == .lost)
  }

  @Test("A refused connection and an unknown host are unreachable, with the address in the message")
  func unreachable() async throws {
    let port = ReservedPort()
    let refused = await #expect(throws: ConnectionError.self) {
      try await TestClient().connector(to: port.number) { _ = try await $0.connect() }
    }
    #expect(refused?.kind == .unreachable)
    #expect(
      refused?.problem.message.hasSuffix("127.0.0.1:\(port.number)/v2': Connection refused") == true)
    let unknown = await #expect(throws: ConnectionError.self) {
      try await TestClient(host: "nowhere.invalid").connector(to: 80) { _ = try await $0.connect() }
    }
    #expect(unknown?.kind == .unreachable && unknown?.problem.message.contains("nowhere.invalid") == true)
  }

  @Test("A silent server is unreachable after the time limit, and a cancelled attempt ends at once")
  func silence() async throws {
    var limits = NetworkLimits.withLongTimeouts
    limits.connect = .milliseconds(50)
    let late = try await TestClient(limits: limits).connectionError { peer in try await peer.end() }
    #expect(late?.kind == .unreachable && late?.problem.message.contains("within") == true)

    let ended = EventRecorder<Bool>()
    try await PeerServer.run { peer in
      try await peer.end()
      ended.add(true)
    } with: { server in
      try await TestClient().connector(to: server.port) { connector in
        let connecting = Task { try await connector.connect() }
        await eventually { server.connectionCount == 1 }
        connecting.cancel()
        await #expect(throws: ConnectionError.self) { _ = try await connecting.cancellableValue }
        try await ended.wait { !$0.isEmpty }
      }
    }
  }

  @Test("A cancelled task begins no attempt")
  func cancelled() async throws {
    try await PeerServer.run { peer in
      try await peer.accept()
      try await peer.end()
    } with: { server in
      try await TestClient().connector(to: server.port) { connector in
        let connecting = Task {
          while !Task.isCancelled { await Task.yield() }
          return try await connector.connect()
        }
        connecting.cancel()
        await #expect(throws: ConnectionError.self) { _ = try await connecting.cancellableValue }
        // The server accepts connections in their order.
        _ = try await connector.connect()
        #expect(server.connectionCount == 1)
      }
    }
  }

  @Test("Shutting down ends open connections and attempts in progress")
  func shutDown() async throws {
    try await PeerServer.run { peer in
      if try await peer.accept().first == "GET /open HTTP/1.1" { try await peer.end() }
    } with: { server in
      let open = try FeedConnections(
        [TestClient(path: "/open").endpoint(server.port)], agent: "test/1", limits: .withLongTimeouts)
      let connection = try await open.connector.connect()
      await open.shutDown()
      #expect(await connection.events().map(\.summary) == ["lost"])
      connection.send([65])
    }
    try await PeerServer.run {
      try await $0.end()
    } with: { server in
      let silent = try FeedConnections([TestClient().endpoint(server.port)], agent: "test/1", limits: .withLongTimeouts)
      let connecting = Task { try await silent.connector.connect() }
      await eventually { server.connectionCount == 1 }
      await silent.shutDown()
      await #expect(throws: ConnectionError.self) { _ = try await connecting.cancellableValue }
      await silent.shutDown()
    }
  }
}
