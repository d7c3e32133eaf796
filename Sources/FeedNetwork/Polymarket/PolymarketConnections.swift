import NIOCore
import NIOPosix
public import OddsModel
package import Platform
package import Polymarket

/// The network connections to a Polymarket server: its two WebSockets and Gamma. All run on one thread.
public final class PolymarketConnections: Sendable {
  private let market: WebSocketConnector
  private let sports: WebSocketConnector
  private let gamma: DocumentClient
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  /// Starts the thread. Sends nothing yet.
  ///
  /// - Parameters:
  ///   - address: The addresses of the server.
  ///   - agent: The User-Agent of all requests.
  ///   - caFile: The path of a PEM file with additional root certificates.
  ///   - proxies: The rules that select the proxy.
  /// - Throws: A `FeedError` if the file or the proxy settings are invalid.
  public init(
    _ address: PolymarketAddress, agent: String, caFile: String? = nil, proxies: ProxyRules = ProxyRules()
  ) throws(FeedError) {
    // An answer of Gamma has 100 events with all their markets.
    var limits = NetworkLimits()
    limits.bodyBytes = 64 << 20
    limits.request = .seconds(20)
    func dialer(
      _ address: FeedAddress, _ group: MultiThreadedEventLoopGroup
    ) throws(FeedError) -> FeedDialer {
      try FeedDialer(
        FeedEndpoint(address: address, caFile: caFile, proxies: proxies), agent: agent, limits: limits, group: group)
    }
    market = WebSocketConnector(try dialer(address.market, group), subprotocol: nil)
    sports = WebSocketConnector(try dialer(address.sports, group), subprotocol: nil)
    gamma = DocumentClient(try dialer(address.gamma, group))
  }

  /// Creates the session with the server.
  package func session(clock: ClientClock = .live) -> PolymarketSession {
    PolymarketSession(market: market, sports: sports, gamma: GammaClient(gamma), clock: clock)
  }

  /// Closes all open connections and ends the thread. Do not use the connections afterwards.
  public func shutDown() async {
    // NB: Fails only if the group is already shut down.
    try? await group.shutdownGracefully()
  }
}
