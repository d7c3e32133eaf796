import ArgumentParser
import Dashboard
import Localization
import OddsModel
import TestSupport
import Testing

@testable import toteboard

@Suite("The options of --feed betfair")
struct BetfairOptionTests {
  private static let complete = ["--betfair-app-key-file", "k", "--login", "anna"]

  private func options(_ arguments: [String] = complete, feed: String = "betfair") throws -> FeedOptions {
    var options = try FeedOptions.parse(["--feed", feed, "--config", "/dev/null"] + arguments)
    try options.configure()
    return options
  }

  @Test("give a channel of in-play markets and channels of sports")
  func defaults() throws {
    let options = try options()
    #expect(options.isNetworked && !options.hasAccounts && options.user == "anna")
    let channels = try options.networkedChannels()
    #expect(channels.map(\.topic.path).prefix(2) == ["/types/MATCH_ODDS/in-play", "/sports/1/types/MATCH_ODDS"])
    #expect(channels.last?.topic.path == "/sports/7/types/WIN")
    #expect(options.name(in: .english) == "Betfair")
  }

  @Test(
    "that have no effect, or are incomplete, are errors that name them",
    arguments: [
      (complete + ["--realm", "a"], "--realm"), (complete + ["--token", "t"], "--token"),
      (complete + ["--matches", "5"], "--matches"), (complete + ["--rate", "3"], "--rate"),
      (["--login", "anna"], "--betfair-app-key-file FILE"), (["--betfair-app-key-file", "k"], "--login USER"),
      (complete + ["--client-cert", "c"], "--client-key FILE"),
      (complete + ["--client-key", "c"], "--client-cert FILE"),
      (complete + ["--betfair-identity", "http://example.com"], "'http://example.com'"),
      (complete + ["--betfair-keep-alive", "http://example.com"], "'http://example.com'"),
      (complete + ["--betfair-api", "https://a/b"], "'https://a/b'"),
    ])
  func withoutEffect(arguments: [String], named: String) {
    let error = #expect(throws: ValidationError.self) { try options(arguments) }
    #expect(error?.message.contains(named) == true)
  }

  @Test("are errors with other feeds")
  func otherFeeds() {
    for (arguments, option) in [
      (["--betfair-app-key-file", "k"], "--betfair-app-key-file"), (["--client-cert", "c"], "--client-cert"),
      (["--betfair-conflate-ms", "500"], "--betfair-conflate-ms"),
    ] {
      let error = #expect(throws: ValidationError.self) { try options(arguments, feed: "polymarket") }
      #expect(error?.message.contains(option) == true)
    }
    let error = #expect(throws: ValidationError.self) { try options(feed: "betfair://10.0.0.1:99") }
    #expect(error?.message.contains("--betfair-identity") == true)
    let login = #expect(throws: ValidationError.self) {
      try FeedOptions.parse(["--login", "anna"]).checkLogin(of: .list)
    }
    #expect(login?.message.contains("--login") == true)
  }

  @Test("accept an interval of merged updates from 0 to 120000 ms, by option or setting")
  func conflation() throws {
    for (text, value) in [("0", 0), ("120000", 120_000)] {
      let options = try options(Self.complete + ["--betfair-conflate-ms", text])
      #expect(options.configuration.betfairConflateMs == value)
    }
    #expect(try options().configuration.betfairConflateMs == 0)
    for text in ["-1", "120001", "500ms", "0.5"] {
      let error = #expect(throws: (any Error).self) { try options(Self.complete + ["--betfair-conflate-ms=\(text)"]) }
      #expect(error.map { FeedOptions.message(for: $0).contains("'\(text)'") } == true)
    }
    let file = TemporaryFile("betfair_conflate_ms = 500\n")
    var configured = try FeedOptions.parse(["--feed", "betfair", "--config", file.path] + Self.complete)
    try configured.configure()
    #expect(configured.configuration.betfairConflateMs == 500)
  }

  @Test("are errors if the key file has no valid key, and the error does not show its content")
  func keyFile() throws {
    for text in ["", "two words", "é"] {
      let file = TemporaryFile(text)
      let error = #expect(throws: FeedError.self) { try Credentials.appKey(file: file.path) }
      #expect(error?.code == "appKeyUnfit" && error?.message.contains("two") == false)
    }
    let error = #expect(throws: FeedError.self) { try Credentials.appKey(file: "/nowhere/key") }
    #expect(error?.code == "appKeyUnreadable")
  }
}
