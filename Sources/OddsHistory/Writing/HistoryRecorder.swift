package import Localization
package import OddsFeed
import OddsModel
package import Platform

/// Writes the history of a feed while it is read. Neither the feed nor the screen waits for the disk: observations go
/// into a bounded queue, and a task of its own writes them once a second.
package actor HistoryRecorder {
  /// The number of observations from which older ones of the same match are dropped.
  private static let queueLimit = 20_000
  /// The interval of batches.
  private static let interval = Duration.seconds(1)
  /// The interval at which a run without changes extends the time up to which the history is complete, in milliseconds.
  private static let idleInterval: Int64 = 10_000
  /// The pause after an error, in milliseconds.
  private static let retryInterval: Int64 = 10_000

  package nonisolated let file: HistoryFile
  package nonisolated let feed: String
  private let clock: ClientClock
  private let onMessage: @Sendable (LocalizedMessage) -> Void
  private let onOpenings: (@Sendable (OpeningBatch) -> Void)?
  nonisolated let queue: ObservationQueue
  private nonisolated let lastChannel = Locked(0)
  private nonisolated let task = Locked<Task<Void, Never>?>(nil)
  private let check: @Sendable (HistoryFile) throws(HistoryError) -> Void

  private var detector = ChangeDetector()
  private var pruner: HistoryPruner
  private var writer: HistoryWriter?
  /// The number of times that the file was opened.
  private var openings = 0
  private var lastWrite = Int64.min
  private var retryAt = Int64.min
  private var lastTime = Int64.min
  /// True if entries were dropped since the last batch, so that the next one must state everything.
  private var hasLostEntries = false
  private var hasReportedError = false
  private var hasReportedDrop = false
  /// The number of observations that were dropped because the disk was too slow.
  package private(set) var dropped = 0
  /// The number of changes that were written.
  package var written: Int { earlierWritten + (writer?.changes ?? 0) }
  private var earlierWritten = 0

  /// Creates a recorder. Nothing happens before `start()`.
  ///
  /// - Parameters:
  ///   - feed: The name of the feed. Ids of matches are unique within a feed.
  ///   - check: Reads the whole file.
  ///   - onOpenings: Called, on any thread, with the opening prices that the file has of outcomes that have appeared.
  ///   - onMessage: Called, on any thread, with a problem that the user must know: once for each kind.
  package init(
    _ file: HistoryFile, feed: String, limits: HistoryLimits, clock: ClientClock,
    check: @escaping @Sendable (HistoryFile) throws(HistoryError) -> Void = { file throws(HistoryError) in
      try file.check()
    },
    onOpenings: (@Sendable (OpeningBatch) -> Void)? = nil,
    onMessage: @escaping @Sendable (LocalizedMessage) -> Void
  ) {
    self.check = check
    self.onOpenings = onOpenings
    self.file = file
    self.feed = feed
    self.clock = clock
    self.onMessage = onMessage
    queue = ObservationQueue(limit: Self.queueLimit)
    pruner = HistoryPruner(limits)
  }

  /// Starts to write. Called once.
  package nonisolated func start() {
    let task = Task.detached(executorPreference: FeedExecutor()) { [self, clock] in
      while !Task.isCancelled {
        await clock.sleep(clock.uptime() + Self.interval)
        await tick()
      }
      await end()
    }
    self.task.withLock { $0 = task }
  }

  /// Writes what is left and returns when the file is closed.
  package nonisolated func finish() async {
    let task = task.withLock { $0.take() }
    task?.cancel()
    await task?.value
  }

  /// Returns the follower of a channel's store, and a function that ends it. The follower hands over the matches that
  /// a message has changed; everything else happens in the recorder's task.
  package nonisolated func follower() -> (follow: ChannelStore.Follower, end: @Sendable () -> Void) {
    let channel = lastChannel.withLock { number in
      number += 1
      return number
    }
    let isKnown = Locked(false)
    let follow: ChannelStore.Follower = { [queue] state, event in
      let wasKnown = isKnown.withLock { known in
        defer { known = event.hasKnownPrices }
        return known
      }
      let observations = event.observations(of: &state, channel: channel, time: event.time, wasKnown: wasKnown)
      if !observations.isEmpty { queue.send(observations) }
    }
    let end: @Sendable () -> Void = { [queue, clock] in
      isKnown.withLock { $0 = false }
      queue.send([MatchObservation(channel: channel, time: clock.wall(), .unknown)])
    }
    return (follow, end)
  }

  // MARK: The task

  private func tick() { withFileSizeErrors { writeBatch() } }

  private func writeBatch() {
    let now = clock.wall()
    let entries = drain()
    closeIfMoved()
    if writer == nil {
      guard now >= retryAt else {
        hasLostEntries = true
        return
      }
      open(entries, now: now)
    } else if !entries.isEmpty || now - lastWrite >= Self.idleInterval {
      attempt(now: now) { writer throws(HistoryError) in try writer.write(entries, completeUpTo: max(now, lastTime)) }
    }
    guard writer != nil else { return }
    attempt(now: now) { writer throws(HistoryError) in _ = try pruner.step(writer.database, now: now) }
  }

  private func drain() -> [HistoryEntry] {
    let (observations, dropped) = queue.drain()
    self.dropped += dropped
    if dropped > 0, !hasReportedDrop {
      hasReportedDrop = true
      onMessage(LocalizedMessage(.historyDropped, dropped))
    }
    var entries: [HistoryEntry] = []
    for observation in observations {
      // A clock that is set back by little must not change the order.
      let isSetBack = observation.time < lastTime && lastTime - observation.time < 5000
      lastTime = isSetBack ? lastTime : observation.time
      entries += detector.apply(
        MatchObservation(channel: observation.channel, time: lastTime, observation.content))
    }
    return entries
  }

  /// Opens the file and writes the entries, or the current state of all matches if earlier entries were lost.
  private func open(_ entries: [HistoryEntry], now: Int64) {
    do throws(HistoryError) { writer = try newWriter() } catch { return failed(error, now: now) }
    writer?.keepsOpenings = onOpenings != nil
    let entries = hasLostEntries ? detector.restated(at: max(now, lastTime)) : entries
    hasLostEntries = false
    openings += 1
    if writer?.database.isCheckDue == true { startCheck() }
    attempt(now: now) { writer throws(HistoryError) in try writer.write(entries, completeUpTo: max(now, lastTime)) }
  }

  private func newWriter() throws(HistoryError) -> HistoryWriter {
    let now = clock.wall()
    do throws(HistoryError) { return try HistoryWriter(file, feed: feed, now: now, defersCheck: true) } catch {
      guard error.kind == .damaged, moveAside(error) else { throw error }
      return try HistoryWriter(file, feed: feed, now: now)
    }
  }

  /// Checks the whole file, on a thread of its own, while it is written.
  private func startCheck() {
    let number = openings
    Task.detached(executorPreference: FeedExecutor()) { [self, check, file] in
      do throws(HistoryError) {
        try check(file)
        await checked(number, nil)
      } catch { await checked(number, error) }
    }
  }

  /// Handles the result of a check, unless the file has been closed since.
  private func checked(_ number: Int, _ error: HistoryError?) {
    guard number == openings, let writer, !writer.database.isMoved else { return }
    if error == nil { writer.database.setChecked(at: clock.wall()) }
    if let error, error.kind == .damaged { withFileSizeErrors { failed(error, now: clock.wall()) } }
  }

  private func attempt(now: Int64, _ body: (HistoryWriter) throws(HistoryError) -> Void) {
    guard let writer else { return }
    do throws(HistoryError) {
      try body(writer)
      lastWrite = now
      let openings = writer.drainOpenings()
      if !openings.isEmpty { onOpenings?(openings) }
    } catch { failed(error, now: now) }
  }

  /// Closes the file. The prices of the run are known up to its last batch; a new run begins when the file can be
  /// written again.
  private func failed(_ error: HistoryError, now: Int64) {
    close()
    retryAt = now + Self.retryInterval
    if error.kind == .damaged, moveAside(error) { return }
    if error.kind == .busy || hasReportedError { return }
    hasReportedError = true
    onMessage(LocalizedMessage(.historyUnwritten, error.sentence))
  }

  private func close() {
    earlierWritten = written
    if writer.take() != nil { hasLostEntries = true }
  }

  /// Closes the file if another program has moved it aside, because it is damaged. What is written into it is lost.
  private func closeIfMoved() { if writer?.database.isMoved == true { close() } }

  /// Renames a damaged file, so that a new one can be written at once. Returns false if it cannot be renamed.
  private func moveAside(_ error: HistoryError) -> Bool {
    guard let aside = file.moveAside() else { return false }
    retryAt = .min
    onMessage(LocalizedMessage(.historyDamaged, error.sentence, aside))
    return true
  }

  private func end() { withFileSizeErrors { writeLastBatch() } }

  private func writeLastBatch() {
    let now = clock.wall()
    let entries = drain()
    closeIfMoved()
    let isOpen = writer != nil
    if !isOpen { open(entries, now: now) }
    attempt(now: now) { writer throws(HistoryError) in
      let time = max(now, lastTime)
      if isOpen, !entries.isEmpty { try writer.write(entries, completeUpTo: time) }
      try writer.finish(at: time)
    }
    close()
  }
}
