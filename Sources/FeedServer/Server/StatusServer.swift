import Hummingbird
import HummingbirdCore
package import Logging
import NIOPosix
import ServiceLifecycle

/// The HTTP server of a process that has no clients: its health and its metrics. It ends when it is stopped, or at the
/// first failure.
package final class StatusServer: Sendable {
  /// The readiness of the process and the line that describes it.
  package struct Status: Sendable {
    package let isReady: Bool
    package let text: String

    package init(isReady: Bool, _ text: String) {
      self.isReady = isReady
      self.text = text
    }
  }

  package let url: String
  private let services: ServiceGroup
  private let running: Task<Void, any Error>

  /// Starts a server and returns once clients can connect.
  ///
  /// - Parameters:
  ///   - failures: Failures of the process. The first one shuts the server down, and `ended()` throws it.
  /// - Throws: `ServerError` if the server cannot listen.
  package static func start(
    host: String, port: Int, status: @escaping @Sendable () -> Status, registry: PrometheusRegistry,
    failures: AsyncStream<ServerError>, logger: Logger
  ) async throws -> StatusServer {
    let router = Router(context: FeedContext.self, options: .autoGenerateHeadEndpoints)
    router.get("/healthz") { _, _ in Response.text("ok\n") }
    router.get("/readyz") { _, _ in
      let status = status()
      return Response.text(status.text + "\n", status: status.isReady ? .ok : .serviceUnavailable)
    }
    router.get("/metrics") { _, _ in Response.metrics(of: registry) }
    router.refuseOtherMethods()
    let limits = ServerLimits()
    let connections = ConnectionTable(limit: limits.adminConnections, limitPerNetwork: .max)
    let settings = HTTPAdmissionHandler.Settings(limits: limits, metrics: ServerMetrics(), connections: connections)
    let listening = ListeningService(
      router, host: host, port: port, server: HTTPServerBuilder { FeedChannel(responder: $0, settings: settings) },
      maxConnections: connections.limit + ConnectionTable.spare, group: MultiThreadedEventLoopGroup.singleton,
      logger: logger)
    var configuration = ServiceGroupConfiguration(services: [listening], logger: logger)
    configuration.maximumGracefulShutdownDuration = .seconds(4)
    configuration.services.append(
      .init(service: FeedWatch(failures: failures), failureTerminationBehavior: .gracefullyShutdownGroup))
    let services = ServiceGroup(configuration: configuration)
    let running = Task {
      defer { listening.giveUp() }
      try await services.run()
    }
    guard let address = await listening.address else {
      try await running.value
      throw CancellationError()
    }
    return StatusServer(url: "http://\(address.text)", services: services, running: running)
  }

  private init(url: String, services: ServiceGroup, running: Task<Void, any Error>) {
    self.url = url
    self.services = services
    self.running = running
  }

  /// Shuts the server down gracefully and returns when all connections are closed.
  package func stop() async {
    await services.triggerGracefulShutdown()
    _ = try? await running.value
  }

  /// Returns when the server has ended. Throws the error that ended it.
  package func ended() async throws { try await running.value }
}
