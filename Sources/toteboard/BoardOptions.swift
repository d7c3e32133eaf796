import ArgumentParser
import Dashboard
import FeedClient
import FeedNetwork
import Logging
import OddsFeed
import TerminalCore
import TerminalCurses
import Wording

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The board's own options, and the board itself.
struct BoardOptions: ParsableArguments {
  @Option(help: .phrase(.optionFPS))
  var fps = 60

  @Option(help: .phrase(.optionThrottle))
  var throttle = ThrottleInterval(duration: .zero)

  @Option(help: .phrase(.optionSpeed))
  var speed: SpeedOption?

  @OptionGroup var account: AccountOptions

  mutating func validate() throws {
    guard 1...1000 ~= fps else { throw ValidationError(.usageOutOfRange, "--fps", "\(fps)", "1", "1000") }
  }

  /// Only a recording has times to go by.
  func validate(with options: FeedOptions) throws {
    try account.validate(with: options)
    guard speed != nil else { return }
    guard let feed = options.feed else { throw ValidationError(.usageSpeedNeedsRecording) }
    if options.isNetworked { throw ValidationError(.usageSpeedOnNetwork, feed) }
    if feed == "-" || options.isPipe { throw ValidationError(.usageSpeedOnPipe, feed) }
  }

  func run(_ options: FeedOptions) throws {
    try Passwords.check(account.passwordFD)
    // Reads as far apart as frames: what is read then finds its frame due.
    let feed = options.staged(try options.openFeed(interval: .seconds(1) / fps, speed: speed?.speed ?? .times(1)))
    // A log on the terminal would stand in the middle of the board.
    LoggingSystem.bootstrap { label in
      let handler: any LogHandler =
        isatty(STDERR_FILENO) == 1 ? SwiftLogNoOpLogHandler() : StreamLogHandler.standardError(label: label)
      return handler
    }
    let account = try account(of: feed)
    let terminal = try Terminal.open(environment: environment())
    let loop = terminal.loop
    let isASCII = terminal.screen.glyphs == .ascii
    let words = isASCII ? Speech.words.ascii : Speech.words
    let state = BoardState(
      size: terminal.screen.size, channels: isASCII ? feed.channels.map(\.inASCII) : feed.channels,
      feedName: options.name(in: words), throttle: throttle.duration,
      rate: feed.simulated == nil ? nil : options.rate, channel: feed.place, canReconnect: feed.canReconnect,
      words: words)
    let service = ProviderService(feed, bounds: options.bounds)
    if let account { service.showTokens(of: account.client) }
    let runtime = BoardRuntime(
      state: state, screen: terminal.screen, input: loop,
      service: service, account: account?.service, executor: loop, framesPerSecond: fps,
      clock: BoardClock(wall: World.wallTime, zone: SystemZone.offset))
    let watch =
      feed.network == nil
      ? nil
      : NetworkWatch {
        Task {
          await account?.service.retry()
          await service.networkChanged()
        }
      }
    Task(executorPreference: loop) {
      await runtime.run()
      loop.stop()
    }
    withExtendedLifetime(watch) { loop.run() }
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
