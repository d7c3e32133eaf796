import AccountModel
import NIOCore
public import OddsFeed
package import OddsModel

/// Opens WebSocket connections to a feed.
public final class WebSocketConnector: FrameConnector {
  private let dialer: FeedDialer
  private let tokens: TokenSource

  init(_ dialer: FeedDialer, tokens: TokenSource? = nil) {
    (self.dialer, self.tokens) = (dialer, tokens ?? TokenSource(dialer.endpoint))
  }

  package func connect() async throws(ConnectionError) -> any FrameConnection {
    let token: Secret?
    do { token = try await tokens.token() } catch { throw ConnectionError(.untrusted, error) }
    let words = ErrorMessages(address: dialer.endpoint.address, canLogIn: tokens.canLogIn)
    return try await dialer.dial(within: dialer.limits.connect) { [dialer] in
      WebSocketHandshake(dialer: dialer).begin(on: $0, token: token, $1, words: words)
    }
  }
}
