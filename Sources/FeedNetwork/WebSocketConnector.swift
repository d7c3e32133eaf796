import NIOCore
public import OddsFeed

/// Opens WebSockets to a feed.
public final class WebSocketConnector: FrameConnector {
  private let dialer: FeedDialer
  private let handshake: WebSocketHandshake
  private let limits: NetworkLimits

  init(_ endpoint: FeedEndpoint, agent: String, dialer: FeedDialer, limits: NetworkLimits = NetworkLimits()) {
    self.dialer = dialer
    self.limits = limits
    handshake = WebSocketHandshake(endpoint: endpoint, agent: agent, limits: limits)
  }

  package func connect() async throws(LineFault) -> any FrameConnection {
    try await dialer.dial(within: limits.connect) { [handshake] in handshake.begin(on: $0, $1) }
  }
}
