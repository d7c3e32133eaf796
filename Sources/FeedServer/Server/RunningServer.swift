import CoreMetrics
package import FeedSimulator
package import Logging
import ServiceLifecycle

/// A running server. It ends when it is stopped, or when its feed fails.
package final class RunningServer: Sendable {
  package let host: String
  package let port: Int
  /// The URL of the WebSocket.
  package let url: String
  /// The URL of the admin interface; nil if there is none.
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
  ///   - registry: The server's metrics, which no other server shares.
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
    let parts = try await ServerParts(options, source: source, metrics: metrics, logger: logger)
    let listening = [parts.feedListener()] + (parts.adminListener().map { [$0] } ?? [])
    let services = parts.services(listening, feedFailures: feedFailures)
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
    return RunningServer(parts, at: bound, services: services, running: running)
  }

  /// Creates a server that listens at the address of the feed and, if there is a second one, of the admin interface.
  private init(
    _ parts: ServerParts, at addresses: [ListeningService.Address], services: ServiceGroup,
    running: Task<Void, any Error>
  ) {
    drainNotice = parts.options.drainNotice
    drainTime = parts.options.drainTime
    loops = Array(parts.loops.values)
    host = addresses[0].host
    port = addresses[0].port
    admin = addresses.count > 1 ? "http://\(addresses[1].text)" : nil
    accounts = parts.accounts?.hub as? AccountHub
    hub = parts.hub
    metrics = parts.metrics
    self.services = services
    self.running = running
    url = "\(parts.isEncrypted ? "wss" : "ws")://\(addresses[0].text)\(AccessPolicy.socketPath)"
  }

  /// Shuts the server down gracefully and returns when all connections are closed. First `ServerOptions.drainNotice`
  /// and `drainTime` pass, unless the task is cancelled, or nobody would notice.
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
