import AccountModel
import ArgumentParser
import CProgramVersion
import Dashboard
import FeedNetwork
import Localization
import OddsModel
import Platform
import ProgramArguments
import TerminalCore

/// The options of a feed from Betfair, for every command.
struct BetfairOptions: ParsableArguments {
  @Option(help: .setting("betfair_app_key_file", valueName: "file"))
  var betfairAppKeyFile: String?

  @Option(help: .setting("betfair_identity", valueName: "url"))
  var betfairIdentity: String?

  @Option(help: .setting("betfair_keep_alive", valueName: "url"))
  var betfairKeepAlive: String?

  @Option(name: .customLong("betfair-api"), help: .setting("betfair_api", valueName: "url"))
  var betfairAPI: String?

  @Option(name: .customLong("betfair-conflate-ms"), help: .setting("betfair_conflate_ms", valueName: "ms"))
  var betfairConflateMs: TypedValue<Int>?

  @Option(help: .setting("client_cert", valueName: "file"))
  var clientCert: String?

  @Option(help: .setting("client_key", valueName: "file"))
  var clientKey: String?

  mutating func validate() throws {
    try ValidationError.checkEmpty(texts.map { ($0.name, $0.value) })
    try betfairConflateMs?.check("--betfair-conflate-ms", BetfairConnections.conflations)
  }

  /// The options that override a text of the configuration.
  private var texts: [(name: String, value: String?, path: WritableKeyPath<Configuration, String?>)] {
    [
      ("--betfair-app-key-file", betfairAppKeyFile, \.betfairAppKeyFile),
      ("--betfair-identity", betfairIdentity, \.betfairIdentity),
      ("--betfair-keep-alive", betfairKeepAlive, \.betfairKeepAlive), ("--betfair-api", betfairAPI, \.betfairAPI),
      ("--client-cert", clientCert, \.clientCert), ("--client-key", clientKey, \.clientKey),
    ]
  }

  /// The first option that is given; nil if there is none. These options have no effect on other feeds.
  var firstGiven: String? {
    texts.first { $0.value != nil }?.name ?? (betfairConflateMs == nil ? nil : "--betfair-conflate-ms")
  }

  func override(_ configuration: inout Configuration) {
    for (_, value, path) in texts { if let value { configuration[keyPath: path] = value } }
    if let conflation = betfairConflateMs?.value { configuration.betfairConflateMs = conflation }
  }
}

extension Configuration {
  /// Returns the addresses of Betfair's servers.
  ///
  /// - Throws: A `FeedError` that names the value and the remedy.
  func betfairAddress() throws(FeedError) -> BetfairAddress {
    try BetfairAddress(
      feed ?? "", identity: betfairIdentity, keepAlive: betfairKeepAlive, api: betfairAPI,
      hasCertificate: clientCert != nil)
  }
}

extension FeedOptions {
  /// Throws if the options are incomplete for Betfair, or have no effect there.
  func checkBetfair() throws {
    let feed = (configuration.feed ?? "").cleaned
    let option = network.firstOfAccounts ?? (matches == nil ? nil : "--matches")
    if let option { throw ValidationError(.usageNoEffectOnFeed, option, feed) }
    if configuration.betfairAppKeyFile == nil {
      throw ValidationError(.usageBetfairNeeds, feed, "--betfair-app-key-file FILE")
    }
    if user == nil { throw ValidationError(.usageBetfairNeeds, feed, "--login USER") }
    switch (configuration.clientCert, configuration.clientKey) {
    case (nil, nil), (_?, _?): break
    case (nil, _?): throw ValidationError(.usageClientPair, "--client-key", "--client-cert FILE")
    case (_?, nil): throw ValidationError(.usageClientPair, "--client-cert", "--client-key FILE")
    }
  }

  /// Opens the feed. Asks for the password if necessary.
  func betfair(_ channels: [BoardChannel]) throws -> Feed {
    let address = try configuration.betfairAddress()
    let key = try Credentials.appKey(file: configuration.betfairAppKeyFile ?? "")
    var certificate: ClientCertificate?
    if let file = configuration.clientCert, let keyFile = configuration.clientKey {
      certificate = try ClientCertificate(certificateFile: file, keyFile: keyFile)
    }
    let user = user ?? ""
    let password = try Passwords.password(
      of: user, given: Passwords.consumeFromEnvironment(), descriptor: credentials.passwordFD?.value)
    let connections = try BetfairConnections(
      address, .init(appKey: key, user: user, password: password, certificate: certificate),
      agent: "toteboard/\(TOTEBOARD_VERSION)", caFile: configuration.caFile,
      proxies: ProxyRules(environment: environment()))
    return Feed(
      transport: connections.session(conflateMs: configuration.betfairConflateMs), channels: channels,
      channelIndex: try channelIndex(in: channels), betfair: connections,
      provider: .betfair, address: configuration.feed)
  }
}
