import Dashboard
import Dispatch
import FeedClient
import Localization
import OddsFeed
import Platform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// `toteboard --plain`: the board as lines on standard output, until the feed ends, somebody asks for an end, or nobody
/// reads any more. What a slow reader does not take is merged: lines are made when they can be written.
struct PlainRuntime {
  let feed: FeedOptions.Feed
  let bounds: StoreLimitOptions
  let configuration: Configuration
  let filter: String

  /// How long nobody looks whether there is a reader still.
  private static let patience = Duration.seconds(1)

  /// Blocks the caller's thread meanwhile.
  func run() throws {
    let bell = DispatchSemaphore(value: 0)
    let isOver = Locked(false)
    let signals = TerminationSignals {
      isOver.withLock { $0 = true }
      bell.signal()
    }
    defer { signals.cancel() }
    let service = ProviderService(feed, bounds: bounds)
    let shown = feed.channels[feed.place]
    let channel = wait {
      await service.connect()
      return await service.open(shown) { bell.signal() }
    }
    var board = try PlainBoard(
      title: shown.title, settings: configuration.settings, filter: filter, words: CLILanguage.words)
    let start = ContinuousClock.now
    defer {
      wait {
        await channel.close()
        await service.disconnect()
      }
    }
    while !board.isOver, !isOver.withLock({ $0 }) {
      guard try hasRoom() else { continue }
      let now = moment(since: start)
      if let update = channel.take() { board.take(update, at: now) }
      for line in board.lines(at: now) {
        while try !hasRoom() { if isOver.withLock({ $0 }) { return try signals.rethrow() } }
        try Output.send(Array(line.utf8) + [UInt8(ascii: "\n")])
      }
      let pause = min(Self.patience, board.nextLine(after: now).map { max(.zero, $0 - now.uptime) } ?? Self.patience)
      _ = bell.wait(timeout: .now() + .nanoseconds(Int(pause / .nanoseconds(1))))
    }
    if let failure = board.failure { throw Failure(failure.sentence) }
    try signals.rethrow()
  }

  /// False where the reader has taken nothing for a moment: what is written then would make us wait for it.
  private func hasRoom() throws -> Bool {
    var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    let count = poll(&output, 1, 100)
    if count > 0, output.revents & Int16(POLLERR) != 0 { throw ClosedPipe() }
    return count > 0
  }

  private func moment(since start: ContinuousClock.Instant) -> FrameTime {
    let wall = ClientClock.wallTime()
    return FrameTime(uptime: ContinuousClock.now - start, wall: wall, zone: configuration.zone.offset(wall))
  }

  /// Runs what does not block to its end, on other threads.
  @discardableResult
  private func wait<Result: Sendable>(_ work: @escaping @Sendable () async -> Result) -> Result {
    let done = DispatchSemaphore(value: 0)
    let result = Locked<Result?>(nil)
    Task.detached {
      let value = await work()
      result.withLock { $0 = value }
      done.signal()
    }
    done.wait()
    return result.withLock { $0! }
  }
}
