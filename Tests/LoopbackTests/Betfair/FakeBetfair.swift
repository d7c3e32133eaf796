import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Platform
import TestSupport

/// A fake of Betfair on loopback: the Exchange Stream on one port, the identity service and betting API on another, the
/// login with a certificate on a third. Written from the published specification and independently of the client, so
/// that each checks the other.
final class FakeBetfair: Sendable {
  /// The moments of a connection to the stream, in order.
  enum Step: CaseIterable, Hashable, Sendable {
    case connected, greeted, authenticating, authenticated, subscribing, subscribed
    /// After the first part of an image in parts, or after the image.
    case imageBegun
  }

  struct Fault: Hashable, Sendable {
    enum Kind { case close, silence }
    var step: Step
    var kind: Kind
  }

  struct State: Sendable {
    // Accounts
    var appKeys: Set = ["KEY", "DELAYED"]
    var delayedKeys: Set = ["DELAYED"]
    var passwords = ["user": "password"]
    /// The user of each live session.
    var sessions: [String: String] = [:]
    /// The errors of the next logins, in place of an answer.
    var loginErrors: [String] = []
    /// The error codes of the next calls of the betting API.
    var catalogueErrors: [String] = []
    /// The status of every HTTP answer; `ok` for the real ones.
    var status = HTTPResponseStatus.ok
    fileprivate var lastToken = 0

    // The stream
    var markets: [FakeMarket] = []
    /// True for `status` 503: the source of prices is late.
    var isStale = false
    var marketLimit = 200
    var connectionLimit = 10
    /// The markets of one part of a segmented message.
    var segmentSize = 2
    /// The time that a client has for its first message.
    var answerTimeout = TimeAmount.seconds(15)
    /// The error codes of the next requests, by operation.
    var refusals: [String: [String]] = [:]
    /// The faults of the next connections. Each happens once: at the first connection that comes to its step.
    var faults: [Fault] = []
    /// Called after the last fault.
    var onLastFault: (@Sendable () -> Void)?
    var connections: [Int: any Channel] = [:]
    fileprivate(set) var authenticated: Set<Int> = []
    fileprivate var lastConnection = 0
    var lastNumber = 0
    var epoch = 1

    // For the tests
    /// The requests on the stream, in order, with the number of their connection.
    fileprivate(set) var requests: [(connection: Int, request: JSONTree)] = []
    /// The errors that the stream has answered.
    fileprivate(set) var refused: [FakeRefusal] = []
    /// The number of changes that were not sent at once because a client reads slowly.
    var heldBack = 0
    /// The HTTP requests: the path and, of the betting API, the parameters.
    var calls: [(path: String, parameters: JSONTree)] = []
  }

  let state: Locked<State>
  private let ports = (stream: ReservedPort(), http: ReservedPort(), certificate: ReservedPort())
  private let tls: (server: NIOSSLContext, certificate: NIOSSLContext)?
  private let listeners = Locked<[any Channel]>([])

  /// With `isSecure`, all ports have the certificate `good` of the authority `ca` in the fixtures.
  init(_ markets: [FakeMarket] = [], isSecure: Bool = false) throws {
    state = Locked(State())
    tls =
      isSecure
      ? try (FakeCertificates.server(asksForClient: false), FakeCertificates.server(asksForClient: true)) : nil
    for market in markets { add(market) }
  }

  var streamPort: Int { ports.stream.number }
  /// The port of the identity service, without the login with a certificate, and of the betting API.
  var httpPort: Int { ports.http.number }
  /// The port of the login with a certificate. It serves nothing else.
  var certificatePort: Int { ports.certificate.number }

