import NIOCore
import NIOPosix
public import OddsFeed

/// The ways to one feed over the network: its WebSocket and its REST interface, on one thread.
public final class NetworkedFeed: Sendable {
  /// Opens connections to the feed's WebSocket.
  public let connector: WebSocketConnector
  /// Asks the feed's REST interface.
  public let api: RestClient
  private let group: MultiThreadedEventLoopGroup

  /// Starts the thread; nothing is sent yet. `agent` is what the feed is told of the program that asks.
  public init(_ endpoint: FeedEndpoint, agent: String) throws(FeedProblem) {
    let proxy = try endpoint.proxies.proxy(for: endpoint.address)
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    connector = WebSocketConnector(endpoint, agent: agent, proxy: proxy, group: group)
    api = RestClient(endpoint, agent: agent, proxy: proxy, group: group)
  }

  /// Ends what is still open, and the thread. Nothing may be asked of the feed afterwards.
  public func shutDown() async {
    await api.shutDown()
    // NB: it fails only where it was done before.
    try? await group.shutdownGracefully()
  }
}
