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
    where !Topic.isPathPart(value) {
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

  /// The first option that is given and that only feeds with accounts and realms have; nil if there is none.
  var firstOfAccounts: String? {
    texts.first { $0.value != nil && $0.name != "--ca-file" }?.name ?? (token == nil ? nil : "--token")
  }

  func override(_ configuration: inout Configuration) {
    for (_, value, path) in texts { if let value { configuration[keyPath: path] = value } }
  }

  /// Returns the addresses to connect to, with their credentials and proxies.
  func endpoints(
    of list: FeedAddressList, _ configuration: Configuration, environment: [String: String]
  ) throws -> [FeedEndpoint] {
    try FeedEndpoint.endpoints(
      of: list, origin: configuration.origin,
      token: Credentials.token(token, file: tokenFile, configured: configuration.tokenFile, environment: environment),
      caFile: configuration.caFile, proxies: ProxyRules(environment: environment))
  }

}

extension FeedOptions {
  /// Returns the channels of a feed over a network. An error in its address or in the configuration is a usage error.
  func networkedChannels() throws -> [BoardChannel] {
    do throws(FeedError) {
      switch provider {
      case .everyMatrix: _ = try FeedAddressList(configuration.feed ?? "")
      case .polymarket: _ = try PolymarketAddress(configuration.feed ?? "")
      case .betfair: _ = try configuration.betfairAddress()
      }
    } catch {
      throw ValidationError(CLILanguage.words.text(error.sentence))
    }
    let channels = configuration.channels(TopicTemplate(of: configuration))
    _ = try channelIndex(in: channels)
    return channels
  }

  /// Returns the feed with a fallback while the stream is missing: the cache and the HTTP API.
  func staged(_ feed: Feed) -> Feed {
    guard let network = feed.network, let address = feed.address else { return feed }
    var feed = feed
    feed.cache = XDGDirectory.cache.path(environment()).map { BoardCache(directory: $0, address: address) }
    feed.transport = FallbackTransport(feed.transport, cache: feed.cache, api: network.api)
    return feed
  }

  func networked() throws -> Feed {
    let channels = try networkedChannels()
    switch provider {
    case .polymarket: return try polymarket(channels)
    case .betfair: return try betfair(channels)
    case .everyMatrix: break
    }
    let list = try FeedAddressList(configuration.feed ?? "")
    let endpoints = try network.endpoints(of: list, configuration, environment: environment())
    let connections = try FeedConnections(endpoints, agent: "toteboard/\(TOTEBOARD_VERSION)")
    let session = connections.session(realms: configuration.realms(of: list))
    var feed = Feed(
      transport: session, channels: channels, channelIndex: try channelIndex(in: channels), network: connections)
    feed.address = configuration.name(of: list)
    feed.currentAddress = Feed.currentAddress(in: list, of: session)
    return feed
  }
}

extension Configuration {
  /// Returns the realms of a feed's addresses.
  fileprivate func realms(of list: FeedAddressList) -> [String] { list.addresses.map { realm ?? $0.host } }

  /// Returns the name by which the stored data of a feed is kept separate.
  fileprivate func name(of list: FeedAddressList) -> String {
    // The order of the addresses does not matter: they are one service.
    zip(list.addresses, realms(of: list)).map { address, realm in "\(address) \(realm)" }.sorted()
      .joined(separator: ",")
  }

  /// Returns the name that a board gives a feed in the history. Any text that is no address is a name itself.
  func historyName(of feed: String) -> String {
    guard FeedProvider(of: feed) == .everyMatrix, let list = try? FeedAddressList(feed) else { return feed }
    return name(of: list)
  }
}

extension FeedOptions {
  private func polymarket(_ channels: [BoardChannel]) throws -> Feed {
    let connections = try PolymarketConnections(
      try PolymarketAddress(configuration.feed ?? ""), agent: "toteboard/\(TOTEBOARD_VERSION)",
      caFile: configuration.caFile, proxies: ProxyRules(environment: environment()))
    return Feed(
      transport: connections.session(), channels: channels, channelIndex: try channelIndex(in: channels),
      polymarket: connections, provider: .polymarket, address: configuration.feed)
  }
}

extension FeedOptions.Feed {
  /// Returns a function that returns the address in use; nil if the list has a single address.
  static func currentAddress(
    in list: FeedAddressList, of session: FeedSession
  ) -> (@Sendable () -> CurrentAddress)? {
    if list.addresses.count == 1 { return nil }
    let addresses = zip(list.names, list.addresses).map { CurrentAddress(name: $0, url: "\($1)") }
    return { addresses[session.currentAddress] }
  }
}
