import OddsFeed
import Wording

extension FeedProblem {
  static let noHandshake = FeedProblem(.sessionUnanswered, remedy: .remedyWaitOrNetworkAndAddress)
  static let silent = FeedProblem(.sessionSilent, remedy: .remedyWaitOrNetwork)

  static func violation(_ what: Phrase) -> FeedProblem {
    FeedProblem(.sessionBreaksProtocol, what, remedy: .remedyWaitOrAddress)
  }

  /// The feed ended the session, and may open another.
  static func ended(_ reason: String, _ text: String, realm: String) -> FeedProblem {
    if reason == WAMPMessage.URI.noSuchRealm {
      return FeedProblem(Sentence(.sessionNoRealm, realm).said(text), remedy: Sentence(.remedyOtherRealm))
    }
    let what =
      switch reason {
      case WAMPMessage.URI.killed: Sentence(.sessionKilled)
      case WAMPMessage.URI.systemShutdown: Sentence(.sessionShutDown)
      default: Sentence(.sessionEnded, reason)
      }
    return FeedProblem(what.said(text), remedy: Sentence(.remedyWait))
  }

  /// Returns the reason not to try again: the feed does not accept our credentials. Nil where the session is tried again
  /// (FEED.md §6).
  static func terminal(_ reason: String, _ text: String) -> FeedProblem? {
    guard isAuthentication(reason) else { return nil }
    return FeedProblem(Sentence(.sessionRefused, reason).said(text), remedy: Sentence(.remedyValidTokenThenConnect))
  }

  /// The feed will not send a topic.
  static func refused(_ topic: Topic, _ refusal: SubscriptionTable.Refusal) -> FeedProblem {
    FeedProblem(
      Sentence(.topicRefused, topic.path, refusal.uri).said(refusal.text), remedy: Sentence(.remedyOtherChannel))
  }

  /// The feed answered with an error that may pass.
  static func failed(_ topic: Topic, _ refusal: SubscriptionTable.Refusal) -> FeedProblem {
    FeedProblem(Sentence(.topicFailed, topic.path, refusal.uri).said(refusal.text), remedy: Sentence(.remedyWait))
  }

  /// The feed answered a call for a dump with something else, which begins like that.
  static func noDump(_ topic: Topic, _ excerpt: String) -> FeedProblem {
    FeedProblem(Sentence(.topicNoDump, topic.path, Sentence.foreign(excerpt)), remedy: Sentence(.remedyWait))
  }

  /// True for an error that our credentials are the reason of: trying again as before cannot help.
  static func isAuthentication(_ uri: String) -> Bool { authenticationErrors.contains(uri) }

  private static let authenticationErrors: Set<String> = [
    WAMPMessage.URI.notAuthorized, "wamp.error.authentication_failed", "wamp.error.authentication_required",
    "wamp.error.authentication_denied", "wamp.error.authorization_failed", "wamp.error.authorization_required",
    "wamp.error.authorization_denied", "wamp.error.no_auth_method", "wamp.error.no_matching_auth_method",
    "wamp.error.no_such_role", "wamp.error.no_such_principal",
  ]
}

extension Sentence {
  /// With what the feed said, where it said something.
  fileprivate func said(_ text: String) -> Sentence {
    text.isEmpty ? self : Sentence(.problemReason, self, Sentence.foreign(text))
  }
}
