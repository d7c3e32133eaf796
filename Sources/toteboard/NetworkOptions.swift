import ArgumentParser
import Dashboard
import FeedNetwork
import OddsFeed
import Wording

/// What a feed over a network needs to know, for every command.
struct NetworkOptions: ParsableArguments {
  @Option(help: .phrase(.optionRealm))
  var realm: String?

  @Option(help: .phrase(.optionOrigin))
  var origin: String?

  @Option(name: .customLong("operator"), help: .phrase(.optionOperator))
  var operatorID: String?

  @Option(help: .phrase(.optionFeedLanguage, valueName: "code"))
  var feedLanguage: String?

  @Option(help: .phrase(.optionCAFile, valueName: "file"))
  var caFile: String?

  @Option(help: .phrase(.optionToken))
  var token: TokenArgument?

  @Option(help: .phrase(.optionTokenFile, valueName: "file"))
  var tokenFile: String?

  @Option(help: .phrase(.optionConfig, valueName: "file"))
  var config: String?

  mutating func validate() throws {
    if realm == "" { throw ValidationError(.usageRealmEmpty) }
    for (name, value) in [("--operator", operatorID), ("--feed-language", feedLanguage)] {
      guard let value else { continue }
      guard !value.isEmpty, value.utf8.allSatisfy(Self.isPlain) else {
        throw ValidationError(.usageNoTopicPart, name, value.cleaned)
      }
    }
    if token != nil, tokenFile != nil { throw ValidationError(.usageTwoTokens) }
  }

  /// The first option given; each is of no use to another feed.
  var firstGiven: String? {
    let given = [
      ("--realm", realm != nil), ("--origin", origin != nil), ("--operator", operatorID != nil),
      ("--feed-language", feedLanguage != nil), ("--ca-file", caFile != nil), ("--token", token != nil),
      ("--token-file", tokenFile != nil), ("--config", config != nil),
    ]
    return given.first { $0.1 }?.0
  }

  /// What is connected to: the address with what to show there.
  func endpoint(_ feed: String, environment: [String: String]) throws -> FeedEndpoint {
    try FeedEndpoint(
      address: FeedAddress(feed), origin: origin, token: Credentials.token(self, environment: environment),
      caFile: caFile, proxies: ProxyRules(environment: environment))
  }

  /// The channels: the usual ones, and what the configuration makes of them.
  func channels(matches: Int, environment: [String: String]) throws -> [BoardChannel] {
    let template = TopicTemplate(
      operatorID: operatorID ?? "1", language: feedLanguage ?? Speech.words.language.feedCode, matches: matches)
    return try ChannelConfig.channels(file: config, template: template, environment: environment)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