  /// Starts the server, each time on the same ports.
  func start() async throws {
    let base = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
    let stream = try await base.childChannelOption(.writeBufferWaterMark, value: .init(low: 1 << 12, high: 1 << 14))
      .childChannelOption(.socketOption(.so_sndbuf), value: 1 << 14)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          if let tls = self.tls?.server {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls))
          }
          let number = self.opened(channel)
          try channel.pipeline.syncOperations.addHandler(FakeStreamHandler(exchange: self, number: number))
        }
      }
      .bind(host: "127.0.0.1", port: streamPort).get()
    listeners.withLock { $0 = [stream] }
    for isForCertificates in [false, true] {
      let listener = try await listen(isForCertificates: isForCertificates)
      listeners.withLock { $0.append(listener) }
    }
  }

  /// Starts the port of the login with a certificate, or that of the other HTTP services.
  private func listen(isForCertificates: Bool) async throws -> any Channel {
    try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          if let tls = isForCertificates ? self.tls?.certificate : self.tls?.server {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls))
          }
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(
            FakeBetfairHTTPHandler(exchange: self, isForCertificates: isForCertificates))
        }
      }
      .bind(host: "127.0.0.1", port: isForCertificates ? certificatePort : httpPort).get()
  }

  /// Closes the ports and every connection.
  func stop() async {
    for listener in listeners.withLock({ listeners in
      defer { listeners = [] }
      return listeners
    }) { try? await listener.close() }
    await drop()
  }

  /// Closes the connections to the stream without a message.
  func drop() async {
    for channel in state.withLock({ Array($0.connections.values) }) { try? await channel.close() }
  }

  // MARK: Connections

  private func opened(_ channel: any Channel) -> Int {
    state.withLock { state in
      state.lastConnection += 1
      state.connections[state.lastConnection] = channel
      return state.lastConnection
    }
  }

  func closed(_ number: Int) {
    state.withLock { state in
      state.connections[number] = nil
      state.authenticated.remove(number)
    }
  }

  /// Returns the fault of a connection that comes to a step, once.
  func fault(at step: Step) -> Fault.Kind? {
    let (kind, onLast) = state.withLock { state in
      let kind = state.faults.firstIndex { $0.step == step }.map { state.faults.remove(at: $0).kind }
      return (kind, kind != nil && state.faults.isEmpty ? state.onLastFault : nil)
    }
    onLast?()
    return kind
  }

  /// Calls `body` after the last fault; at once if there is none left.
  func afterFaults(_ body: @escaping @Sendable () -> Void) {
    let isDone = state.withLock { state in
      state.onLastFault = body
      return state.faults.isEmpty
    }
    if isDone { body() }
  }

  func record(_ request: JSONTree, on connection: Int) {
    state.withLock { $0.requests.append((connection, request)) }
  }

  func record(_ refusal: FakeRefusal) { state.withLock { $0.refused.append(refusal) } }

  /// Returns the number of connections that the account may still open, and true if its prices are delayed.
  func authenticate(_ request: JSONTree, on connection: Int) throws(FakeRefusal) -> (available: Int, isDelayed: Bool) {
    try state.withLock { state throws(FakeRefusal) in
      guard let key = request["appKey"].text, !key.isEmpty else { throw FakeRefusal("NO_APP_KEY", "no appKey") }
      guard state.appKeys.contains(key) else { throw FakeRefusal("INVALID_APP_KEY", "no such key: \(key)") }
      guard let session = request["session"].text, !session.isEmpty else {
        throw FakeRefusal("NO_SESSION", "no session")
      }
      guard state.sessions[session] != nil else {
        throw FakeRefusal("INVALID_SESSION_INFORMATION", "no such session: \(session)")
      }
      guard state.authenticated.count < state.connectionLimit else {
        throw FakeRefusal("MAX_CONNECTION_LIMIT_EXCEEDED", "\(state.connectionLimit) connections")
      }
      state.authenticated.insert(connection)
      return (state.connectionLimit - state.authenticated.count, state.delayedKeys.contains(key))
    }
  }

  /// Begins a session. Returns its token.
  func logIn(_ user: String) -> String {
    state.withLock { state in
      state.lastToken += 1
      let token = "TOKEN+/\(state.lastToken)="
      state.sessions[token] = user
      return token
    }
  }

  /// Ends all sessions. Connections that are authenticated go on.
  func expireSessions() { state.withLock { $0.sessions = [:] } }

  /// Makes every position in the stream unknown.
  func forgetPositions() { state.withLock { $0.epoch += 1 } }
}
