import ArgumentParser
import Dashboard
import FeedClient
import FeedNetwork
import FeedSimulator
import Localization
import OddsFeed
import ProgramArguments
import TerminalCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Which feed, for every command.
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
  var pipeTimeout: PipeTimeout?

  @OptionGroup var network: NetworkOptions
  @OptionGroup var bounds: StoreLimitOptions
  @OptionGroup var speech: SpeechOption

  /// What the user's file and the options say, these before that; after `configure`.
  var configuration = Configuration()

  enum CodingKeys: String, CodingKey {
    case feed, matches, rate, seed, channel, config, pipeTimeout, network, bounds, speech
  }

  mutating func validate() throws {
    if feed == "" { throw ValidationError(.usageFeedEmpty) }
    try ValidationError.checkEmpty([("--channel", channel), ("--config", config)])
    try matches?.check("--matches", SimulatorOptions.matchRange)
    try rate?.check("--rate", SimulatorOptions.rateRange) { $0 < 1 ? "\($0)" : "\(Int($0))" }
    try seed?.check("--seed", 0...UInt64.max)
  }

  /// Takes what the user's file says. NB: no part of `validate`, which each command's options go through before those of
  /// its subcommands.
  mutating func configure() throws {
    try OpenFiles.check()
    configuration = override(try configured())
    bounds.fill(from: configuration)
    _ = try simulatorOptions()
    if configuration.feed == nil { _ = try place(in: simulatedChannels) }
    try checkEffect()
    if isNetworked {
      _ = try networkedChannels()
    } else if let option = network.firstGiven {
      throw ValidationError(.usageNetworkOnly, option)
    }
    if pipeTimeout != nil, !mayBePipe { throw ValidationError(.usagePipeTimeoutOnly) }
  }

  /// Throws where an option has no effect on the feed.
  private func checkEffect() throws {
    guard let feed = configuration.feed else { return }
    let simulated = [("--rate", rate != nil), ("--seed", seed != nil)]
    if let option = simulated.first(where: \.1) {
      throw ValidationError(.usageSimulatedOnly, option.0, feed.cleaned)
    }
    if matches != nil, !isNetworked { throw ValidationError(.usageNotOnFile, "--matches", feed.cleaned) }
    if channel != nil, feed == "-" || isPipe {
      throw ValidationError(.usageNotOnFile, "--channel", feed.cleaned)
    }
  }

  /// A feed that is open: the line to it, and what it shows.
  struct Feed {
    var transport: any FeedTransport
    let channels: [BoardChannel]
    /// Where the chosen channel stands in `channels`.
    let place: Int

    /// A recording with times: one that can be paused, and jumped in.
    var recording: RecordingTransport?

    /// The server in this process.
    var simulated: SimulatedConnector?

    /// The ways to a feed over a network.
    var network: FeedConnections?

    /// Where that is, and the realm there: what is kept of a feed is that feed's alone.
    var address: String?

    /// Where the last boards of a feed at an address are kept; nil for any other feed.
    var cache: BoardCache?

    /// Whether there is a line that can be lost and had again.
    var canReconnect: Bool { network != nil }

    /// Ends the line, and what it stands on; what takes longer than a moment ends with the process.
    func close() async {
      await transport.disconnect()
      guard let network else { return }
      await within(.milliseconds(250)) { await network.shutDown() }
    }

    /// False where more may always come.
    var hasEnd: Bool { simulated == nil && network == nil }

    /// What the chosen channel shows.
    var topic: Topic { channels[place].topic }
  }

  /// Opens the feed. `interval` is the least time between two reads of a pipe; `speed` is a recording's.
  func openFeed(interval: Duration = .zero, speed: PlaybackSpeed = .max) throws -> Feed {
    guard let feed = configuration.feed else { return try simulated() }
    if isNetworked { return try networked() }
    let descriptor = try descriptor()
    guard feed != "-", Self.isFile(descriptor) else { return piped(descriptor, interval: interval) }
    let recording: Recording
    do { recording = try Recording(descriptor: descriptor) } catch {
      throw Failure(.failureOf, name(in: CLILanguage.words), error.sentence)
    }
    close(descriptor)
    let channels = recording.channels
    let transport = RecordingTransport(recording: recording, speed: speed)
    return Feed(
      transport: transport, channels: channels, place: try place(in: channels),
      recording: recording.hasTimes ? transport : nil)
  }

  /// Opens the feed to have all that it sends: of a file every line, whatever its topic. Throws where a channel of a file is
  /// named.
  func openWhole() throws -> Feed {
    if isNetworked { return try networked() }
    if channel != nil, let feed = configuration.feed {
      throw ValidationError(.usageNotOnFile, "--channel", feed.cleaned)
    }
    return configuration.feed == nil ? try simulated() : piped(try descriptor(), interval: .zero)
  }

  private static let pipeChannels = [BoardChannel(title: CLILanguage.words(.channelFeed), topic: Recording.bareTopic)]

  var simulatedChannels: [BoardChannel] {
    configuration.channels(TopicTemplate(ofSimulated: configuration))
  }

  private func simulated() throws -> Feed {
    let channels = simulatedChannels
    let server = SimulatedConnector(options: try simulatorOptions())
    let session = FeedSession(connector: server, realm: "simulated")
    return Feed(transport: session, channels: channels, place: try place(in: channels), simulated: server)
  }

  /// A pipe is one channel, whatever the user calls it.
  private func piped(_ descriptor: Int32, interval: Duration) -> Feed {
    let timeout = configuration.pipeTimeout.duration
    let transport = NDJSONTransport(descriptor: descriptor, interval: interval, timeout: timeout)
    return Feed(transport: transport, channels: Self.pipeChannels, place: 0)
  }

  func place(in channels: [BoardChannel]) throws -> Int {
    guard let channel = configuration.channel else { return 0 }
    guard let place = channels.firstIndex(where: { $0.isCalled(channel) }) else {
      throw ValidationError(.usageUnknownChannel, channel, LocalizedMessage.list(channels.map { $0.name.lowercased() }))
    }
    return place
  }

  /// True where the feed is an address, not a file.
  var isNetworked: Bool { configuration.feed?.contains("://") ?? false }

  /// What the header calls the feed.
  func name(in words: Catalog) -> String {
    switch configuration.feed {
    case nil: words(.feedSimulated)
    case "-"?: "stdin"
    case let address? where isNetworked: (try? FeedAddress(address))?.host ?? address
    case let path?: String(path.split(separator: "/").last ?? "feed")
    }
  }

  private func simulatorOptions() throws -> SimulatorOptions {
    do {
      return try SimulatorOptions(
        matches: configuration.matches, seed: configuration.seed, rate: configuration.rate,
        startTime: ClientClock.wallTime())
    } catch {
      throw ValidationError("--\(CLILanguage.words.text(error.sentence))")
    }
  }

  /// True where the feed is there and no regular file.
  var isPipe: Bool {
    var status = stat()
    guard let feed = configuration.feed, stat(feed, &status) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFREG
  }

  /// False where the feed is simulated, an address, or a file that is no pipe.
  private var mayBePipe: Bool {
    var status = stat()
    guard let feed = configuration.feed, !isNetworked else { return false }
    return feed == "-" || isPipe || stat(feed, &status) != 0
  }

  private func descriptor() throws -> Int32 {
    let feed = configuration.feed ?? ""
    return feed == "-" ? try Self.standardInput() : try Self.openFile(feed)
  }

  private static func isFile(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private static func standardInput() throws -> Int32 {
    guard fcntl(0, F_GETFD) >= 0 else { throw Failure(.failureInputClosed) }
    return 0
  }

  /// Does not wait for somebody to write to a FIFO: whoever reads it waits, and can be told to stop.
  private static func openFile(_ path: String) throws -> Int32 {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Failure(.failureFeedUnopened, path, LocalizedMessage.ofLastCall) }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFIFO {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    }
    return descriptor
  }
}
