import CLibrary
import Dashboard
import Dispatch
import Localization
import OddsModel
import Platform
import TerminalCore

/// Prints the alerts of a channel, hands them to the log, the command and the webhook, and writes the history,
/// until the feed ends, a signal arrives or the output is closed. A reader that does not read delays nothing but its
/// lines.
struct AlertFollower {
  let feed: FeedOptions.Feed
  let bounds: StoreLimitOptions
  let configuration: Configuration
  let clock: BoardClock
  let format: AlertsCommand.Format
  /// The writer of the notes on standard error.
  let notes: LineWriter

  /// The longest interval between checks that the output still has a reader.
  private static let maxWait = Duration.seconds(1)

  /// Runs to the end. Blocks the calling thread.
  func run() throws {
    let bell = DispatchSemaphore(value: 0)
    let isOver = Locked(false)
    let signals = TerminationSignals {
      isOver.withLock { $0 = true }
      bell.signal()
    }
    defer { signals.cancel() }
    let notes = self.notes
    let lines = LineWriter(
      to: STDOUT_FILENO, onDrop: { notes.send(LocalizedMessage(.followDropped, $0)) }, onIdle: { bell.signal() })
    let delivery = try AlertDelivery(of: feed, configuration) { notes.send($0) }
    let history = HistoryOptions(configuration).recorder(of: feed) { notes.send($0) }
    let past = history.map { AlertHistoryFetcher($0) { bell.signal() } }
    let service = ProviderService(feed, bounds: bounds, history: history)
    let topic = feed.topic
    let channel = Blocking.wait {
      await service.connect()
      return await service.open(topic) { bell.signal() }
    }
    defer {
      Blocking.wait {
        // The processes end first: a connection may take its time.
        await delivery?.finish()
        await channel.close()
        await service.disconnect()
      }
    }
    var watch = AlertWatch(settings: configuration.settings, readsHistory: history != nil, words: CLILanguage.words)
    let output = AlertOutput(format)
    let start = ContinuousClock.now
    lines.send(output.header)
    while !watch.isOver, !isOver.withLock({ $0 }) {
      let now = FrameTime(uptime: ContinuousClock.now - start, wall: clock.wall(), zone: clock.zone)
      var reports = channel.drain().map { watch.apply($0, now: now) } ?? []
      if let answers = past?.drain() { reports += watch.apply(answers, now: now) }
      reports += watch.tick(now: now)
      past?.fetch(watch.drainRequests())
      delivery?.deliver(reports)
      if let note = watch.connectionNote(now: now) { notes.send(.verbatim(note)) }
      for rule in watch.drainUnseenRules() { notes.send(LocalizedMessage(.followUnseen, rule.text.cleaned)) }
      for report in reports {
        lines.send(output.line(AlertLogEntry(report, feed: AlertDelivery.name(of: feed, configuration))))
      }
      try lines.check()
      if lines.isIdle { _ = try Output.hasRoom() }
      let pause = min(
        Self.maxWait, watch.nextDeadline(after: now).map { max(.zero, $0 - now.uptime) } ?? Self.maxWait)
      _ = bell.wait(timeout: .now() + .nanoseconds(Int(pause / .nanoseconds(1))))
    }
    while !lines.isIdle, !isOver.withLock({ $0 }) { bell.wait() }
    lines.finish()
    try lines.check()
    if let failure = watch.failure { throw CommandError(failure.sentence) }
    try signals.rethrow()
  }
}
