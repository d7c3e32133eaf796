import FoundationCore

/// The answer to a login or to a renewal of the token.
package struct LoginAnswer: Hashable, Sendable {
  package var token: Secret
  package var userID: String
  package var sessionID: String?
  /// The time at which the token expires, in milliseconds since 1970. Nil if the feed does not send it.
  package var expiresAt: Int64?

  package init(token: Secret, userID: String, sessionID: String? = nil, expiresAt: Int64? = nil) {
    self.token = token
    self.userID = userID
    self.sessionID = sessionID
    self.expiresAt = expiresAt
  }
}

extension LoginAnswer: Decodable {
  package init(json: [UInt8]) throws(AccountError) { self = try Self.read(json) { "login" } }

  private enum Key: String, CodingKey {
    case token, userId, sessionId, expiresAt
  }

  package init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    // A token that is not allowed in an HTTP header is invalid.
    guard let token = try? Secret(token: fields.decode(String.self, forKey: .token), from: "") else {
      throw fields.fault(.token)
    }
    self.init(
      token: token, userID: try fields.decode(WireID.self, forKey: .userId).text,
      sessionID: try fields.decodeIfPresent(WireID.self, forKey: .sessionId)?.text, expiresAt: fields.time(.expiresAt))
  }
}

extension Wallet: Decodable {
  package init(json: [UInt8]) throws(AccountError) { self = try Self.read(json) { "wallet" } }

  private enum Key: String, CodingKey {
    case currency
    case real = "Real"
    case bonus = "Bonus"
  }

  package init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    self.init(
      currency: try fields.currency(.currency), real: try fields.decode(WireNumber.self, forKey: .real).value,
      bonus: try fields.decode(WireNumber.self, forKey: .bonus).value)
  }
}
