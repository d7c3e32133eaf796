import ArgumentParser
import Dashboard
import FeedNetwork
import Localization
import Platform
import TerminalCore

/// The options of a feed over a network, for every command.
struct NetworkOptions: ParsableArguments {
  @Option(help: .setting("realm"))
  var realm: String?

  @Option(help: .setting("origin"))
  var origin: String?

  @Option(name: .customLong("operator"), help: .setting("operator"))
  var operatorID: String?

  @Option(help: .setting("feed_language", valueName: "code"))
  var feedLanguage: String?

  @Option(help: .setting("ca_file", valueName: "file"))
  var caFile: String?

  @Option(help: .phrase(.optionToken))
  var token: TokenArgument?

  @Option(help: .setting("token_file", valueName: "file"))
  var tokenFile: String?

  mutating func validate() throws {
    try ValidationError.checkEmpty([
      ("--realm", realm), ("--origin", origin), ("--ca-file", caFile), ("--token", token?.text),
      ("--token-file", tokenFile),
    ])
    if let origin, !WebOrigin.isValid(origin) {
      throw ValidationError(.usageNoOrigin, "--origin", origin.cleaned)
    }
    for (name, value) in [("--operator", operatorID), ("--feed-language", feedLanguage)] {
      guard let value else { continue }
      guard Self.isTopicPart(value) else {
        throw ValidationError(.usageNoTopicPart, name, value.cleaned)
      }
    }
    if token != nil, tokenFile != nil { throw ValidationError(.usageTwoTokens) }
  }

  /// The options that override a text of the configuration.
  private var texts: [(name: String, value: String?, path: WritableKeyPath<Configuration, String?>)] {
    [
      ("--realm", realm, \.realm), ("--origin", origin, \.origin), ("--operator", operatorID, \.operatorID),
      ("--feed-language", feedLanguage, \.feedLanguage), ("--ca-file", caFile, \.caFile),
      ("--token-file", tokenFile, \.tokenFile),
    ]
  }

  /// The first option that is given; nil if there is none. These options have no effect on other feeds.
  var firstGiven: String? { texts.first { $0.value != nil }?.name ?? (token == nil ? nil : "--token") }

  /// Applies these options to a configuration.
  func override(_ configuration: inout Configuration) {
    for (_, value, path) in texts { if let value { configuration[keyPath: path] = value } }
  }

  /// Returns the address to connect to, with its credentials and proxies.
  func endpoint(_ configuration: Configuration, environment: [String: String]) throws -> FeedEndpoint {
    try FeedEndpoint(
      address: FeedAddress(configuration.feed ?? ""), origin: configuration.origin,
      token: Credentials.token(
        token, file: tokenFile, configured: configuration.tokenFile, environment: environment),
      caFile: configuration.caFile, proxies: ProxyRules(environment: environment))
  }

  static func isTopicPart(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isPlain) }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
