package import FeedSimulator
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
package import Logging
import NIOCore
import NIOPosix
import NIOSSL
import ServiceLifecycle
package import UnixSignals

/// A server that listens. It ends when it is stopped, or by a signal that it was given.
package final class RunningServer: Sendable {
  /// The address that it is bound to.
  package let host: String
  package let port: Int
  package let isEncrypted: Bool
  /// What it plays.
  package let feed: FeedHub
  package let metrics: ServerMetrics
  private let services: ServiceGroup
  private let running: Task<Void, any Error>

  /// Starts a server and returns once clients can connect. Throws `ServerFailure` where it cannot listen, or a file of its
  /// certificate is of no use.
  package static func start(
    _ options: ServerOptions, playing feed: any PlayedFeed, logger: Logger, endSignals: [UnixSignal] = []
  ) async throws -> RunningServer {
    let group = MultiThreadedEventLoopGroup.singleton
    let loops = Dictionary(
      uniqueKeysWithValues: group.makeIterator().map { (ObjectIdentifier($0), SessionLoop(eventLoop: $0)) })
    let metrics = ServerMetrics()
    let hub = FeedHub(feed: feed, limits: options.limits, loops: Array(loops.values), metrics: metrics)
    let admission = Admission(
      origins: options.origins, token: options.token, limits: options.limits, metrics: metrics)
    let sessions = SocketUpgrader(logger: logger) { eventLoop in
      SocketSession.Surroundings(
        hub: hub, loop: loops[ObjectIdentifier(eventLoop)]!, limits: options.limits, realm: options.realm,
        metrics: metrics)
    }
    let certificate = try options.tls.map { try $0.configuration(closeTime: options.limits.closeTime) }
    let server = HTTPServerBuilder { responder -> any ServerChildChannel in
      let channel = FeedChannel(responder: responder, admission: admission, sessions: sessions)
      if let certificate { return try TLSChannel(channel, tlsConfiguration: certificate) }
      return channel
    }
    let (addresses, bound) = AsyncStream.makeStream(of: SocketAddress?.self)
    let application = Application(
      router: FeedRoutes(hub: hub, admission: admission, metrics: metrics).router(), server: server,
      configuration: ApplicationConfiguration(
        address: .hostname(options.host, port: options.port), backlog: 1024,
        availableConnectionsDelegate: MaximumAvailableConnections(
          options.limits.sessions + options.limits.otherConnections, logger: logger)),
      onServerRunning: { bound.yield($0.localAddress) }, eventLoopGroupProvider: .shared(group), logger: logger)
    var configuration = ServiceGroupConfiguration(
      services: [application, Draining(metrics: metrics)], gracefulShutdownSignals: endSignals, logger: logger)
    configuration.maximumGracefulShutdownDuration = .seconds(4)
    let services = ServiceGroup(configuration: configuration)
    let running = Task {
      defer { bound.finish() }
      try await services.run()
    }
    guard let address = await addresses.first(where: { _ in true }) else {
      do { try await running.value } catch { throw ServerFailure(listening: options, error) }
      throw CancellationError()
    }
    return RunningServer(
      host: address?.ipAddress ?? options.host, port: address?.port ?? options.port,
      isEncrypted: certificate != nil, feed: hub, metrics: metrics, services: services, running: running)
  }

  private init(
    host: String, port: Int, isEncrypted: Bool, feed: FeedHub, metrics: ServerMetrics, services: ServiceGroup,
    running: Task<Void, any Error>
  ) {
    (self.host, self.port, self.isEncrypted) = (host, port, isEncrypted)
    (self.feed, self.metrics, self.services, self.running) = (feed, metrics, services, running)
  }

  /// What clients connect to.
  package var url: String {
    "\(isEncrypted ? "wss" : "ws")://\(host.contains(":") ? "[\(host)]" : host):\(port)\(Admission.socketPath)"
  }

  /// Sends everybody away and returns when all connections are closed.
  package func stop() async {
    await services.triggerGracefulShutdown()
    _ = try? await running.value
  }

  /// Returns when it has ended.
  package func ended() async throws { try await running.value }
}

/// Says that the end has begun, before connections are closed.
private struct Draining: Service {
  let metrics: ServerMetrics

  func run() async throws {
    try await gracefulShutdown()
    metrics.drain()
  }
}

extension ServerOptions.TLSFiles {
  fileprivate func configuration(closeTime: TimeAmount) throws -> TLSConfiguration {
    let chain: [NIOSSLCertificate]
    do { chain = try NIOSSLCertificate.fromPEMFile(certificate) } catch {
      throw ServerFailure("cannot use the certificate '\(certificate)': give a PEM file with its chain (\(error))")
    }
    do {
      var configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) },
        privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
      configuration.shutdownTimeout = closeTime
      return configuration
    } catch {
      throw ServerFailure("cannot use the key '\(key)': give a PEM file without a password (\(error))")
    }
  }
}

/// Why a server does not start, with its text for the user.
package struct ServerFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }

  init(listening options: ServerOptions, _ error: any Error) {
    let address = "\(options.host):\(options.port)"
    switch (error as? IOError)?.errnoCode {
    case EADDRINUSE: self.init("cannot listen on '\(address)': the port is in use; give another, or 0 for any")
    case EACCES: self.init("cannot listen on '\(address)': not allowed; give a port above 1023")
    case EADDRNOTAVAIL:
      self.init("cannot listen on '\(address)': no such address on this machine; give 127.0.0.1, or 0.0.0.0 for all")
    default: self.init("cannot listen on '\(address)': \(error); give another address")
    }
  }
}
