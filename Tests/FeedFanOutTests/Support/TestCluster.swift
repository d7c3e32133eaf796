import FeedFanOut
import FeedNetwork
import FeedServer
import FeedSimulator
import Logging
import NIOCore
import Platform
import TestSupport

@testable import toteboard_server

let noOpLogger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

/// The nodes of a cluster, all in the process of the test.
final class TestCluster {
  struct Book {
    let link: NATSLink
    let node: BookNode
    let registry: PrometheusRegistry
    /// The epochs in which the node was the book, and nil after each.
    let terms: EventRecorder<UInt64?>
    /// The upstream feed of a relay.
    var upstream: (relay: FeedRelay, connections: FeedConnections)?

    /// Closes the connection to NATS, as a crash would.
    func kill() { link.close() }
  }

  struct Gateway {
    let server: RunningServer
    let link: NATSLink
    /// Nil without users.
    let accounts: ClusterAccounts?
    var port: Int { server.port }

    /// Returns the value of a metric.
    func metric(_ name: String) async throws -> Int? {
      let samples = try PrometheusSample.parse(await HTTPResponse(port, "/metrics").text)
      return samples.first { $0.name == "toteboard_\(name)" }.map { Int($0.value) }
    }

    /// Returns once the gateway is ready, or not ready.
    func wait(untilReady isReady: Bool) async throws {
      while !Task.isCancelled, try await HTTPResponse(port, "/readyz").status != (isReady ? 200 : 503) {
        await Task.yield()
      }
    }
  }

  let nats: NATSServer
  let subjects: Subjects
  private var books: [Book] = []
  private var gateways: [Gateway] = []

  init() throws {
    nats = try NATSServer()
    subjects = try Subjects(name: "test")
  }

  func link(_ name: String, _ registry: PrometheusRegistry = PrometheusRegistry()) throws -> NATSLink {
    try NATSLink(NATSOptions(servers: [nats.url], name: name), registry: registry, logger: noOpLogger)
  }

  func book(_ feed: ClusterFeed, accounts: AccountBook.Options = AccountBook.Options()) throws -> Book {
    try book(playing: ClusterFeed.Feed(feed: feed), accounts: accounts)
  }

  /// Starts a book that plays a feed.
  func book(playing feed: any PlayedFeed, accounts: AccountBook.Options = AccountBook.Options()) throws -> Book {
    let registry = PrometheusRegistry()
    let link = try link("book", registry)
    let terms = EventRecorder<UInt64?>()
    let node = BookNode(link, subjects, playing: feed, accounts: accounts, registry: registry, logger: noOpLogger) {
      terms.add($0)
    }
    node.start()
    books.append(Book(link: link, node: node, registry: registry, terms: terms))
    return books.last!
  }

  /// Starts a book that relays the feed of a server.
  func book(relaying url: String, limits: RelayLimits = RelayLimits()) throws -> Book {
    let registry = PrometheusRegistry()
    let link = try link("book", registry)
    let terms = EventRecorder<UInt64?>()
    let list = try FeedAddressList(url)
    let connections = try FeedConnections(FeedEndpoint.endpoints(of: list), agent: "test")
    let relay = FeedRelay(connections.session(realms: ["test"]), limits: limits, registry: registry)
    let node = BookNode(link, subjects, relaying: relay, registry: registry, logger: noOpLogger) { terms.add($0) }
    node.start()
    books.append(Book(link: link, node: node, registry: registry, terms: terms, upstream: (relay, connections)))
    return books.last!
  }

  /// The options of a server on any port.
  static var options: ServerOptions {
    var options = ServerOptions()
    options.port = 0
    // No client is disconnected, however slow the machine is, and each client receives every message.
    let long = TimeAmount.minutes(5)
    options.limits.pingInterval = long
    options.limits.silence = long
    options.limits.helloTime = long
    options.limits.conflatedFrom = 10_000
    options.limits.keptMessages = 10_000
    options.limits.keptBytes = 1 << 26
    return options
  }

  /// Starts a gateway.
  ///
  /// - Parameters:
  ///   - users: The users, or nil for a gateway without accounts.
  ///   - change: Changes the options of the gateway.
  func gateway(
    _ users: AccountOptions? = nil, accounts settings: ClusterAccounts.Options = ClusterAccounts.Options(),
    _ change: (inout ServerOptions) -> Void = { _ in }
  ) async throws -> Gateway {
    let registry = PrometheusRegistry()
    let link = try link("gateway", registry)
    var options = Self.options
    change(&options)
    options.accounts = users
    var accounts: ClusterAccounts?
    if users != nil {
      accounts = ClusterAccounts(link.connection, subjects, options: settings, logger: noOpLogger)
      options.accounts!.cluster = accounts
      accounts!.start()
    }
    let server = try await RunningServer.start(
      options, source: GatewaySource(link, subjects, registry: registry, logger: noOpLogger),
      metrics: ServerMetrics(registry), feedFailures: link.failures, logger: noOpLogger)
    gateways.append(Gateway(server: server, link: link, accounts: accounts))
    return gateways.last!
  }

  func stop() async {
    for book in books {
      book.node.stop()
      // In this order, because a relay that has not stopped connects again.
      await book.upstream?.relay.stop()
      await book.upstream?.connections.shutDown()
    }
    for gateway in gateways {
      await gateway.server.stop()
      gateway.accounts?.stop()
      gateway.link.close()
    }
  }

  static func with(_ body: (TestCluster) async throws -> Void) async throws {
    let cluster = try TestCluster()
    do { try await body(cluster) } catch {
      await cluster.stop()
      throw error
    }
    await cluster.stop()
  }
}
