import CLibrary
import Dashboard
import Dispatch
import Localization
import OddsHistory
import OddsModel
import Platform

/// The dashboard as lines on standard output, until the feed ends, a signal arrives or the output is closed. A reader
/// that does not read delays nothing but its lines. Lines are created only when they can be written, so that a slow
/// reader gets the newest states.
struct PlainRuntime {
  let feed: FeedOptions.Feed
  let bounds: StoreLimitOptions
  let configuration: Configuration
  let filter: String
  let clock: BoardClock
  /// The writer of the history; nil if none is written.
  let history: HistoryRecorder?
  /// The delivery of the alerts; nil for a file.
  let alerts: AlertDelivery?

  /// The longest interval between checks that the output still has a reader.
  private static let maxWait = Duration.seconds(1)
  /// The interval between checks for room in a full output.
  private static let roomInterval = Duration.milliseconds(100)

  /// Runs to the end. Blocks the calling thread.
  func run() throws {
    let bell = DispatchSemaphore(value: 0)
    let isOver = Locked(false)
    let signals = TerminationSignals {
      isOver.withLock { $0 = true }
      bell.signal()
    }
    defer { signals.cancel() }
    // No limit: the board limits its lines.
    let lines = LineWriter(to: STDOUT_FILENO, limit: .max, onIdle: { bell.signal() })
    let service = ProviderService(feed, bounds: bounds, history: history)
    let shown = feed.channels[feed.channelIndex]
    let channel = Blocking.wait {
      await service.connect()
      return await service.open(shown.topic) { bell.signal() }
    }
    var board = try PlainBoard(
      title: shown.title, settings: configuration.settings, filter: filter, readsHistory: history != nil,
      words: CLILanguage.words)
    let past = history.map { AlertHistoryFetcher($0) { bell.signal() } }
    let start = ContinuousClock.now
    defer {
      Blocking.wait {
        await channel.close()
        await service.disconnect()
        await alerts?.finish()
      }
    }
    while !board.isOver, !isOver.withLock({ $0 }) {
      let now = FrameTime(uptime: ContinuousClock.now - start, wall: clock.wall(), zone: clock.zone)
      if let update = channel.drain() { board.apply(update, now: now) }
      if let answers = past?.drain() { board.apply(answers, now: now) }
      board.tick(now: now)
      past?.fetch(board.drainRequests())
      alerts?.deliver(board.drainReports())
      try lines.check()
      let hasRoom = try lines.isIdle && Output.hasRoom()
      if hasRoom { for line in board.lines(now: now) { lines.send(Array("\(line)\n".utf8)) } }
      let deadline = hasRoom ? board.nextDeadline(after: now) : now.uptime + Self.roomInterval
      let pause = min(Self.maxWait, deadline.map { max(.zero, $0 - now.uptime) } ?? Self.maxWait)
      _ = bell.wait(timeout: .now() + .nanoseconds(Int(pause / .nanoseconds(1))))
    }
    while !lines.isIdle, !isOver.withLock({ $0 }) { bell.wait() }
    lines.finish()
    try lines.check()
    if let failure = board.failure { throw CommandError(failure.sentence) }
    try signals.rethrow()
  }
}
