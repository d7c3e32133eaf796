import ArgumentParser
import Dashboard
import FeedNetwork
import Localization
import OddsFeed
import Platform
import TerminalCore

@testable import toteboard

/// The board as the program makes it for `--feed …`, on a screen in memory.
final class FeedBoard: Sendable {
  let screen: SharedScreen
  let input = ScriptedInput()
  private let running: Task<Void, Never>

  init(_ address: String, _ arguments: [String] = [], size: Size = Size(rows: 24, columns: 80)) throws {
    var options = try FeedOptions.parse(["--feed", address, "--config", "/dev/null"] + arguments)
    try options.configure()
    let feed = try options.openFeed()
    let screen = SharedScreen(size: size)
    let state = BoardState(
      size: size, channels: feed.channels, feedName: options.name(in: .english), channel: feed.channelIndex,
      catalog: feed.catalog, canReconnect: feed.canReconnect, words: .english,
      settings: options.configuration.settings)
    let runtime = BoardRuntime(
      state: state, screen: screen, input: input, service: ProviderService(feed, bounds: options.bounds),
      executor: QueueExecutor(), framesPerSecond: 60,
      clock: BoardClock(wall: ClientClock.wallTime, zone: { _ in 0 }))
    running = Task { await runtime.run() }
    self.screen = screen
  }

  /// Quits the board as `q` does.
  func quit() async { await input.quit(running) }
}
