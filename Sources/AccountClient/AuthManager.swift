package import OddsFeed

/// Logs in, renews and logs out: the only place that sees a token.
package final class AuthManager: Sendable {
  /// What to show the feed, nil where nobody is logged in. While a login is under way, waits for how it ends.
  package func token() async -> Secret? { nil }
}
