package import OddsModel

/// A way to reach the account side of a feed: over HTTP, or in this process. Requests and answers are the same.
package protocol AccountTransport: Sendable {
  /// Sends a request and returns its answer, of any status.
  ///
  /// - Throws: `ConnectionError` if there is no answer.
  func ask(_ request: AccountRequest) async throws(ConnectionError) -> AccountAnswer
  /// Opens the account stream. Returns after status 200 and `text/event-stream` have arrived. Cancelling the task
  /// abandons the attempt.
  ///
  /// - Throws: `ConnectionError`, of kind `.unauthorized` for 401 and 403.
  func open(_ request: AccountRequest) async throws(ConnectionError) -> any EventStreamConnection
}

/// An open account stream. A single reader consumes it; unread data is bounded.
package protocol EventStreamConnection: Sendable {
  /// Returns the bytes received since the last call, split at any position; waits if there are none. Nil after the end
  /// of the stream, and if the task is cancelled.
  ///
  /// - Throws: `ConnectionError` if the connection broke.
  func read() async throws(ConnectionError) -> [UInt8]?
  /// Ends the stream; the reader receives nil. Further calls have no effect.
  func close()
}

/// A request to the account side of a feed.
package struct AccountRequest: Hashable, Sendable {
  package enum Method: String, Sendable { case get = "GET", post = "POST" }

  package var method: Method
  /// The path with its leading slash: "/api/login".
  package var path: String
  package var token: Secret?
  /// The id of the last received event, for a request that opens the stream.
  package var lastEventID: String?
  /// The JSON body. Nil if there is none. Not shown in logs.
  package var body: Secret?

  package init(
    _ method: Method, _ path: String, token: Secret? = nil, lastEventID: String? = nil, body: Secret? = nil
  ) {
    self.method = method
    self.path = path
    self.token = token
    self.lastEventID = lastEventID
    self.body = body
  }
}

/// The answer to an `AccountRequest`, of any HTTP status.
package struct AccountAnswer: Hashable, Sendable {
  package var status: Int
  package var body: [UInt8]
  /// The value of `Retry-After`, in seconds. Nil if missing or invalid.
  package var retryAfter: Int?

  package init(status: Int, body: [UInt8] = [], retryAfter: Int? = nil) {
    self.status = status
    self.body = body
    self.retryAfter = retryAfter
  }
}

/// The paths of the account side (AccountStream.md, REST.md).
package enum AccountPath {
  /// POST `{"user","password"}` → `{"token","userId","sessionId","expiresAt"}`; `expiresAt` is in milliseconds since
  /// 1970. 401 for a wrong name or password; 415 unless the body is declared as JSON; 429 with Retry-After after too
  /// many attempts.
  package static let login = "/api/login"
  /// POST with the token → the same answer as a login, for the same session.
  package static let renew = "/api/renew"
  /// POST with the token → 204.
  package static let logout = "/api/logout"

  /// GET with the token → `{"userId","currency","Real","Bonus"}`. The id must be percent-encoded.
  package static func wallet(of userID: String) -> String { "/v2/player/\(userID)/wallet" }

  /// GET with the token → Server-Sent Events, each with `data` of the form `{"type","body"}`. The id must be
  /// percent-encoded.
  package static func updates(of userID: String) -> String { "/v2/player/\(userID)/information/updates" }
}
