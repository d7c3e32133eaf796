import ArgumentParser
import CLibrary
import Dashboard
import FeedNetwork
import FeedSimulator
import Localization
import OddsModel
import Platform
import ProgramArguments
import TerminalCore

/// The options of the feed, for every command.
struct FeedOptions: ParsableArguments {
  @Option(help: .setting("feed", valueName: "feed"))
  var feed: String?

  @Option(help: .setting("matches"))
  var matches: TypedValue<Int>?

  @Option(help: .setting("rate"))
  var rate: TypedValue<Double>?

  @Option(help: .setting("seed"))
  var seed: TypedValue<UInt64>?

  @Option(help: .setting("first_channel"))
  var channel: String?

  @Option(help: .phrase(.optionConfig, valueName: "file"))
  var config: String?

  @Option(help: .setting("pipe_timeout", valueName: "time"))
  var pipeTimeout: TypedValue<PipeTimeout>?

  @OptionGroup var network: NetworkOptions
  @OptionGroup var betfair: BetfairOptions
  @OptionGroup var credentials: LoginOptions
  @OptionGroup var bounds: StoreLimitOptions
  @OptionGroup var speech: LanguageOption

  /// The configuration of the user's file, overridden by the options. Set by `configure()`.
  var configuration = Configuration()
  /// The state of the user's file before it was read; nil if there is none. Set by `configure()`.
  private(set) var configState: FileState?

  enum CodingKeys: String, CodingKey {
    case feed, matches, rate, seed, channel, config, pipeTimeout, network, betfair, credentials, bounds, speech
  }

  mutating func validate() throws {
    if feed == "" { throw ValidationError(.usageFeedEmpty) }
    try ValidationError.checkEmpty([("--channel", channel), ("--config", config)])
    try matches?.check("--matches", SimulatorOptions.matchRange)
    try rate?.check("--rate", SimulatorOptions.rateRange) { $0 < 1 ? "\($0)" : "\(Int($0))" }
    try seed?.check("--seed", 0...UInt64.max)
    if let pipeTimeout, pipeTimeout.value == nil {
      throw ValidationError(.configNoTime, "--pipe-timeout", pipeTimeout.text.cleaned)
    }
  }

  /// Reads the user's file and checks the options with it. NB: not part of `validate()`, because the parser validates
  /// the options of a command before those of its subcommands.
  mutating func configure() throws {
    // Before the program opens descriptors: one could get the number.
    let password = Result { try Passwords.check(credentials.passwordFD?.value) }
    try OpenFiles.check()
    // NB: Before the reading, so that a later change is noticed.
    configState = configFile.map { FileState($0.path) }
    configuration = override(try configured())
    if user != nil { try password.get() }
    bounds.fill(from: configuration)
    _ = try simulatorOptions()
    if configuration.feed == nil { _ = try channelIndex(in: simulatedChannels) }
    try checkEffect()
    if isNetworked {
      if provider == .polymarket, let option = network.firstOfAccounts {
        throw ValidationError(.usageNoEffectOnFeed, option, (configuration.feed ?? "").cleaned)
      }
      if provider == .betfair { try checkBetfair() }
      _ = try networkedChannels()
    } else if let option = network.firstGiven {
      throw ValidationError(.usageNetworkOnly, option)
    }
    if provider != .betfair, let option = betfair.firstGiven { throw ValidationError(.usageOnBetfairOnly, option) }
    if pipeTimeout != nil, !mayBePipe { throw ValidationError(.usagePipeTimeoutOnly) }
  }

  /// Throws if an option has no effect on the feed.
  private func checkEffect() throws {
    guard let feed = configuration.feed else { return }
    let simulated = [("--rate", rate != nil), ("--seed", seed != nil)]
    if let (option, _) = simulated.first(where: \.1) {
      throw ValidationError(.usageSimulatedOnly, option, feed.cleaned)
    }
    if matches != nil, !isNetworked { throw ValidationError(.usageNotOnFile, "--matches", feed.cleaned) }
    if channel != nil, feed == "-" || isPipe { throw ValidationError(.usageNotOnFile, "--channel", feed.cleaned) }
  }

  func channelIndex(in channels: [BoardChannel]) throws -> Int {
    guard let channel = configuration.channel else { return 0 }
    guard let index = channels.firstIndex(where: { $0.isCalled(channel) }) else {
      throw ValidationError(.usageUnknownChannel, channel, LocalizedMessage.list(channels.map { $0.name.lowercased() }))
    }
    return index
  }

  /// True if the feed is an address, a list of addresses or the name of a provider. False for a file, a pipe and the
  /// simulated feed.
  var isNetworked: Bool { configuration.feed.map { Self.isAddress($0) } ?? false }

  /// Returns true if a feed is an address, a list of addresses or the name of a provider, not a path.
  static func isAddress(_ feed: String) -> Bool { feed.contains("://") || FeedProvider(of: feed) != .everyMatrix }

  /// True if the feed has accounts to log in to.
  var hasAccounts: Bool { isNetworked && provider.hasAccounts }

  /// The provider of the feed. EveryMatrix for a file, a pipe and the simulated feed.
  var provider: FeedProvider { FeedProvider(of: configuration.feed) }

  /// Returns the name of the feed for the header.
  func name(in words: Catalog) -> String {
    switch configuration.feed {
    case nil: words(.feedSimulated)
    case "-"?: "stdin"
    case let address? where provider == .polymarket: (try? PolymarketAddress(address))?.name ?? address
    case let address? where provider == .betfair: (try? configuration.betfairAddress())?.name ?? address
    case let address? where isNetworked: (try? FeedAddress(address))?.host ?? address
    case let path?: String(path.split(separator: "/").last ?? "feed")
    }
  }

  func simulatorOptions() throws -> SimulatorOptions {
    do {
      return try SimulatorOptions(
        matches: configuration.matches, seed: configuration.seed, rate: configuration.rate,
        startTime: ClientClock.wallTime())
    } catch { throw ValidationError("--\(CLILanguage.words.text(error.sentence))") }
  }

  /// True if the feed exists and is not a regular file.
  var isPipe: Bool {
    var status = stat()
    guard let feed = configuration.feed, stat(feed, &status) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFREG
  }

  /// False if the feed is simulated, an address, or an existing regular file.
  private var mayBePipe: Bool {
    var status = stat()
    guard let feed = configuration.feed, !isNetworked else { return false }
    return feed == "-" || isPipe || stat(feed, &status) != 0
  }
}
