import Localization
import OddsFeed
import Platform

/// What is shown to a feed for oneself: asked for before each connection, as it may be another than for the last one.
final class TokenSource: Sendable {
  private let endpoint: FeedEndpoint
  private let source: Locked<(@Sendable () async -> Secret?)?>

  init(_ endpoint: FeedEndpoint, _ source: (@Sendable () async -> Secret?)? = nil) {
    self.endpoint = endpoint
    self.source = Locked(source)
  }

  /// Whether somebody may log in.
  var canLogIn: Bool { source.withLock { $0 != nil } }

  func set(_ source: @escaping @Sendable () async -> Secret?) { self.source.withLock { $0 = source } }

  /// The source's token, else the endpoint's own; nil where there is none. One that others could read on its way is refused.
  func token() async throws(FeedError) -> Secret? {
    guard let token = await source.withLock({ $0 })?() else { return endpoint.token }
    try endpoint.address.checkSecrecy()
    return token
  }
}

extension FeedAddress {
  /// Throws where what is sent there could be read on its way.
  func checkSecrecy() throws(FeedError) {
    if !isSecure, !isLoopback { throw FeedError(.accountUnencrypted, host, remedy: .remedyUseWSS) }
  }
}
