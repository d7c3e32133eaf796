import Localization
package import OddsModel
import Platform

/// The reason why a login or a keep-alive failed.
package struct LoginError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The same user name and password fail again. A repetition could lock the account.
    case credentials
    /// The account cannot log in until its owner does something.
    case refused
    /// The login session has ended.
    case expired
    /// No logins are allowed for some time.
    case banned
    /// Another attempt may succeed.
    case temporary
  }

  package var kind: Kind
  package var problem: FeedError

  package init(_ kind: Kind, _ problem: FeedError) {
    self.kind = kind
    self.problem = problem
  }

  /// Creates the error for a code in an answer of the login service.
  init(code: String) {
    let shown = code.wireCode
    switch code {
    case "INVALID_USERNAME_OR_PASSWORD", "INPUT_VALIDATION_ERROR", "AUTHORIZED_ONLY_FOR_DOMAIN_RO":
      self.init(.credentials, FeedError(.betfairWrongPassword, shown, remedy: .remedyBetfairLoginAgain))
    case "CERT_AUTH_REQUIRED":
      self.init(.credentials, FeedError(.betfairCertificateRefused, shown, remedy: .remedyBetfairCertificate))
    case "NO_SESSION", "INVALID_SESSION_INFORMATION":
      self.init(.expired, FeedError(.betfairSessionRefused, shown, remedy: .remedyTriedAgain))
    case "TEMPORARY_BAN_TOO_MANY_REQUESTS":
      self.init(.banned, FeedError(.betfairLoginBanned, shown, remedy: .remedyTriedAgain))
    case "INTERNAL_ERROR", "LOGIN_RESTRICTED":
      self.init(.temporary, FeedError(.betfairUnavailable, shown, remedy: .remedyTriedAgain))
    case "INVALID_APP_KEY", "NO_APP_KEY":
      self.init(.refused, FeedError(.betfairKeyRefused, shown, remedy: .remedyBetfairKey))
    default: self.init(.refused, FeedError(.betfairLoginRefused, shown, remedy: .remedyBetfairSite))
    }
  }
}

/// The reason why a request for names failed.
package struct CatalogueError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The login session has ended.
    case expired
    /// The answer would be too large: ask for fewer markets.
    case tooMuch
    case temporary
  }

  package var kind: Kind
  package var problem: FeedError
}

extension MarketStreamSession.Failure {
  /// Returns the failure of the connection of a topic in words for the user.
  func error(of topic: Topic) -> FeedError {
    switch self {
    case .silence: .silent
    case .unreadable:
      FeedError(.sessionBreaksProtocol, MessageKey.betfairUnreadable, remedy: .remedyWaitOrAddress)
    case .refusedUnknown(let code): FeedError(.betfairUnavailable, code.wireCode, remedy: .remedyTriedAgain)
    case .refused(let code, let text):
      switch code {
      case .noAppKey, .invalidAppKey, .notAuthorized:
        FeedError(.betfairKeyRefused, code.rawValue, remedy: .remedyBetfairKey)
      case .noSession, .invalidSession: FeedError(.betfairSessionRefused, code.rawValue, remedy: .remedyTriedAgain)
      case .subscriptionLimit: .tooManyMarkets
      case .connectionLimit: .tooManyConnections
      case .invalidInput, .invalidRequest: .refused(topic, code, text)
      case .invalidClock, .unexpectedError, .timeout, .connectionFailed, .tooManyRequests:
        FeedError(.betfairUnavailable, code.rawValue, remedy: .remedyTriedAgain)
      }
    }
  }

  /// True if the failure concerns all subscriptions, and not this one alone.
  var concernsAll: Bool {
    switch self {
    case .refused(.noAppKey, _), .refused(.invalidAppKey, _), .refused(.notAuthorized, _): true
    case .refused, .refusedUnknown, .silence, .unreadable: false
    }
  }
}

extension FeedError {
  static let silent = FeedError(.sessionSilent, remedy: .remedyWaitOrNetwork)
  static let noGreeting = FeedError(.sessionUnanswered, remedy: .remedyWaitOrNetworkAndAddress)
  static let tooManyMarkets = FeedError(.betfairTooManyMarkets, remedy: .remedyBetfairFewerMarkets)
  static let tooManyConnections = FeedError(.betfairTooManyConnections, remedy: .remedyBetfairConnections)

  /// The list of the markets to subscribe to, instead of too many, cannot be requested.
  static func noMarketList(_ why: FeedError) -> FeedError {
    FeedError(
      LocalizedMessage(.betfairNoMarketList, why.localizedMessage),
      remedy: LocalizedMessage(.joinedClauses, MessageKey.remedyBetfairFewerMarkets, why.localizedRemedy))
  }

  /// The provider refuses the criteria of a topic, with a text that is empty if there is none.
  static func refused(_ topic: Topic, _ code: StreamErrorCode, _ text: String) -> FeedError {
    let refusal = LocalizedMessage(.betfairRequestRefused, topic.path.printable(), code.rawValue)
    let said = text.printable()
    return FeedError(
      said.isEmpty ? refusal : LocalizedMessage(.problemSaid, refusal, said),
      remedy: LocalizedMessage(.remedyBetfairTopic))
  }
}

extension StringProtocol {
  /// The ASCII letters, digits, `_` and `-` of a code from the provider, at most 60; "?" if there are none.
  var wireCode: String {
    let code = String(
      unicodeScalars.filter { $0.isASCII && ($0.properties.isAlphabetic || "_-0123456789".unicodeScalars.contains($0)) }
        .prefix(60).map(Character.init))
    return code.isEmpty ? "?" : code
  }
}
