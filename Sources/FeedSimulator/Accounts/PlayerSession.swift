package import AccountModel
import FoundationCore
import JSONText

/// The login session of a player.
package struct PlayerSession: Hashable, Codable, Sendable {
  package let id: String
  package let playerID: String
  /// The name with which the player logs in.
  package let user: String
  /// The time of the login, in milliseconds since 1970.
  package let loginTime: Int64
  /// The time at which the session expires unless it is renewed, in milliseconds since 1970.
  package internal(set) var expiresAt: Int64

  /// True if the texts are no longer than 64 bytes and the times can be calculated with. For a session from elsewhere.
  package var isValid: Bool {
    let times = 0...Int64(1) << 53
    return [id, playerID, user].allSatisfy { 1...64 ~= $0.utf8.count } && times ~= loginTime && times ~= expiresAt
  }
}

/// The credentials in the body of a login request.
package struct AccountCredentials: Sendable {
  package let user: String
  package let password: Secret

  /// Parses `{"user":…,"password":…}`. Returns nil if the JSON is invalid, or a value is empty or too long.
  package init?(json: [UInt8]) {
    guard let read = try? JSONDecoder().decode(Fields.self, from: Data(json)),
      1...Self.longestUser ~= read.user.utf8.count, 1...Self.longestPassword ~= read.password.utf8.count
    else { return nil }
    user = read.user
    password = Secret(read.password)
  }

  private struct Fields: Decodable {
    let user: String
    let password: String
  }

  /// The maximum length of a name, in bytes.
  private static let longestUser = 64
  /// The maximum length of a password, in bytes.
  private static let longestPassword = 1024
}

extension AccountAnswer {
  package static func login(_ session: PlayerSession, token: Secret) -> AccountAnswer {
    json { json in
      json.field("token", token.text)
      json.field("userId", session.playerID)
      json.field("sessionId", session.id)
      json.field("expiresAt", session.expiresAt)
    }
  }

  package static func wallet(_ wallet: Wallet, of playerID: String) -> AccountAnswer {
    json { json in
      json.field("userId", playerID)
      wallet.write(to: &json)
    }
  }

  package static let done = AccountAnswer(status: 204)

  package static func refusal(_ status: Int, _ error: String, remedy: String, retryAfter: Int? = nil) -> AccountAnswer {
    json(status: status, retryAfter: retryAfter) { json in
      json.field("error", error)
      json.field("remedy", remedy)
    }
  }

  package static let badCredentials = refusal(
    400, "the login is not understood", remedy: #"send JSON: {"user":…,"password":…}, neither empty"#)
  package static let wrongCredentials = refusal(
    401, "the user's name or password is wrong", remedy: "give others, or ask the server's owner for an account")
  package static let sessionOver = refusal(
    401, "the token is missing or wrong, or its session is over", remedy: "log in at '\(AccountPath.login)'")
  package static let notYours = refusal(
    403, "the account is somebody else's", remedy: "ask for the one of the login's userId")

  private static func json(
    status: Int = 200, retryAfter: Int? = nil, _ fields: (inout JSONWriter) -> Void
  ) -> AccountAnswer {
    var json = JSONWriter()
    json.object { fields(&$0) }
    return AccountAnswer(status: status, body: json.bytes, retryAfter: retryAfter)
  }
}
