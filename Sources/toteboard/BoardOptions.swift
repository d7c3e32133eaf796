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
    if options.isNetworked {
      throw ValidationError("--speed is for recordings, and '\(options.feed!)' plays as it comes: leave it out")
    }
    if options.feed == "-" || options.isPipe {
      throw ValidationError(
        "--speed is for files, and '\(options.feed!)' is a pipe, which plays as it comes: leave it out")
    }
  }

  func run(_ options: FeedOptions) throws {
    // Reads as far apart as frames: what is read then finds its frame due.
    let feed = options.staged(try options.openFeed(interval: .seconds(1) / fps, speed: speed?.speed ?? .times(1)))
    // A log on the terminal would stand in the middle of the board.
    LoggingSystem.bootstrap { label in
      let handler: any LogHandler =
        isatty(STDERR_FILENO) == 1 ? SwiftLogNoOpLogHandler() : StreamLogHandler.standardError(label: label)
      return handler
    }
    let terminal = try Terminal.open(environment: environment())
    let loop = terminal.loop
    let state = BoardState(
      size: terminal.screen.size, channels: feed.channels, feedName: options.name, throttle: throttle.duration,
      rate: feed.simulated == nil ? nil : options.rate, channel: feed.place, canReconnect: feed.canReconnect,
      words: terminal.screen.glyphs == .ascii ? Speech.words.ascii : Speech.words)
    let service = ProviderService(feed, bounds: options.bounds)
    let runtime = BoardRuntime(
      state: state, screen: terminal.screen, input: loop,
      service: service, executor: loop, framesPerSecond: fps,
      clock: BoardClock(wall: World.wallTime, zone: SystemZone.offset))
    let watch = feed.network == nil ? nil : NetworkWatch { Task { await service.networkChanged() } }
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
