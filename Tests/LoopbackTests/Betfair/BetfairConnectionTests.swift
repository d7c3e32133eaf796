import AccountModel
import Localization
import NIOCore
import NIOPosix
import OddsFeed
import OddsModel
import Platform
import TestSupport
import Testing

@testable import Betfair
@testable import FeedNetwork

@Suite("The connections to Betfair", .timeLimit(.minutes(15)))
struct BetfairConnectionTests {
  private func dialer(
    _ port: Int, _ group: MultiThreadedEventLoopGroup, caFile: String? = nil, certificate: ClientCertificate? = nil,
    lineBytes: Int = 16 << 20
  ) throws -> FeedDialer {
    var endpoint = try FeedEndpoint(address: try FeedAddress("wss://localhost:\(port)"), caFile: caFile)
    endpoint.certificate = certificate
    var limits = NetworkLimits()
    limits.lineBytes = lineBytes
    return try FeedDialer(endpoint, agent: "test", limits: limits, group: group)
  }

  private static func certificate() throws -> ClientCertificate {
    try ClientCertificate(
      certificateFile: FakeCertificates.path("client.pem"), keyFile: FakeCertificates.path("client.key"))
  }

  @Test("log in with a certificate over TLS, which the login service asks for")
  func certificate() async throws {
    let exchange = try FakeBetfair(isSecure: true)
    try await exchange.start()
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    func logIn(_ certificate: ClientCertificate?) async throws -> Result<Secret, LoginError> {
      let dialer = try dialer(
        exchange.certificatePort, group, caFile: FakeCertificates.path("ca.pem"), certificate: certificate)
      let service = PostClient(dialer, name: .namedLogin)
      let client = LoginClient(
        service, keepAlive: service, appKey: Secret("KEY"), user: "user", password: Secret("password"),
        hasCertificate: true)
      return await client.logIn()
    }
    #expect(try await logIn(try Self.certificate()).get().text.hasPrefix("TOKEN") == true)
    let refused = await #expect(throws: LoginError.self) { try await logIn(nil).get() }
    #expect(refused?.kind == .credentials && refused?.problem.code == "betfairCertificateRefused")
    await exchange.stop()
    try await group.shutdownGracefully()
  }

  @Test("extend the session of a login with a certificate at the other login service")
  func keepAlive() async throws {
    let exchange = try FakeBetfair(isSecure: true)
    try await exchange.start()
    let address = try BetfairAddress(
      "betfair://localhost:\(exchange.streamPort)", identity: "https://localhost:\(exchange.certificatePort)",
      keepAlive: "https://localhost:\(exchange.httpPort)", hasCertificate: true)
    let account = BetfairConnections.Account(
      appKey: Secret("KEY"), user: "user", password: Secret("password"), certificate: try Self.certificate())
    let connections = try BetfairConnections(
      address, account, agent: "test", caFile: FakeCertificates.path("ca.pem"))
    let token = try await connections.logins.logIn().get()
    let extended = try await connections.logins.keepAlive(token).get()
    #expect(extended == token)
    #expect(exchange.state.withLock { $0.calls.map(\.path) } == ["/api/certlogin", "/api/keepAlive"])
    await connections.shutDown()
    await exchange.stop()
  }

