import ArgumentParser
import Dashboard
import FeedClient
import FeedSimulator
import OddsFeed
import TerminalCore
import TerminalCurses

/// The board's own options, and the board itself.
struct BoardOptions: ParsableArguments {
  @Option(help: "At most this many frames a second, 1 to 1000.")
  var fps = 60

  @Option(help: "Show each match's changes at most once in this time: off, 50ms, 1s, …, up to 60s.")
  var throttle = ThrottleInterval(duration: .zero)

  @Option(help: "Play a recording that much faster, 0.01 to 1000, or as fast as it can be: max. (default: 1)")
  var speed: SpeedOption?

  mutating func validate() throws {
    guard 1...1000 ~= fps else { throw ValidationError("--fps '\(fps)' is out of range: give 1 to 1000") }
  }

  /// Only a recording has times to go by.
  func validate(with options: FeedOptions) throws {
    guard speed != nil else { return }
    if options.feed == nil {
      throw ValidationError(
        "--speed is for recordings: give one with --feed FILE, or pace the simulated feed with --rate")
    }
    if options.feed == "-" || options.isPipe {
      throw ValidationError(
        "--speed is for files, and '\(options.feed!)' is a pipe, which plays as it comes: leave it out")
    }
  }

  func run(_ options: FeedOptions) throws {
    // Reads as far apart as frames: what is read then finds its frame due.
    let feed = try options.openFeed(interval: .seconds(1) / fps, speed: speed?.speed ?? .times(1))
    let transport = feed.transport
    let terminal = try Terminal.open(environment: environment())
    let loop = terminal.loop
    let state = BoardState(
      size: terminal.screen.size, channels: feed.channels, feedName: options.name, throttle: throttle.duration,
      rate: feed.simulated == nil ? nil : options.rate, channel: feed.place)
    let provider = Provider(transport: transport, options: options.bounds.options)
    let runtime = BoardRuntime(
      state: state, screen: terminal.screen, input: loop,
      source: ProviderChannels(provider: provider, simulated: feed.simulated, recording: feed.recording),
      executor: loop,
      framesPerSecond: fps, clock: BoardClock(wall: World.wallTime, zone: SystemZone.offset))
    let reading = Task.detached { await provider.run() }
    Task(executorPreference: loop) {
      await runtime.run()
      loop.stop()
    }
    loop.run()
    reading.cancel()
    Terminal.close()
  }
}

/// A throttle's interval as it is written: `off`, `250ms`, `1s`; a bare number is milliseconds.
struct ThrottleInterval: ExpressibleByArgument, CustomStringConvertible {
  let duration: Duration

  init(duration: Duration) { self.duration = duration }

  init?(argument: String) {
    if argument == "off" {
      duration = .zero
      return
    }
    let (digits, unit) =
      argument.hasSuffix("ms")
      ? (argument.dropLast(2), 1) : argument.hasSuffix("s") ? (argument.dropLast(), 1000) : (argument[...], 1)
    guard let count = Int(digits), count >= 0, count <= 60_000 / unit else { return nil }
    duration = .milliseconds(count * unit)
  }

  var description: String { duration == .zero ? "off" : "\(duration / .milliseconds(1))ms" }
}

/// The feed's stores as the board's channels.
struct ProviderChannels: ChannelSource {
  let provider: Provider
  let simulated: SimulatedConnector?
  /// Nil where the feed is no recording, or one without times.
  let recording: RecordingTransport?

  func open(_ channel: BoardChannel, onPending: @escaping @Sendable () -> Void) async -> any OpenChannel {
    let share = await provider.subscribe(to: channel.topic)
    return SubscribedChannel(share: share, reader: await share.reader(onPending: onPending))
  }

  func setRate(_ updatesPerSecond: Double) async {
    simulated?.setRate(updatesPerSecond)
  }

  func playback() -> Playback? { recording.map { Playback($0.status) } }

  func togglePause() { recording?.togglePause() }

  func seek(by step: Duration) { recording?.seek(by: step) }
}

struct SubscribedChannel: OpenChannel {
  let share: ChannelSubscription
  let reader: ChannelReader

  func take() -> ChannelUpdate? {
    guard let changes = reader.take() else { return nil }
    return ChannelUpdate(
      changed: changes.changed, removed: changes.removed, oddsUpdates: changes.received.oddsUpdates,
      conflated: changes.conflated, connection: changes.connection, isLoaded: changes.isLoaded,
      staleness: changes.staleness, lastSign: changes.lastSign, topic: changes.topic, source: changes.source,
      apiProblem: changes.apiProblem)
  }

  func health() async -> ChannelHealth { await share.store.health }

  func close() async { await share.cancel() }
}
