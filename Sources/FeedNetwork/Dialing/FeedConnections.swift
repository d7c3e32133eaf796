public import AccountModel
package import EveryMatrix
import NIOCore
import NIOPosix
package import OddsFeed
public import OddsModel
package import Platform

/// The network connections to one feed: its WebSocket, its REST interface and its account service. All run on one
/// thread.
///
/// A feed can have several addresses. They are one service: the same token is sent to whichever is in use. REST
/// requests and the account service use the address of the WebSocket.
public final class FeedConnections: Sendable {
  /// The connectors of the feed's WebSocket, one for each address.
  public let connectors: [WebSocketConnector]
  /// The client of the feed's REST interface, at the address in use.
  package var api: any FeedAPI { gateway }
  /// The transport of the feed's account service, at the address in use.
  package var account: any AccountTransport { gateway }
  private let gateway: CurrentGateway
  private let tokens: [TokenSource]
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  /// The connector of the feed's only address, or of the first.
  public var connector: WebSocketConnector { connectors[0] }

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
    try self.init([endpoint], agent: agent, limits: NetworkLimits(), tokens: tokens)
  }

  /// Starts the thread for a feed with one or more addresses, as the other initializer does.
  public convenience init(
    _ endpoints: [FeedEndpoint], agent: String, tokens: (@Sendable () async -> Secret?)? = nil
  ) throws(FeedError) {
    try self.init(endpoints, agent: agent, limits: NetworkLimits(), tokens: tokens)
  }

  init(
    _ endpoints: [FeedEndpoint], agent: String, limits: NetworkLimits,
    tokens: (@Sendable () async -> Secret?)? = nil
  ) throws(FeedError) {
    precondition(!endpoints.isEmpty, "a feed has at least one address")
    var dialers: [FeedDialer] = []
    for endpoint in endpoints {
      dialers.append(try FeedDialer(endpoint, agent: agent, limits: limits, group: group))
    }
    let sources = endpoints.map { TokenSource($0, tokens) }
    self.tokens = sources
    connectors = zip(dialers, sources).map { WebSocketConnector($0, tokens: $1) }
    gateway = CurrentGateway(
      apis: zip(dialers, sources).map { RestClient($0, tokens: $1) }, accounts: dialers.map(HTTPAccountTransport.init))
  }

  /// Sets the source of tokens for later connections. Separate from the initializer because the account client, which
  /// is the source, needs these connections first.
  package func setTokenSource(_ source: @escaping @Sendable () async -> Secret?) {
    for token in tokens { token.set(source) }
  }

  /// Creates the session with the feed, with a realm for each address. From then on, REST and the account service use
  /// the session's current address; before, the first.
  package func session(realms: [String], clock: ClientClock = .live) -> FeedSession {
    let addresses = zip(connectors, realms).map { connector, realm in
      FeedSession.Address(connector: connector, realm: realm, name: "\(connector.address)")
    }
    let session = FeedSession(addresses: addresses, clock: clock)
    gateway.follow(session)
    return session
  }

  /// Closes all open connections and ends the thread. Do not use the connections afterwards.
  public func shutDown() async {
    // NB: Fails only if the group is already shut down.
    try? await group.shutdownGracefully()
  }
}

/// The REST interface and the account service of a feed, at the address in use when a request begins.
private final class CurrentGateway: FeedAPI, AccountTransport {
  private let apis: [RestClient]
  private let accounts: [HTTPAccountTransport]
  private let session = Locked<WeakReference<FeedSession>?>(nil)

  init(apis: [RestClient], accounts: [HTTPAccountTransport]) {
    self.apis = apis
    self.accounts = accounts
  }

  func follow(_ session: FeedSession) { self.session.withLock { $0 = WeakReference(session) } }

  private var current: Int { session.withLock { $0 }?.value?.currentAddress ?? 0 }

  func snapshot(of topic: Topic) async throws(FeedError) -> APISnapshot? { try await apis[current].snapshot(of: topic) }

  func ask(_ request: AccountRequest) async throws(ConnectionError) -> AccountAnswer {
    try await accounts[current].ask(request)
  }

  func open(_ request: AccountRequest) async throws(ConnectionError) -> any EventStreamConnection {
    try await accounts[current].open(request)
  }
}
