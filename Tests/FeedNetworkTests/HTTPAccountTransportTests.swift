import AccountModel
import NIOCore
import NIOEmbedded
import NIOHTTP1
import OddsFeed
import OddsModel
import Platform
import TestSupport
import Testing

@testable import FeedNetwork

@Suite("The account service over HTTP", .timeLimit(.minutes(45)))
struct HTTPAccountTransportTests {
  private static let login = AccountRequest(.post, AccountPath.login, body: Secret(#"{"user":"é"}"#))
  private static let updates = AccountRequest(.get, AccountPath.updates(of: "u"), token: Secret("abc"))
  private static let streamHead =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n"

  private static func chunk(_ text: String) -> String { "\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n" }

  /// Runs `body` with a transport to a server that plays a script.
  private static func served<Result>(
    _ client: TestClient = TestClient(), by script: @escaping PeerServer.Script,
    _ body: (HTTPAccountTransport) async throws -> Result
  ) async throws -> Result {
    try await PeerServer.run(script) { try await client.account(at: $0.port, body) }
  }

  @Test(
    "Retry-After is a number of seconds, up to a day",
    arguments: [
      ("7", 7), ("0", 0), ("86401", 86_400), ("99999999999999999999", 86_400), ("+5", nil), ("-1", nil), ("", nil),
      ("Fri, 31 Dec 1999 23:59:59 GMT", nil),
    ] as [(String, Int?)])
  func retryAfter(text: String, seconds: Int?) {
    #expect(HTTPHeaders([("Retry-After", text)]).retryAfter == seconds)
  }

  @Test("A request has its method, headers and body; the answer has its status, body and Retry-After")
  func ask() async throws {
    let requests = EventRecorder<[String]>()
    let answers = try await Self.served { peer in
      requests.add(try await peer.request())
      if requests.elements.last?.first?.hasPrefix("POST") == true {
        requests.add([String(buffer: try await peer.next()!)])
      }
      try await peer.send(
        "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\nContent-Length: 2\r\n\r\n{}")
      try await peer.end()
    } _: { line in
      [
        try await line.ask(Self.login),
        try await line.ask(AccountRequest(.get, AccountPath.wallet(of: "u"), token: Secret("abc"))),
      ]
    }
    #expect(answers == Array(repeating: AccountAnswer(status: 429, body: Array("{}".utf8), retryAfter: 7), count: 2))
    #expect(requests.elements.count == 3)
    let (post, body, get) = (requests.elements[0], requests.elements[1], requests.elements[2])
    #expect(post.first == "POST /api/login HTTP/1.1" && body == [#"{"user":"é"}"#])
    #expect(post.contains("Content-Type: application/json") && post.contains("Content-Length: 13"))
    #expect(!post.contains { $0.hasPrefix("Authorization") })
    #expect(get.first == "GET /v2/player/u/wallet HTTP/1.1" && get.contains("Authorization: Bearer abc"))
    #expect(!get.contains { $0.hasPrefix("Content-") })
  }

  @Test("A stream returns bytes as they arrive, and nil at its end")
  func stream() async throws {
    let requests = EventRecorder<String>()
    let (goesOn, goOn) = AsyncStream.makeStream(of: Void.self)
    try await Self.served { peer in
      for line in try await peer.request() { requests.add(line) }
      try await peer.send(Self.streamHead + Self.chunk("data: 1\n"))
      for await _ in goesOn { break }
      try await peer.send(Self.chunk("\n") + "0\r\n\r\n")
      try await peer.end()
    } _: { line in
      var request = Self.updates
      request.lastEventID = "7"
      let stream = try await line.open(request)
      #expect(try await stream.read() == Array("data: 1\n".utf8))
      goOn.yield()
      #expect(try await stream.read() == Array("\n".utf8))
      #expect(try await stream.read() == nil)
      #expect(try await stream.read() == nil)
      stream.close()
    }
    #expect(requests.elements.first == "GET /v2/player/u/information/updates HTTP/1.1")
    for field in [
      "Accept: text/event-stream", "Accept-Encoding: identity", "Last-Event-ID: 7", "Authorization: Bearer abc",
    ] {
      #expect(requests.elements.contains(field), "\(field)")
    }
  }

  @Test(
    "An event id that is not valid in a header is not sent",
    arguments: ["a\u{1B}b", String(repeating: "x", count: 2000), "a\tb"])
  func oddID(id: String) async throws {
    let requests = EventRecorder<String>()
    try await Self.served { peer in
      for line in try await peer.request() { requests.add(line) }
      try await peer.send(Self.streamHead)
      try await peer.end()
    } _: { line in
      var request = Self.updates
      request.lastEventID = id
      try await line.open(request).close()
    }
    #expect(!requests.elements.isEmpty && !requests.elements.contains { $0.hasPrefix("Last-Event-ID") })
  }

  @Test("A stream that ends early is a lost connection", arguments: [true, false])
  func breaksOff(isReset: Bool) async throws {
    let fault = try await Self.served { peer in
      _ = try await peer.request()
      try await peer.send(Self.streamHead + Self.chunk("a"))
      if isReset { try await peer.reset() }
    } _: { line in
      let stream = try await line.open(Self.updates)
      do throws(ConnectionError) {
        while try await stream.read() != nil {}
        return nil as ConnectionError?
      } catch { return error }
    }
    #expect(fault?.kind == .lost)
  }

  @Test(
    "An answer that opens no stream is an error of the matching kind",
    arguments: [
      ("401 Unauthorized\r\nContent-Length: 0", .unauthorized), ("403 Forbidden\r\nContent-Length: 0", .unauthorized),
      ("503 Busy\r\nContent-Length: 0", .protocolMismatch), ("204 No Content", .protocolMismatch),
      ("200 OK\r\nContent-Type: text/html\r\nContent-Length: 0", .protocolMismatch),
      ("200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\nContent-Length: 0", .protocolMismatch),
      ("301 Moved\r\nLocation: http://evil.example/\r\nContent-Length: 0", .protocolMismatch),
    ] as [(String, ConnectionError.Kind)])
  func refusals(head: String, kind: ConnectionError.Kind) async throws {
    let fault = try await Self.served { peer in
      _ = try await peer.request()
      try await peer.send("HTTP/1.1 \(head)\r\n\r\n")
      try await peer.end()
    } _: { line in
      do throws(ConnectionError) {
        _ = try await line.open(Self.updates)
        return nil as ConnectionError?
      } catch { return error }
    }
    #expect(fault?.kind == kind)
  }

  @Test(
    "Closing or dropping a stream ends the connection, and a cancelled read returns nil",
    arguments: [true, false])
  func closes(isDropped: Bool) async throws {
    let ended = EventRecorder<Bool>()
    try await Self.served { peer in
      _ = try await peer.request()
      try await peer.send(Self.streamHead)
      try await peer.end()
      ended.add(true)
    } _: { line in
      let stream = try await line.open(Self.updates)
      let reading = Task { try await stream.read() }
      reading.cancel()
      #expect(try await reading.cancellableValue == nil)
      if !isDropped { stream.close() }
    }
    #expect(ended.elements == [true])
  }

  @Test("A stream that is silent for 45 s is lost, unless the client does not read")
  func silence() async throws {
    let attempt = OneShotResult<EventStreamHandler.Answer>()
    let channel = EmbeddedChannel()
    let address = try FeedAddress("ws://localhost")
    let request = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
    try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()
    try await EventStreamHandler.begin(
      request, on: channel, attempt, words: ErrorMessages(address: address), limits: NetworkLimits(unreadBytes: 8)
    ).get()
    try channel.writeInbound(ByteBuffer(string: Self.streamHead))
    guard case .stream(let stream) = try await attempt.result().get() else { return #expect(Bool(false)) }
    for _ in 0..<5 {
      channel.embeddedEventLoop.advanceTime(by: .seconds(44))
      try channel.writeInbound(ByteBuffer(string: Self.chunk(":\n")))
    }
    channel.embeddedEventLoop.advanceTime(by: .seconds(100))
    #expect(channel.isActive)
    #expect(try await stream.read()?.count == 10)
    channel.embeddedEventLoop.run()
    channel.embeddedEventLoop.advanceTime(by: .seconds(45))
    await #expect(throws: ConnectionError.self) { try await stream.read() }
  }

  @Test("Neither a password nor a token crosses a network unencrypted")
  func unencrypted() async throws {
    let client = TestClient(host: "odds.example")
    for request in [Self.login, Self.updates] {
      let fault = try await client.account(at: 80) { line in
        do throws(ConnectionError) {
          _ = try await line.ask(request)
          return nil as ConnectionError?
        } catch { return error }
      }
      #expect(fault?.kind == .untrusted)
      #expect(
        fault?.problem.description
          == "the password would be sent to 'odds.example' unencrypted: use wss://")
    }
    let source = TokenSource(try client.endpoint(80)) { Secret("abc") }
    await #expect(throws: FeedError.self) { try await source.token() }
  }

  @Test("Each connection requests a token from the source, and sends the endpoint's own token if there is none")
  func tokens() async throws {
    let requests = EventRecorder<String?>()
    let given = Locked(["one", "two"])
    try await PeerServer.run { peer in
      requests.add(try await peer.request().first { $0.hasPrefix("Authorization") })
      try await peer.send("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n")
      try await peer.end()
    } with: { server in
      let feed = try FeedConnections(
        [TestClient(token: "own").endpoint(server.port)], agent: "test/1", limits: .withLongTimeouts)
      for isTaken in [false, true, true, true] {
        if isTaken { feed.setTokenSource { given.withLock { $0.isEmpty ? nil : Secret($0.removeFirst()) } } }
        await #expect(throws: ConnectionError.self) { try await feed.connector.connect() }
      }
      await feed.shutDown()
    }
    #expect(requests.elements == ["own", "one", "two", "own"].map { "Authorization: Bearer \($0)" })
  }
}
