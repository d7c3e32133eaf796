/// The code of a failed request on the stream.
package enum StreamErrorCode: String, Hashable, Sendable, CaseIterable {
  case noAppKey = "NO_APP_KEY"
  case invalidAppKey = "INVALID_APP_KEY"
  case noSession = "NO_SESSION"
  case invalidSession = "INVALID_SESSION_INFORMATION"
  case notAuthorized = "NOT_AUTHORIZED"
  case invalidInput = "INVALID_INPUT"
  case invalidClock = "INVALID_CLOCK"
  case unexpectedError = "UNEXPECTED_ERROR"
  case timeout = "TIMEOUT"
  case subscriptionLimit = "SUBSCRIPTION_LIMIT_EXCEEDED"
  case invalidRequest = "INVALID_REQUEST"
  case connectionFailed = "CONNECTION_FAILED"
  case connectionLimit = "MAX_CONNECTION_LIMIT_EXCEEDED"
  case tooManyRequests = "TOO_MANY_REQUESTS"

  /// The way to go on after the error.
  package enum Reaction: Hashable, Sendable {
    /// Connect again after a pause.
    case retry
    /// Log in again and connect with the new session.
    case logIn
    /// Connect again and subscribe without a position in the stream.
    case startOver
    /// The request fails again unless the user changes something.
    case giveUp
  }

  package var reaction: Reaction {
    switch self {
    case .noSession, .invalidSession: .logIn
    case .invalidClock: .startOver
    case .unexpectedError, .timeout, .connectionFailed, .connectionLimit, .tooManyRequests: .retry
    case .noAppKey, .invalidAppKey, .notAuthorized, .invalidInput, .invalidRequest, .subscriptionLimit: .giveUp
    }
  }
}
