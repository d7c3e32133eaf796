import ArgumentParser
import CProgramVersion
import Dashboard
import EveryMatrix
import FeedNetwork
import Localization
import OddsFeed
import OddsModel
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
    if let origin, !WebOrigin.isValid(origin) { throw ValidationError(.usageNoOrigin, "--origin", origin.cleaned) }
    for case (let name, let value?) in [("--operator", operatorID), ("--feed-language", feedLanguage)]
    where !Self.isTopicPart(value) {
      throw ValidationError(.usageNoTopicPart, name, value.cleaned)
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

  func override(_ configuration: inout Configuration) {
    for (_, value, path) in texts { if let value { configuration[keyPath: path] = value } }
  }

  /// Returns the address to connect to, with its credentials and proxies.
  func endpoint(_ configuration: Configuration, environment: [String: String]) throws -> FeedEndpoint {
    try FeedEndpoint(
      address: FeedAddress(configuration.feed ?? ""), origin: configuration.origin,
      token: Credentials.token(token, file: tokenFile, configured: configuration.tokenFile, environment: environment),
      caFile: configuration.caFile, proxies: ProxyRules(environment: environment))
  }

  static func isTopicPart(_ text: String) -> Bool {
    !text.isEmpty && text.allSatisfy { "-_".contains($0) || $0.isASCII && ($0.isLetter || $0.isNumber) }
  }
}

extension FeedOptions {
  /// Returns the channels of a feed over a network. An error in its address or in the configuration is a usage error.
  func networkedChannels() throws -> [BoardChannel] {
    do throws(FeedError) { _ = try FeedAddress(configuration.feed ?? "") } catch {
      throw ValidationError(CLILanguage.words.text(error.sentence))
    }
    let channels = configuration.channels(TopicTemplate(of: configuration))
    _ = try place(in: channels)
    return channels
  }

  /// Returns the feed with a fallback while the stream is missing: the cache and the HTTP API.
  func staged(_ feed: Feed) -> Feed {
    guard let network = feed.network, let address = feed.address else { return feed }
    let environment = environment()
    var feed = feed
    feed.cache = BoardCache.directory { environment[$0] }.map { BoardCache(directory: $0, address: address) }
    feed.transport = FallbackTransport(feed.transport, cache: feed.cache, api: network.api)
    return feed
  }

  func networked() throws -> Feed {
    let channels = try networkedChannels()
    let endpoint = try network.endpoint(configuration, environment: environment())
    let line = try FeedConnections(endpoint, agent: "toteboard/\(TOTEBOARD_VERSION)")
    let realm = configuration.realm ?? endpoint.address.host
    let session = FeedSession(connector: line.connector, realm: realm)
    return Feed(
      transport: session, channels: channels, place: try place(in: channels), network: line,
      address: "\(endpoint.address) \(realm)")
  }
}
