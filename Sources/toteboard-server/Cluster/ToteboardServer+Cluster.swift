import CLibrary
import FeedFanOut
import FeedServer
import Logging

/// The roles of a cluster.
extension ToteboardServer {
  /// Serves clients from the book of a cluster until a signal arrives.
  func runGateway(_ log: Logger, _ registry: PrometheusRegistry) async throws {
    var options = try listening.serverOptions()
    try accounts.apply(to: &options)
    let link = try NATSLink(cluster.natsOptions(), registry: registry, logger: log)
    let source = GatewaySource(link, try cluster.subjects(), registry: registry, logger: log)
    var clusterAccounts: ClusterAccounts?
    if let accounts = options.accounts {
      var settings = ClusterAccounts.Options()
      settings.sessionTime = accounts.sessionTime
      settings.limits = options.limits.accounts
      clusterAccounts = ClusterAccounts(link.connection, try cluster.subjects(), options: settings, logger: log)
      options.accounts!.cluster = clusterAccounts
      clusterAccounts!.start()
    }
    let signals = ShutdownSignals.start()
    let server = try await RunningServer.start(
      options, source: source, metrics: ServerMetrics(registry), feedFailures: link.failures, logger: log)
    defer {
      // The book closes the topics that nobody else has.
      source.stop()
      clusterAccounts?.stop()
      link.close()
    }
    try await serve(server, until: signals)
  }

  /// Takes part in the election of the book, and publishes the feed while elected, until a signal arrives.
  func runBook(_ log: Logger, _ registry: PrometheusRegistry) async throws {
    let (host, port) = try listening.address()
    let link = try NATSLink(cluster.natsOptions(), registry: registry, logger: log)
    let upstream = try upstream.upstream(log, registry)
    let (node, failures) = try bookNode(link, upstream, registry, log)
    let signals = ShutdownSignals.start()
    let server = try await StatusServer.start(
      host: host, port: port, status: { node.status }, registry: registry, failures: link.failures, logger: log)
    print("status on \(server.url)\nstandby")
    fflush(nil)
    node.start()
    let watch = Task { for await failure in failures { link.fail(failure) } }
    let shutdown = Task {
      for await _ in signals {
        node.stop()
        await server.stop()
      }
    }
    defer { for task in [watch, shutdown] { task.cancel() } }
    do { try await server.ended() } catch {
      node.stop()
      throw error
    }
    await upstream?.stop()
  }

  /// Returns the node with its feed, and a stream of the errors that end it.
  private func bookNode(
    _ link: NATSLink, _ upstream: UpstreamOptions.Upstream?, _ registry: PrometheusRegistry, _ log: Logger
  ) throws -> (BookNode, AsyncStream<ServerError>) {
    let onChange: @Sendable (UInt64?) -> Void = { epoch in
      print(epoch.map { "book, epoch \($0)" } ?? "standby")
      fflush(nil)
    }
    let subjects = try cluster.subjects()
    if let upstream {
      let node = BookNode(
        link, subjects, relaying: upstream.relay, registry: registry, logger: log, onChange: onChange)
      return (node, upstream.failures)
    }
    let (feed, failures) = try played.feed()
    let node = BookNode(link, subjects, playing: feed, registry: registry, logger: log, onChange: onChange)
    return (node, failures)
  }
}
