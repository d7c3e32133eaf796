import AccountModel
import NIOCore
import NIOPosix
import OddsFeed
import OddsModel

@testable import FeedNetwork

/// A client for one test, on a thread of its own.
struct TestClient {
  var host = "127.0.0.1"
  var isSecure = false
  var path = "/v2"
  var origin: String?
  var token: String?
  var caFile: String?
  var proxies = ProxyRules()
  var limits = NetworkLimits.withLongTimeouts

  /// Runs `body` with a connector to that port.
  func connector<Result>(to port: Int, _ body: (WebSocketConnector) async throws -> Result) async throws -> Result {
    try await dialer(to: port) { try await body(WebSocketConnector($0)) }
  }

  /// Runs `body` with a client for REST at that port.
  func api<Result>(at port: Int, _ body: (RestClient) async throws -> Result) async throws -> Result {
    try await dialer(to: port) { try await body(RestClient($0)) }
  }

  /// Runs `body` with a transport to the account service at that port.
  func account<Result>(at port: Int, _ body: (HTTPAccountTransport) async throws -> Result) async throws -> Result {
    try await dialer(to: port) { try await body(HTTPAccountTransport($0)) }
  }

  func endpoint(_ port: Int) throws -> FeedEndpoint {
    try FeedEndpoint(
      address: FeedAddress("\(isSecure ? "wss" : "ws")://\(host):\(port)\(path)"), origin: origin,
      token: token.map { try Secret(token: $0, from: "the test") }, caFile: caFile, proxies: proxies)
  }

  /// Runs `body` with a connection to a server that plays a script.
  func connected<Result>(
    certificate: String? = nil, to script: @escaping @Sendable (inout Peer) async throws -> Void,
    _ body: (any FrameConnection) async throws -> Result
  ) async throws -> Result {
    try await PeerServer.run(certificate: certificate, script) { server in
      try await connector(to: server.port) { try await body($0.connect()) }
    }
  }

  /// Returns the error of a connection to a server that plays a script; nil if it succeeds.
  func connectionError(
    certificate: String? = nil, _ script: @escaping @Sendable (inout Peer) async throws -> Void
  ) async throws -> ConnectionError? {
    try await PeerServer.run(certificate: certificate, script) { server in
      try await connector(to: server.port) { connector in
        do throws(ConnectionError) {
          _ = try await connector.connect()
          return nil
        } catch { return error }
      }
    }
  }

  private func dialer<Result>(to port: Int, _ body: (FeedDialer) async throws -> Result) async throws -> Result {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    do {
      let result = try await body(FeedDialer(endpoint(port), agent: "test/1", limits: limits, group: group))
      try await group.shutdownGracefully()
      return result
    } catch {
      try await group.shutdownGracefully()
      throw error
    }
  }
}

extension NetworkLimits {
  /// Limits for expected answers: only a failure takes so long.
  static let withLongTimeouts = NetworkLimits(connect: .minutes(5), request: .minutes(5), answer: .minutes(5))
}

extension FrameConnection {
  /// Returns the events until `isEnough` is true or the connection ends.
  func events(until isEnough: ([FrameEvent]) -> Bool = { _ in false }) async -> [FrameEvent] {
    var events: [FrameEvent] = []
    while !isEnough(events) {
      let new = await read()
      if new.isEmpty { break }
      // The number of progress events depends on the machine.
      events += new.filter { !$0.isProgress }
    }
    return events
  }
}

extension FrameEvent {
  /// The event as a test compares it: "text", "pong", or the kind of the fault.
  var summary: String {
    switch self {
    case .text(let bytes): "text \(String(decoding: bytes, as: UTF8.self))"
    case .pong: "pong"
    case .progress: "progress"
    case .closed(let fault): "\(fault.kind)"
    }
  }

  var isProgress: Bool { if case .progress = self { true } else { false } }

  var connectionError: ConnectionError? { if case .closed(let fault) = self { fault } else { nil } }
}
