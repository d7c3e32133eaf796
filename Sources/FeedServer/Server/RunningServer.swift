import CoreMetrics
package import FeedSimulator
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
package import Logging
import NIOCore
import NIOPosix
import NIOSSL
import ServiceLifecycle

/// A running server. It ends when it is stopped, or when its feed fails.
package final class RunningServer: Sendable {
  package let host: String
  package let port: Int
  /// The URL of the WebSocket.
  package let url: String
  package let admin: String?
  package let hub: FeedHub
  /// The accounts of this process; nil if it has none, or has those of a cluster.
  package let accounts: AccountHub?
  package let metrics: ServerMetrics
  private let loops: [SessionLoop]
  private let drainNotice: Duration
  private let drainTime: Duration
  private let services: ServiceGroup
  private let running: Task<Void, any Error>

  /// Starts a server and returns once clients can connect.
  ///
  /// - Parameters:
  ///   - registry: The place of the server's metrics, which no other server shares.
  ///   - feedFailures: Failures of the feed. The first one shuts the server down gracefully, and `ended()` throws it.
  /// - Throws: `ServerError` if the server cannot listen, or a certificate or key file is invalid.
  package static func start(
    _ options: ServerOptions, playing feed: any PlayedFeed, registry: PrometheusRegistry = PrometheusRegistry(),
    feedFailures: AsyncStream<ServerError>? = nil, logger: Logger
  ) async throws -> RunningServer {
    let metrics = ServerMetrics(registry)
    let source = PlayedSource(playing: feed) { [ticks = metrics.ticks] in
      ticks.increment()
    } onEnd: {
      logger.warning("\(PlayedSource.outage): sessions with topics are closed, and new ones are refused")
    }
    return try await start(
      options, source: source, metrics: metrics, feedFailures: feedFailures, logger: logger)
  }

  /// Starts a server with the topics of a source.
  package static func start(
    _ options: ServerOptions, source: any TopicSource, metrics: ServerMetrics,
    feedFailures: AsyncStream<ServerError>? = nil, logger: Logger
  ) async throws -> RunningServer {
    let group = MultiThreadedEventLoopGroup.singleton
    let loops = Dictionary(
      uniqueKeysWithValues: group.makeIterator().map { (ObjectIdentifier($0), SessionLoop(eventLoop: $0)) })
    let limits = options.limits
    let hub = FeedHub(source: source, limits: limits, loops: Array(loops.values), metrics: metrics)
    var accounts: Authenticator?
    if let options = options.accounts {
      accounts = try await Authenticator(options, limits: limits, registry: metrics.registry)
    }
    let admission = AccessPolicy(
      origins: options.origins, token: options.token, accounts: accounts, requiresLogin: options.requiresLogin,
      source: source, limits: limits, metrics: metrics)
    let sessions = SocketUpgrader(logger: logger) { [accounts] eventLoop in
      SocketSession.Dependencies(
        hub: hub, loop: loops[ObjectIdentifier(eventLoop)]!, limits: limits, realm: options.realm,
        metrics: metrics, accounts: accounts)
    }
    let certificate = try options.tls.map { try $0.configuration(closeTime: limits.closeTime) }
    let connections = ConnectionTable(limit: limits.connections, limitPerNetwork: limits.connectionsPerAddress)
    let settings = HTTPAdmissionHandler.Settings(
      limits: limits, metrics: metrics, connections: connections, admission: admission, proxies: options.proxies,
      turns: Dictionary(
        uniqueKeysWithValues: group.makeIterator().map { (ObjectIdentifier($0), ReadTurns(eventLoop: $0)) }))
    let server = HTTPServerBuilder { responder -> any ServerChildChannel in
      let channel = FeedChannel(
        responder: responder, settings: settings, isEncrypted: certificate != nil, sessions: sessions)
      if let certificate { return try TLSChannel(channel, tlsConfiguration: certificate) }
      return channel
    }
    let main = ListeningService(
      FeedRoutes(hub: hub, admission: admission, metrics: metrics).router(), host: options.host, port: options.port,
      server: server, maxConnections: connections.limit + ConnectionTable.spare, group: group, logger: logger)
    var admin: ListeningService?
    if let address = options.admin, let accounts {
      // Any client of this interface is on this machine, so that a limit for each address has no use.
      let connections = ConnectionTable(limit: limits.adminConnections, limitPerNetwork: .max)
      let settings = HTTPAdmissionHandler.Settings(limits: limits, metrics: metrics, connections: connections)
      admin = ListeningService(
        AdminRoutes(hub: accounts.hub, admission: admission).router(), host: address.host, port: address.port,
        server: HTTPServerBuilder { FeedChannel(responder: $0, settings: settings) },
        maxConnections: connections.limit + ConnectionTable.spare, group: group, logger: logger)
    }
    let listening = [main] + (admin.map { [$0] } ?? [])
    var configuration = ServiceGroupConfiguration(
      services: listening + [Draining(metrics: metrics, accounts: accounts?.hub)], logger: logger)
    // NB: The whole end takes at most 3 s, with the times of the program. Then connections are cut.
    configuration.maximumGracefulShutdownDuration = max(
      .milliseconds(800), .milliseconds(2800) - options.drainNotice - options.drainTime)
    if let feedFailures {
      configuration.services.append(
        .init(service: FeedWatch(failures: feedFailures), failureTerminationBehavior: .gracefullyShutdownGroup))
    }
    let services = ServiceGroup(configuration: configuration)
    let running = Task {
      defer { for service in listening { service.giveUp() } }
      try await services.run()
    }
    var bound: [ListeningService.Address] = []
    for service in listening {
      guard let address = await service.address else {
        try await running.value
        throw CancellationError()
      }
      bound.append(address)
    }
    return RunningServer(
      bound[0], options, isEncrypted: certificate != nil, admin: bound.count > 1 ? "http://\(bound[1].text)" : nil,
      hub: hub, loops: Array(loops.values), accounts: accounts?.hub as? AccountHub, metrics: metrics,
      services: services, running: running)
  }

  private init(
    _ address: ListeningService.Address, _ options: ServerOptions, isEncrypted: Bool, admin: String?, hub: FeedHub,
    loops: [SessionLoop], accounts: AccountHub?, metrics: ServerMetrics, services: ServiceGroup,
    running: Task<Void, any Error>
  ) {
    drainNotice = options.drainNotice
    drainTime = options.drainTime
    self.loops = loops
    host = address.host
    port = address.port
    self.admin = admin
    self.accounts = accounts
    self.hub = hub
    self.metrics = metrics
    self.services = services
    self.running = running
    url = "\(isEncrypted ? "wss" : "ws")://\(address.text)\(AccessPolicy.socketPath)"
  }

  /// Shuts the server down gracefully and returns when all connections are closed. First `ServerOptions.drainNotice` and
  /// `drainTime` pass, unless the task is cancelled, or nobody would notice.
  package func stop() async {
    if metrics.drain() {
      if metrics.sessions > 0 || metrics.isReadinessRead { try? await Task.sleep(for: drainNotice) }
      if metrics.sessions > 0 {
        for loop in loops { loop.endSessions(within: drainTime) }
        try? await Task.sleep(for: drainTime)
      }
    }
    await services.triggerGracefulShutdown()
    _ = try? await running.value
  }

  /// Returns when the server has ended. Throws the error that ended it.
  package func ended() async throws { try await running.value }
}

