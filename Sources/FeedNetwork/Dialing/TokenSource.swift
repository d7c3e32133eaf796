import AccountModel
import Localization
import OddsModel
import Platform

/// The source of the token for a feed. It is queried before each connection, because the token can change.
final class TokenSource: Sendable {
  private let endpoint: FeedEndpoint
  private let source: Locked<(@Sendable () async -> Secret?)?>

  init(_ endpoint: FeedEndpoint, _ source: (@Sendable () async -> Secret?)? = nil) {
    self.endpoint = endpoint
    self.source = Locked(source)
  }

  /// True if the user can log in.
  var canLogIn: Bool { source.withLock { $0 != nil } }

  func set(_ source: @escaping @Sendable () async -> Secret?) { self.source.withLock { $0 = source } }

  /// Returns the source's token, or else the endpoint's own; nil if there is none.
  ///
  /// - Throws: A `FeedError` if the source's token would cross a network unencrypted.
  func token() async throws(FeedError) -> Secret? {
    guard let token = await source.withLock({ $0 })?() else { return endpoint.token }
    try endpoint.address.checkSecrecy()
    return token
  }
}

extension FeedAddress {
  /// Throws if data sent to this address would cross a network unencrypted.
  func checkSecrecy() throws(FeedError) {
    if !isSecure, !isLoopback { throw FeedError(.accountUnencrypted, host, remedy: .remedyUseWSS) }
  }
}
