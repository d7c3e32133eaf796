import FeedRecording
import Localization
import Testing

@testable import EveryMatrix
@testable import OddsModel

@Suite("Errors of sessions and recordings")
struct ProblemTests {
  static let texts: [(LocalizedMessage, String)] = [
    (
      FeedError.noHandshake.sentence,
      "the feed did not answer within 10 s: if this persists, check the network and the address"
    ),
    (
      FeedError.silent.sentence, "the feed has stopped responding: if this persists, check the network"
    ),
    (
      FeedError.violation(.violationSecondWelcome).sentence,
      "the feed violated the protocol: received a second WELCOME: if this persists, check the address"
    ),
    (
      FeedError.ended("wamp.close.system_shutdown", "bye", realm: "r").sentence,
      "the feed is shutting down: bye: retrying automatically"
    ),
    (
      FeedError.ended(WAMPMessage.URI.killed, "", realm: "r").sentence,
      "the feed terminated the session: retrying automatically"
    ),
    (
      FeedError.ended("wamp.close.other", "bye", realm: "r").sentence,
      "the feed ended the session with 'wamp.close.other': bye: retrying automatically"
    ),
    (
      FeedError.ended(WAMPMessage.URI.noSuchRealm, "", realm: "r").sentence,
      "the feed has no realm 'r': specify another one with --realm"
    ),
    (
      FeedError.terminal(WAMPMessage.URI.notAuthorized, "")!.sentence,
      "the feed denied access with 'wamp.error.not_authorized': provide a valid token, then reconnect"
    ),
    (
      FeedError.refused(Topic(path: "/a"), SubscriptionTable.Refusal(uri: "u", text: "t")).sentence,
      "the feed refused topic '/a' with 'u': t: choose another channel, or reconnect"
    ),
    (
      FeedError.failed(
        Topic(path: "/a"), SubscriptionTable.Refusal(uri: "wamp.error.runtime_error", text: "busy")
      ).sentence,
      "the request for topic '/a' failed with 'wamp.error.runtime_error': busy: retrying automatically"
    ),
    (
      FeedError.noDump(Topic(path: "/a"), #"{"error":"x"}"#).sentence,
      #"the answer for topic '/a' is not a dump: {"error":"x"}: retrying automatically"#
    ),
    (RecordingError.cannotRead("Is a directory").sentence, "cannot read the feed: Is a directory"),
    (
      RecordingError.noMessages.sentence,
      "the feed contains no messages: specify a feed in JSON lines format, such as a recording"
    ),
    (RecordingError.cutShort.sentence, "the feed's file was truncated during playback"),
    (RecordingError.overwritten.sentence, "the feed's file was overwritten during playback"),
  ]

  @Test("have a code that does not depend on language or values")
  func code() {
    #expect(FeedError.refused(Topic(path: "/a"), SubscriptionTable.Refusal(uri: "u", text: "t")).code == "topicRefused")
    #expect(FeedError("own words", remedy: "none").code == "verbatim")
  }

  @Test("have an English message", arguments: texts)
  func english(sentence: LocalizedMessage, text: String) { #expect("\(sentence)" == text) }

  @Test("have a different message in each other language", arguments: [Language.french, .traditionalChinese])
  func others(_ language: Language) {
    let words = Catalog(language)
    for (sentence, english) in Self.texts { #expect(words.text(sentence) != english) }
  }
}