/// Before connections are closed, marks the server as draining and ends the account streams, which go on otherwise.
private struct Draining: Service {
  let metrics: ServerMetrics
  let accounts: (any AccountService)?

  func run() async throws {
    try await gracefulShutdown()
    metrics.drain()
    accounts?.drain()
  }
}

/// Fails when the feed fails: without updates, clients would show old prices as live ones.
struct FeedWatch: Service {
  let failures: AsyncStream<ServerError>

  func run() async throws {
    for await failure in failures.cancelOnGracefulShutdown() { throw failure }
    try await gracefulShutdown()
  }
}

extension ServerOptions.TLSFiles {
  fileprivate func configuration(closeTime: TimeAmount) throws -> TLSConfiguration {
    let chain: [NIOSSLCertificate]
    do { chain = try NIOSSLCertificate.fromPEMFile(certificate) } catch {
      throw ServerError("cannot use the certificate '\(certificate)': use a PEM file with its chain (\(error))")
    }
    do {
      var configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) },
        privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
      configuration.minimumTLSVersion = .tlsv12
      // For TLS 1.2. The cipher suites of TLS 1.3 cannot be selected; all of them have forward secrecy and use AEAD.
      configuration.cipherSuiteValues = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
      ]
      configuration.shutdownTimeout = closeTime
      return configuration
    } catch { throw ServerError("cannot use the key '\(key)': use a PEM file without a password (\(error))") }
  }
}
