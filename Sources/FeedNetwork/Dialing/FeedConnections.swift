package import AccountModel
import NIOCore
import NIOPosix
public import OddsFeed

/// The ways to one feed over the network: its WebSocket and its REST interface, on one thread.
public final class FeedConnections: Sendable {
  /// Opens connections to the feed's WebSocket.
  public let connector: WebSocketConnector
  /// Asks the feed's REST interface.
  public let api: RestClient
  /// The account side.
  package let account: any AccountTransport
  private let tokens: TokenSource
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  /// Starts the thread; nothing is sent yet. `agent` is what the feed is told of the program that asks. `tokens` is asked for
  /// a token before each connection of WebSocket and REST interface; where it has none, the endpoint's own is shown.
  public init(
    _ endpoint: FeedEndpoint, agent: String, tokens: (@Sendable () async -> Secret?)? = nil
  ) throws(FeedError) {
    let dialer = try FeedDialer(endpoint, group: group)
    let source = TokenSource(endpoint, tokens)
    self.tokens = source
    connector = WebSocketConnector(endpoint, agent: agent, dialer: dialer, tokens: source)
    api = RestClient(endpoint, agent: agent, dialer: dialer, tokens: source)
    account = HTTPAccountTransport(endpoint, agent: agent, dialer: dialer)
  }

  /// Has that asked for a token from now on: what logs in at the account side is made after the ways to it.
  package func takeTokens(from source: @escaping @Sendable () async -> Secret?) { tokens.set(source) }

  /// Ends what is still open, and the thread. Nothing may be asked of the feed afterwards.
  public func shutDown() async {
    // NB: it fails only where it was done before.
    try? await group.shutdownGracefully()
  }
}