  @Test("read lines of the stream over TLS, and refuse an unknown certificate and a line that is too long")
  func stream() async throws {
    let exchange = try FakeBetfair(isSecure: true)
    try await exchange.start()
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let known = StreamConnector(try dialer(exchange.streamPort, group, caFile: FakeCertificates.path("ca.pem")))
    let connection = try await known.connect()
    guard case .text(let line)? = await connection.read().first else { return #expect(Bool(false)) }
    #expect(String(decoding: line, as: UTF8.self).contains("connectionId"))
    connection.close(code: CloseCode.normal)
    let unknown = StreamConnector(try dialer(exchange.streamPort, group))
    let error = await #expect(throws: ConnectionError.self) { _ = try await unknown.connect() }
    #expect(error?.isTerminal == true)
    // The greeting is longer than this limit.
    let bounded = StreamConnector(
      try dialer(exchange.streamPort, group, caFile: FakeCertificates.path("ca.pem"), lineBytes: 10))
    let short = try await bounded.connect()
    guard case .closed(let fault)? = await short.read().last else { return #expect(Bool(false)) }
    #expect(fault.kind == .protocolViolation && fault.problem.code == "lineMessageTooLong")
    await exchange.stop()
    try await group.shutdownGracefully()
  }

  @Test("refuse a file that is not a certificate or its key, with an error code")
  func files() {
    let good = FakeCertificates.path("client.pem")
    for (certificate, key, code) in [
      ("/nowhere", FakeCertificates.path("client.key"), "clientFileUnreadable"),
      (FakeCertificates.path("client.key"), FakeCertificates.path("client.key"), "clientCertificateEmpty"),
      (good, good, "clientKeyUnfit"), (good, FakeCertificates.path("good.key"), "clientKeyOfOther"),
    ] {
      let error = #expect(throws: FeedError.self) {
        try ClientCertificate(certificateFile: certificate, keyFile: key)
      }
      #expect(error?.code == code)
    }
  }

  @Test("buffer and merge changes for a slow reader, which then has the latest price")
  func slowReader() async throws {
    let exchange = try BetfairLoopbackTests.exchange(100)
    exchange.state.withLock { $0.segmentSize = 1000 }
    try await exchange.start()
    let stream = try BetfairAddress(
      "betfair://127.0.0.1:\(exchange.streamPort)", identity: "http://127.0.0.1:\(exchange.httpPort)")
    let connections = try BetfairConnections(
      stream, .init(appKey: Secret("KEY"), user: "user", password: Secret("password")), agent: "test")
    // Time stands still once the subscription is sent, so that a slow machine does not end the connection.
    let live = ClientClock.live
    let stopped = Locked<Duration?>(nil)
    let clock = ClientClock(
      uptime: { stopped.withLock(\.self) ?? live.uptime() }, wall: live.wall,
      sleep: { until in
        await live.sleep(until)
        if stopped.withLock({ $0 != nil }) { try? await Task.sleep(for: .seconds(3600)) }
      }, chance: live.chance)
    let session = connections.session(clock: clock)
    var events = await session.connect().makeAsyncIterator()
    await session.subscribe(Subscription(topic: Topic(path: "/sports/1"), generation: 1))
    while !Task.isCancelled, exchange.state.withLock({ $0.requests.count }) < 2 { await Task.yield() }
    let end = live.uptime()
    stopped.withLock { $0 = end }
    // More than the buffers hold.
    let id = try #require(exchange.state.withLock { $0.requests.last?.request["id"].integer })
    let padding = String(repeating: "x", count: 1 << 16)
    for _ in 0..<400 {
      exchange.trigger(.line(#"{"op":"mcm","id":\#(id),"pt":1,"mc":[{"id":"1.100","padding":"\#(padding)"}]}"#))
    }
    try await exchange.settle()
    for price in 0..<50 { exchange.set("1.100", runner: 0, back: [(300 + price, 100)], lay: []) }
    var decoder = BetfairDecoder()
    var batch = FeedBatch()
    var last: Int64?
    while last != 34_900_000, let event = await events.next() {
      guard case .frame(let frame) = event else { continue }
      #expect(frame.receivedAt.map { $0 <= end } == true)
      decoder.decode(frame, into: &batch)
      batch.removeAll()
      last = decoder.cache.books.first { $0.key.text == "1.100" }?.runners.first?.displayBack.levels.first?.price
    }
    #expect(last == 34_900_000 && decoder.cache.conflatedCount > 0)
    #expect(exchange.state.withLock { $0.requests.filter { $0.request["op"] == "authentication" }.count } == 1)
    await session.disconnect()
    await connections.shutDown()
    await exchange.stop()
  }
}
