import AccountModel
import NIOCore
public import OddsFeed
package import OddsModel

/// Opens WebSocket connections to a feed.
public final class WebSocketConnector: FrameConnector {
  private let dialer: FeedDialer
  private let handshake: WebSocketHandshake
  private let tokens: TokenSource
  private let limits: NetworkLimits

  init(
    _ endpoint: FeedEndpoint, agent: String, dialer: FeedDialer, tokens: TokenSource? = nil,
    limits: NetworkLimits = NetworkLimits()
  ) {
    self.tokens = tokens ?? TokenSource(endpoint)
    self.dialer = dialer
    self.limits = limits
    handshake = WebSocketHandshake(endpoint: endpoint, agent: agent, limits: limits)
  }

  package func connect() async throws(ConnectionError) -> any FrameConnection {
    let token: Secret?
    do { token = try await tokens.token() } catch { throw ConnectionError(.untrusted, error) }
    let words = ErrorMessages(address: dialer.endpoint.address, canLogIn: tokens.canLogIn)
    return try await dialer.dial(within: limits.connect) { [handshake] in
      handshake.begin(on: $0, token: token, $1, words: words)
    }
  }
}
