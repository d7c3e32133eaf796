package import OddsFeed

/// How the account side of a feed is reached: over HTTP, or in this process. What is asked and answered is the same.
package protocol AccountTransport: Sendable {
  /// Asks once. An answer of any status is one; a fault is that there was none.
  func ask(_ request: AccountRequest) async throws(ConnectionError) -> AccountAnswer
  /// Opens the account stream: returns once status 200 and `text/event-stream` are in. 401 and 403 are `.denied`. Whoever
  /// cancels the task gives the attempt up.
  func open(_ request: AccountRequest) async throws(ConnectionError) -> any EventStreamConnection
}

/// An account stream that is open. One reader pulls; what it has not pulled is bounded.
package protocol EventStreamConnection: Sendable {
  /// Bytes that have come since the last call, cut anywhere; waits where none have. Nil when the stream has ended, and
  /// where the task is cancelled. Throws where it broke off.
  func read() async throws(ConnectionError) -> [UInt8]?
  /// Ends it; the reader gets nil. Harmless when called twice.
  func close()
}

/// A request to the account side.
package struct AccountRequest: Hashable, Sendable {
  package enum Method: String, Sendable { case get = "GET", post = "POST" }

  package var method: Method
  /// With its leading slash: "/api/login".
  package var path: String
  /// Shown as a bearer token.
  package var token: Secret?
  /// Of the stream: the id of the last event that came.
  package var lastEventID: String?
  /// JSON; empty where there is none. Shows itself in no log.
  package var body: Secret?

  package init(
    _ method: Method, _ path: String, token: Secret? = nil, lastEventID: String? = nil, body: Secret? = nil
  ) {
    (self.method, self.path, self.token) = (method, path, token)
    (self.lastEventID, self.body) = (lastEventID, body)
  }
}

/// What the account side answers.
package struct AccountAnswer: Hashable, Sendable {
  package var status: Int
  package var body: [UInt8]
  /// Seconds, as `Retry-After` says.
  package var retryAfter: Int?

  package init(status: Int, body: [UInt8] = [], retryAfter: Int? = nil) {
    (self.status, self.body, self.retryAfter) = (status, body, retryAfter)
  }
}

/// Where the account side is asked for what (AccountStream.md, §8).
package enum AccountPath {
  /// POST `{"user","password"}` → `{"token","userId","sessionId","expiresAt"}`, the last in milliseconds since 1970.
  /// 401 for a wrong name or password, 429 with Retry-After for too many of them.
  package static let login = "/api/login"
  /// POST with the token → the answer of a login, for the same session.
  package static let renew = "/api/renew"
  /// POST with the token → 204.
  package static let logout = "/api/logout"

  /// GET with the token → `{"userId","currency","Real","Bonus"}`. The id as it stands in a path: percent-encoded.
  package static func wallet(of userID: String) -> String { "/v2/player/\(userID)/wallet" }

  /// GET with the token → Server-Sent Events, each `data` a `{"type","body"}`.
  package static func updates(of userID: String) -> String { "/v2/player/\(userID)/information/updates" }
}
