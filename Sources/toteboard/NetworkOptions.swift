import ArgumentParser
import Dashboard
import FeedNetwork
import OddsFeed
import Wording

/// What a feed over a network needs to know, for every command.
struct NetworkOptions: ParsableArguments {
  @Option(help: "Networked feed: the realm to join. (default: the feed's host)")
  var realm: String?

  @Option(help: "Networked feed: the site to claim to come from. (default: the feed's own)")
  var origin: String?

  @Option(name: .customLong("operator"), help: "Networked feed: the operator's id in its topics. (default: 1)")
  var operatorID: String?

  @Option(
    help: ArgumentHelp(
      "Networked feed: the language of its names, as in its topics. (default: the one spoken)", valueName: "code"))
  var feedLanguage: String?

  @Option(help: ArgumentHelp("Networked feed: trust these authorities, too, PEM.", valueName: "file"))
  var caFile: String?

  @Option(
    help: """
      Networked feed: the token to show. Hidden from process lists at once, but not from a shell's history: rather use \
      --token-file or TOTEBOARD_TOKEN.
      """)
  var token: TokenArgument?

  @Option(help: ArgumentHelp("Networked feed: the file that holds the token to show.", valueName: "file"))
  var tokenFile: String?

  @Option(
    help: ArgumentHelp(
      "Networked feed: the channels. (default: ~/.config/toteboard/config.toml, where there is one)", valueName: "file")
  )
  var config: String?

  mutating func validate() throws {
    if realm == "" { throw ValidationError("--realm '' is empty: give the feed's realm, or leave it out") }
    for (name, value) in [("--operator", operatorID), ("--feed-language", feedLanguage)] {
      guard let value else { continue }
      guard !value.isEmpty, value.utf8.allSatisfy(Self.isPlain) else {
        throw ValidationError("\(name) '\(value.cleaned)' is no part of a topic: give letters, digits, '-' and '_'")
      }
    }
    if token != nil, tokenFile != nil { throw ValidationError("--token and --token-file are both given: give one") }
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
