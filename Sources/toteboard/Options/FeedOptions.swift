import ArgumentParser
import CLibrary
import Dashboard
import EveryMatrix
import FeedNetwork
import FeedRecording
import FeedSimulator
import Localization
import OddsClient
import OddsFeed
import OddsModel
import Platform
import Polymarket
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
  @OptionGroup var speech: SpeechOption

  /// The configuration of the user's file, overridden by the options. Set by `configure()`.
  var configuration = Configuration()

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
    configuration = override(try configured())
    if user != nil { try password.get() }
    bounds.fill(from: configuration)
    _ = try simulatorOptions()
    if configuration.feed == nil { _ = try place(in: simulatedChannels) }
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

  struct Feed {
    var transport: any FeedTransport
    let channels: [BoardChannel]
    /// The index of the selected channel in `channels`.
    let place: Int

    /// The transport of a pipe; nil for other feeds.
    var pipe: NDJSONTransport?

    /// The transport of a recording with times, which can pause and seek; nil for other feeds.
    var recording: RecordingTransport?

    /// The simulated server in this process; nil for other feeds.
    var simulated: SimulatedConnector?

    /// The connections to an EveryMatrix feed over a network; nil for other feeds.
    var network: FeedConnections?

    /// The connections to a Polymarket server; nil for other feeds.
    var polymarket: PolymarketConnections?

    /// The connections to Betfair; nil for other feeds.
    var betfair: BetfairConnections?

    /// The provider, for a feed without end.
    var provider = FeedProvider.everyMatrix

    /// The addresses and realms of a feed over a network, by which its stored data is kept separate; nil for other feeds.
    var address: String?

    /// Returns the address in use; nil if the feed does not have several.
    var currentAddress: (@Sendable () -> CurrentAddress)?

    /// The cache of a feed over a network; nil for other feeds.
    var cache: BoardCache?

    /// The topics of the feed; nil for a recording and a pipe, whose content is fixed.
    var catalog: (any FeedCatalog)? { hasEnd ? nil : provider.catalog }

    /// True if the feed has a connection that can be lost and reestablished.
    var canReconnect: Bool { network != nil || polymarket != nil || betfair != nil }

    /// Closes the transport and its connections. A shutdown that takes more than 250 ms ends with the process.
    func close() async {
      await transport.disconnect()
      if !canReconnect { return }
      await within(.milliseconds(250)) {
        await network?.shutDown()
        await polymarket?.shutDown()
        await betfair?.shutDown()
      }
    }

    /// True for a file, whose prices are those of the past.
    var isFile = false

    /// False if the feed can always send more.
    var hasEnd: Bool { simulated == nil && !canReconnect }

    var topic: Topic { channels[place].topic }
  }

  /// Opens the feed. `interval` is the least time between two reads of a pipe; `speed` is for a recording.
  func openFeed(interval: Duration = .zero, speed: PlaybackSpeed = .max) throws -> Feed {
    guard let feed = configuration.feed else { return try simulated() }
    if isNetworked { return try networked() }
    let descriptor = try descriptor()
    guard feed != "-", Self.isFile(descriptor) else { return piped(descriptor, interval: interval) }
    let recording: Recording
    do {
      recording = try Recording(descriptor: descriptor, format: DetectedFormat.ofAnyProvider.format(of: descriptor))
    } catch {
      throw CommandError(.failureOf, name(in: CLILanguage.words), error.sentence)
    }
    close(descriptor)
    let channels = recording.channels
    let transport = RecordingTransport(recording: recording, speed: speed)
    return Feed(
      transport: transport, channels: channels, place: try place(in: channels),
      recording: recording.hasTimes ? transport : nil, isFile: true)
  }

  /// Opens the feed to receive everything it sends: for a file every line, whatever its topic.
  func openWhole() throws -> Feed {
    if isNetworked { return try networked() }
    return configuration.feed == nil ? try simulated() : piped(try descriptor(), interval: .zero)
  }

  private static let pipeChannels = [BoardChannel(title: CLILanguage.words(.channelFeed), topic: Recording.bareTopic)]

  var simulatedChannels: [BoardChannel] { configuration.channels(TopicTemplate(ofSimulated: configuration)) }

  private func simulated() throws -> Feed {
    let channels = simulatedChannels
    let server = SimulatedConnector(options: try simulatorOptions())
    let session = FeedSession(connector: server, realm: "simulated")
    return Feed(transport: session, channels: channels, place: try place(in: channels), simulated: server)
  }

  /// Opens a pipe, which is a single channel, independent of the selected channel's name.
  private func piped(_ descriptor: Int32, interval: Duration) -> Feed {
    let timeout = configuration.pipeTimeout.duration
    let transport = NDJSONTransport(
      descriptor: descriptor, format: DetectedFormat.ofAnyProvider, interval: interval, timeout: timeout)
    return Feed(transport: transport, channels: Self.pipeChannels, place: 0, pipe: transport)
  }

  func place(in channels: [BoardChannel]) throws -> Int {
    guard let channel = configuration.channel else { return 0 }
    guard let place = channels.firstIndex(where: { $0.isCalled(channel) }) else {
      throw ValidationError(.usageUnknownChannel, channel, LocalizedMessage.list(channels.map { $0.name.lowercased() }))
    }
    return place
  }

  /// True if the feed is an address or a list of addresses, not a file.
  var isNetworked: Bool { configuration.feed?.contains("://") ?? false || provider != .everyMatrix }

  /// True if the feed has accounts to log in to.
  var hasAccounts: Bool { isNetworked && provider.hasAccounts }

  /// The provider of the feed, if it is an address.
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

  private func simulatorOptions() throws -> SimulatorOptions {
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

  /// Opens the feed's file, or returns standard input. Leaves the wait for a FIFO's writer to the reader.
  private func descriptor() throws -> Int32 {
    let path = configuration.feed ?? ""
    if path == "-" {
      guard fcntl(0, F_GETFD) >= 0 else { throw CommandError(.failureInputClosed) }
      return 0
    }
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw CommandError(.failureFeedUnopened, path, LocalizedMessage.ofLastCall) }
    var status = stat()
    if fstat(file, &status) == 0, status.st_mode & S_IFMT != S_IFIFO {
      _ = fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK)
    }
    guard Self.isFile(file) else { return file }
    do {
      guard let plain = try BZip2File.decompressed(file) else { return file }
      close(file)
      return plain
    } catch { throw CommandError(.failureOf, path, error.sentence) }
  }

  private static func isFile(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
