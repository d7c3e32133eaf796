import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import ServiceLifecycle

/// The parts of a server, from which it is started.
struct ServerParts {
  let options: ServerOptions
  let metrics: ServerMetrics
  /// The loops of sessions, by event loop.
  let loops: [ObjectIdentifier: SessionLoop]
  let hub: FeedHub
  let accounts: Authenticator?
  private let admission: AccessPolicy
  private let certificate: TLSConfiguration?
  private let group = MultiThreadedEventLoopGroup.singleton
  private let logger: Logger

  /// Creates the parts. Nothing listens yet.
  ///
  /// - Throws: `ServerError` if a certificate or key file is invalid.
  init(_ options: ServerOptions, source: any TopicSource, metrics: ServerMetrics, logger: Logger) async throws {
    let limits = options.limits
    self.options = options
    self.metrics = metrics
    self.logger = logger
    loops = Dictionary(
      uniqueKeysWithValues: group.makeIterator().map { (ObjectIdentifier($0), SessionLoop(eventLoop: $0)) })
    hub = FeedHub(source: source, limits: limits, loops: Array(loops.values), metrics: metrics)
    if let accountOptions = options.accounts {
      accounts = try await Authenticator(
        accountOptions, limits: limits, registry: metrics.registry, work: hub.work)
    } else {
      accounts = nil
    }
    admission = AccessPolicy(
      origins: options.origins, token: options.token, accounts: accounts, requiresLogin: options.requiresLogin,
      source: source, limits: limits, metrics: metrics)
    certificate = try options.tls.map { try $0.configuration(closeTime: limits.closeTime) }
  }

  var isEncrypted: Bool { certificate != nil }

  /// Returns the service of the WebSocket and the REST lists.
  func feedListener() -> ListeningService {
    let limits = options.limits
    let sessions = SocketUpgrader(logger: logger) { [loops, hub, options, metrics, accounts] eventLoop in
      SocketSession.Dependencies(
        hub: hub, loop: loops[ObjectIdentifier(eventLoop)]!, limits: options.limits, realm: options.realm,
        metrics: metrics, accounts: accounts)
    }
    let connections = ConnectionTable(limit: limits.connections, limitPerNetwork: limits.connectionsPerAddress)
    let settings = HTTPAdmissionHandler.Settings(
      limits: limits, metrics: metrics, connections: connections, admission: admission, proxies: options.proxies,
      turns: Dictionary(
        uniqueKeysWithValues: group.makeIterator().map { (ObjectIdentifier($0), ReadTurns(eventLoop: $0)) }))
    let server = HTTPServerBuilder { [certificate] responder -> any ServerChildChannel in
      let channel = FeedChannel(
        responder: responder, settings: settings, isEncrypted: certificate != nil, sessions: sessions)
      if let certificate { return try TLSChannel(channel, tlsConfiguration: certificate) }
      return channel
    }
    return ListeningService(
      FeedRoutes(hub: hub, admission: admission, metrics: metrics).router(), host: options.host, port: options.port,
      server: server, maxConnections: connections.limit + ConnectionTable.spare, group: group, logger: logger)
  }

  /// Returns the service of the admin interface; nil if there is none.
  func adminListener() -> ListeningService? {
    guard let address = options.admin, let accounts else { return nil }
    // Any client of this interface is on this machine, so that a limit for each address has no use.
    let connections = ConnectionTable(limit: options.limits.adminConnections, limitPerNetwork: .max)
    let settings = HTTPAdmissionHandler.Settings(limits: options.limits, metrics: metrics, connections: connections)
    return ListeningService(
      AdminRoutes(hub: accounts.hub, admission: admission).router(), host: address.host, port: address.port,
      server: HTTPServerBuilder { FeedChannel(responder: $0, settings: settings) },
      maxConnections: connections.limit + ConnectionTable.spare, group: group, logger: logger)
  }

  /// Returns the group that runs and ends all services.
  func services(_ listening: [ListeningService], feedFailures: AsyncStream<ServerError>?) -> ServiceGroup {
    var configuration = ServiceGroupConfiguration(
      services: listening + [Draining(metrics: metrics, accounts: accounts?.hub)], logger: logger)
    configuration.maximumGracefulShutdownDuration = max(
      .milliseconds(800), options.endTime - options.drainNotice - options.drainTime)
    if let feedFailures {
      configuration.services.append(
        .init(service: FeedWatch(failures: feedFailures), failureTerminationBehavior: .gracefullyShutdownGroup))
    }
    return ServiceGroup(configuration: configuration)
  }
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
    var configuration: TLSConfiguration
    do {
      configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) },
        privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
    } catch { throw ServerError("cannot use the key '\(key)': use a PEM file without a password (\(error))") }
    configuration.minimumTLSVersion = .tlsv12
    // For TLS 1.2. The cipher suites of TLS 1.3 cannot be selected; all of them have forward secrecy and use AEAD.
    configuration.cipherSuiteValues = [
      .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
      .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
      .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]
    configuration.shutdownTimeout = closeTime
    // NB: Otherwise the listener would fail, as if its address were wrong.
    do { _ = try NIOSSLContext(configuration: configuration) } catch {
      throw ServerError(
        "cannot use the certificate '\(certificate)' with the key '\(key)': use a certificate and its own key (\(error))"
      )
    }
    return configuration
  }
}
