import NIOCore
import NIOPosix
public import OddsFeed

/// The ways to one feed over the network: its WebSocket and its REST interface, on one thread.
public final class NetworkedFeed: Sendable {
  /// Opens connections to the feed's WebSocket.
  public let connector: WebSocketConnector
  /// Asks the feed's REST interface.
  public let api: RestClient
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  /// Starts the thread; nothing is sent yet. `agent` is what the feed is told of the program that asks.
  public init(_ endpoint: FeedEndpoint, agent: String) throws(FeedProblem) {
    let dialer = try FeedDialer(endpoint, group: group)
    connector = WebSocketConnector(endpoint, agent: agent, dialer: dialer)
    api = RestClient(endpoint, agent: agent, dialer: dialer)
  }

  /// Ends what is still open, and the thread. Nothing may be asked of the feed afterwards.
  public func shutDown() async {
    // NB: it fails only where it was done before.
    try? await group.shutdownGracefully()
  }
}
