public import AccountModel
import NIOCore
import NIOPosix
public import OddsModel

/// The network connections to one feed: its WebSocket, its REST interface and its account service. All run on one
/// thread.
public final class FeedConnections: Sendable {
  /// The connector of the feed's WebSocket.
  public let connector: WebSocketConnector
  /// The client of the feed's REST interface.
  public let api: RestClient
  /// The transport of the feed's account service.
  package let account: any AccountTransport
  private let tokens: TokenSource
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  /// Starts the thread. Sends nothing yet.
  ///
  /// - Parameters:
  ///   - endpoint: The feed to connect to.
  ///   - agent: The User-Agent of all requests.
  ///   - tokens: Returns the token for each connection to the WebSocket and the REST interface; if it returns nil, the
  ///     endpoint's own token is sent.
  /// - Throws: A `FeedError` if the proxy settings are invalid.
  public convenience init(
    _ endpoint: FeedEndpoint, agent: String, tokens: (@Sendable () async -> Secret?)? = nil
  ) throws(FeedError) {
    try self.init(endpoint, agent: agent, limits: NetworkLimits(), tokens: tokens)
  }

  init(
    _ endpoint: FeedEndpoint, agent: String, limits: NetworkLimits, tokens: (@Sendable () async -> Secret?)? = nil
  ) throws(FeedError) {
    let dialer = try FeedDialer(endpoint, agent: agent, limits: limits, group: group)
    self.tokens = TokenSource(endpoint, tokens)
    connector = WebSocketConnector(dialer, tokens: self.tokens)
    api = RestClient(dialer, tokens: self.tokens)
    account = HTTPAccountTransport(dialer)
  }

  /// Sets the source of tokens for later connections. Separate from the initializer because the account client, which
  /// is the source, needs these connections first.
  package func setTokenSource(_ source: @escaping @Sendable () async -> Secret?) { tokens.set(source) }

  /// Closes all open connections and ends the thread. Do not use the connections afterwards.
  public func shutDown() async {
    // NB: Fails only if the group is already shut down.
    try? await group.shutdownGracefully()
  }
}
