import Localization
import OddsModel

extension FeedError {
  static let noHandshake = FeedError(.sessionUnanswered, remedy: .remedyWaitOrNetworkAndAddress)
  static let silent = FeedError(.sessionSilent, remedy: .remedyWaitOrNetwork)

  static func violation(_ what: MessageKey) -> FeedError {
    FeedError(.sessionBreaksProtocol, what, remedy: .remedyWaitOrAddress)
  }

  /// Returns one error for those of a feed's addresses, of which there is at least one. An only error is unchanged.
  static func joined(_ errors: [FeedError]) -> FeedError {
    let first = errors[0]
    if errors.count == 1 { return first }
    let message = errors.dropFirst().reduce(first.localizedMessage) {
      LocalizedMessage(.joinedClauses, $0, $1.localizedMessage)
    }
    let isCommon = errors.allSatisfy { $0.localizedRemedy == first.localizedRemedy }
    return FeedError(
      message, remedy: isCommon ? first.localizedRemedy : LocalizedMessage(.remedyWaitOrNetworkAndAddress))
  }

  /// Returns the error of a session that the feed ended but may accept again.
  static func ended(_ reason: String, _ text: String, realm: String) -> FeedError {
    if reason == WAMPMessage.URI.noSuchRealm {
      return FeedError(LocalizedMessage(.sessionNoRealm, realm).said(text), remedy: LocalizedMessage(.remedyOtherRealm))
    }
    let what =
      switch reason {
      case WAMPMessage.URI.killed: LocalizedMessage(.sessionKilled)
      case WAMPMessage.URI.systemShutdown: LocalizedMessage(.sessionShutDown)
      default: LocalizedMessage(.sessionEnded, reason)
      }
    return FeedError(what.said(text), remedy: LocalizedMessage(.remedyWait))
  }

  /// Returns the error if the feed does not accept our credentials; nil if the session is retried (Reconnecting.md).
  static func terminal(_ reason: String, _ text: String) -> FeedError? {
    guard isAuthentication(reason) else { return nil }
    return FeedError(
      LocalizedMessage(.sessionRefused, reason).said(text), remedy: LocalizedMessage(.remedyValidTokenThenConnect))
  }

  /// Returns the error of a topic that the feed refuses to send.
  static func refused(_ topic: Topic, _ refusal: SubscriptionTable.Refusal) -> FeedError {
    FeedError(
      LocalizedMessage(.topicRefused, topic.path, refusal.uri).said(refusal.text),
      remedy: LocalizedMessage(.remedyOtherChannel))
  }

  /// Returns the error of a topic for which the feed answered with an error. It is permanent if it is about the name of
  /// the topic.
  static func failed(_ topic: Topic, _ refusal: SubscriptionTable.Refusal) -> FeedError {
    let error = FeedError(
      LocalizedMessage(.topicFailed, topic.path, refusal.uri).said(refusal.text), remedy: LocalizedMessage(.remedyWait))
    let isAboutName = [WAMPMessage.URI.invalidArgument, WAMPMessage.URI.invalidURI].contains(refusal.uri)
    return isAboutName ? error.permanent() : error
  }

  /// Returns the error of a topic for which the feed answered with something that is not a dump; `excerpt` is its
  /// beginning.
  static func noDump(_ topic: Topic, _ excerpt: String) -> FeedError {
    FeedError(.topicNoDump, topic.path, LocalizedMessage.foreign(excerpt), remedy: .remedyWait)
  }

  /// Returns true if the error is caused by our credentials, so that an unchanged retry cannot succeed.
  static func isAuthentication(_ uri: String) -> Bool { authenticationErrors.contains(uri) }

  private static let authenticationErrors: Set<String> = [
    WAMPMessage.URI.notAuthorized, "wamp.error.authentication_failed", "wamp.error.authentication_required",
    "wamp.error.authentication_denied", "wamp.error.authorization_failed", "wamp.error.authorization_required",
    "wamp.error.authorization_denied", "wamp.error.no_auth_method", "wamp.error.no_matching_auth_method",
    "wamp.error.no_such_role", "wamp.error.no_such_principal",
  ]
}

extension LocalizedMessage {
  /// Returns the message with the feed's own text appended, if there is any.
  fileprivate func said(_ text: String) -> LocalizedMessage {
    text.isEmpty ? self : LocalizedMessage(.problemReason, self, LocalizedMessage.foreign(text))
  }
}
