import FeedRecording
import Localization
import Testing

@testable import EveryMatrix
@testable import OddsModel

@Suite("What went wrong with a session or a recording")
struct ProblemTests {
  static let texts: [(LocalizedMessage, String)] = [
    (
      FeedError.noHandshake.sentence,
      "the feed did not answer within 10 s: wait for the next attempt, or look at the network and the address"
    ),
    (
      FeedError.silent.sentence, "the feed has gone silent: wait for the next attempt, or look at the network"
    ),
    (
      FeedError.violation(.violationSecondWelcome).sentence,
      "the feed breaks its protocol: a second WELCOME came: wait for the next attempt, or look at the address"
    ),
    (
      FeedError.ended("wamp.close.system_shutdown", "bye", realm: "r").sentence,
      "the feed is about to shut down: bye: wait for the next attempt"
    ),
    (
      FeedError.ended(WAMPMessage.URI.killed, "", realm: "r").sentence,
      "the feed has ended the session from its side: wait for the next attempt"
    ),
    (
      FeedError.ended("wamp.close.other", "bye", realm: "r").sentence,
      "the feed has ended the session, 'wamp.close.other': bye: wait for the next attempt"
    ),
    (
      FeedError.ended(WAMPMessage.URI.noSuchRealm, "", realm: "r").sentence,
      "the feed has no realm 'r': give another one with --realm"
    ),
    (
      FeedError.terminal(WAMPMessage.URI.notAuthorized, "")!.sentence,
      "the feed refuses us, 'wamp.error.not_authorized': give a token that is valid, then connect again"
    ),
    (
      FeedError.refused(Topic(path: "/a"), SubscriptionTable.Refusal(uri: "u", text: "t")).sentence,
      "the feed refuses topic '/a', 'u': t: choose another channel, or connect again"
    ),
    (
      FeedError.failed(
        Topic(path: "/a"), SubscriptionTable.Refusal(uri: "wamp.error.runtime_error", text: "busy")
      ).sentence,
      "the feed answers for topic '/a' with the error 'wamp.error.runtime_error': busy: wait for the next attempt"
    ),
    (
      FeedError.noDump(Topic(path: "/a"), #"{"error":"x"}"#).sentence,
      #"the feed's answer for topic '/a' is no dump: {"error":"x"}: wait for the next attempt"#
    ),
    (RecordingError.cannotRead("Is a directory").sentence, "cannot read the feed: Is a directory"),
    (
      RecordingError.noMessages.sentence,
      "the feed holds no message: give a feed as JSON lines, such as a recording"
    ),
    (RecordingError.cutShort.sentence, "the feed's file has become shorter while it was played"),
    (RecordingError.overwritten.sentence, "the feed's file was overwritten while it was played"),
  ]

  @Test("An error has a code that no language and no value changes")
  func code() {
    #expect(FeedError.refused(Topic(path: "/a"), SubscriptionTable.Refusal(uri: "u", text: "t")).code == "topicRefused")
    #expect(FeedError("own words", remedy: "none").code == "verbatim")
  }

  @Test("in English", arguments: texts)
  func english(sentence: LocalizedMessage, text: String) { #expect("\(sentence)" == text) }

  @Test("in no other language as in English", arguments: [Language.french, .traditionalChinese])
  func others(_ language: Language) {
    let words = Catalog(language)
    for (sentence, english) in Self.texts { #expect(words.text(sentence) != english) }
  }
}
