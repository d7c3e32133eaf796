import OddsFeed
import Testing
import Wording

@testable import FeedClient

@Suite("What went wrong with a session or a recording")
struct ProblemTests {
  static let texts: [(Sentence, String)] = [
    (
      FeedProblem.noHandshake.sentence,
      "the feed did not answer within 10 s: wait for the next attempt, or look at the network and the address"
    ),
    (
      FeedProblem.silent.sentence, "the feed has gone silent: wait for the next attempt, or look at the network"
    ),
    (
      FeedProblem.violation(.violationSecondWelcome).sentence,
      "the feed breaks its protocol: a second WELCOME came: wait for the next attempt, or look at the address"
    ),
    (
      FeedProblem.ended("wamp.close.system_shutdown", "bye").sentence,
      "the feed is about to shut down: bye: wait for the next attempt"
    ),
    (
      FeedProblem.ended(WAMPMessage.URI.killed, "").sentence,
      "the feed has ended the session from its side: wait for the next attempt"
    ),
    (
      FeedProblem.ended("wamp.close.other", "bye").sentence,
      "the feed has ended the session, 'wamp.close.other': bye: wait for the next attempt"
    ),
    (
      FeedProblem.terminal(WAMPMessage.URI.noSuchRealm, "", realm: "r")!.sentence,
      "the feed has no realm 'r': give another one with --realm"
    ),
    (
      FeedProblem.terminal(WAMPMessage.URI.notAuthorized, "", realm: "r")!.sentence,
      "the feed refuses us, 'wamp.error.not_authorized': give a token that is valid, then connect again"
    ),
    (
      FeedProblem.refused(Topic(path: "/a"), SubscriptionTable.Refusal(uri: "u", text: "t")).sentence,
      "the feed refuses topic '/a', 'u': t: choose another channel, or connect again"
    ),
    (Recording.Failure.cannotRead("Is a directory").sentence, "cannot read the feed: Is a directory"),
    (
      Recording.Failure.lineTooLong(12345).sentence,
      "the feed's line at byte 12345 is over \(LineTransport.longestLine >> 20) MiB: give JSON lines"
    ),
    (
      Recording.Failure.cutShort.sentence,
      "the feed's file has become shorter while it was played: play it again"
    ),
  ]

  @Test("in English", arguments: texts)
  func english(sentence: Sentence, text: String) { #expect("\(sentence)" == text) }

  @Test("in no other language as in English", arguments: [Language.french, .traditionalChinese])
  func others(_ language: Language) {
    let words = Catalog(language)
    for (sentence, english) in Self.texts { #expect(words.text(sentence) != english) }
  }
}
