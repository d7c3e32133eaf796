/// The answer to a login.
package struct AccountLogin: Decodable, Equatable, Sendable {
  package let token: String
  package let userId: String
  package let sessionId: String
  /// The end of the session, in milliseconds since 1970.
  package let expiresAt: Int64

  /// The header of requests in the session.
  package var header: String { "Authorization: Bearer \(token)" }
}
