import ArgumentParser
import Dashboard
import Localization
import OddsModel
import Testing

@testable import toteboard

@Suite("The options of --feed polymarket")
struct PolymarketOptionTests {
  private func options(_ arguments: [String] = []) throws -> FeedOptions {
    var options = try FeedOptions.parse(["--feed", "polymarket", "--config", "/dev/null"] + arguments)
    try options.configure()
    return options
  }

  @Test("show probabilities, and give channels of live games, of today's games and of leagues")
  func defaults() throws {
    let options = try options(["--matches", "40"])
    #expect(options.configuration.settings.odds == .implied && options.isNetworked && !options.hasAccounts)
    let channels = try options.networkedChannels()
    #expect(channels.map(\.topic.path).prefix(3) == ["/live/40", "/today/40", "/league/nfl/40"])
    #expect(options.name(in: .english) == "Polymarket")
  }

  @Test("keep the odds format of the configuration, also the usual one of other feeds", arguments: OddsFormat.allCases)
  func configuredOdds(format: OddsFormat) throws {
    let configured = try ConfigReader.configuration("odds = \"\(format.rawValue)\"")
    #expect(try options().override(configured).settings.odds == format)
  }

  @Test(
    "that have no effect are errors that name them",
    arguments: [
      ["--realm", "a"], ["--origin", "https://a.b"], ["--operator", "1"], ["--feed-language", "en"],
      ["--token", "t"], ["--token-file", "f"], ["--rate", "3"], ["--seed", "1"], ["--pipe-timeout", "5s"],
    ])
  func withoutEffect(arguments: [String]) {
    let error = #expect(throws: ValidationError.self) { try options(arguments) }
    #expect(error?.message.contains(arguments[0]) == true)
  }
}
