import OddsFeed

extension FeedProblem {
  static let noHandshake = FeedProblem(
    "the feed did not answer within 10 s", remedy: "wait for the next attempt, or look at the network and the address")
  static let silent = FeedProblem(
    "the feed has gone silent", remedy: "wait for the next attempt, or look at the network")

  static func violation(_ text: String) -> FeedProblem {
    FeedProblem("the feed breaks its protocol: \(text)", remedy: "wait for the next attempt, or look at the address")
  }

  /// The feed ended the session, and may open another.
  static func ended(_ reason: String, _ text: String) -> FeedProblem {
    FeedProblem("the feed has ended the session, '\(reason)'\(said(text))", remedy: "wait for the next attempt")
  }

  /// Why a session that was ended for that reason is not tried again; nil where it is (FEED.md §6).
  static func terminal(_ reason: String, _ text: String, realm: String) -> FeedProblem? {
    if reason == WAMPMessage.URI.noSuchRealm {
      return FeedProblem("the feed has no realm '\(realm)'\(said(text))", remedy: "give another one with --realm")
    }
    guard denials.contains(reason) else { return nil }
    return FeedProblem(
      "the feed refuses us, '\(reason)'\(said(text))", remedy: "give a token that is valid, then connect again")
  }

  /// The feed will not send a topic.
  static func refused(_ topic: Topic, _ refusal: SubscriptionTable.Refusal) -> FeedProblem {
    FeedProblem(
      "the feed refuses topic '\(topic)', '\(refusal.uri)'\(said(refusal.text))",
      remedy: "choose another channel, or connect again")
  }

  private static let denials: Set<String> = [
    WAMPMessage.URI.notAuthorized, "wamp.error.authentication_failed", "wamp.error.authentication_required",
    "wamp.error.authentication_denied", "wamp.error.authorization_failed", "wamp.error.authorization_required",
    "wamp.error.authorization_denied", "wamp.error.no_auth_method", "wamp.error.no_matching_auth_method",
    "wamp.error.no_such_role", "wamp.error.no_such_principal",
  ]

  private static func said(_ text: String) -> String { text.isEmpty ? "" : ": \(text)" }
}
