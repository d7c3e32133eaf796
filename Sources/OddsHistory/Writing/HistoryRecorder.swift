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
  /// The interval at which a run without changes extends the time up to which the history is complete.
  private static let idleInterval = Duration.seconds(10)
  /// The pause after an error.
  private static let retryInterval = Duration.seconds(10)
  /// The time for which another program can lock the file without a message. Longer than the check of a large file.
  private static let maxLockTime = Duration.seconds(60)

  package nonisolated let file: HistoryFile
  package nonisolated let feed: String
  private let clock: ClientClock
  private let onMessage: @Sendable (LocalizedMessage) -> Void
  private let onOpenings: (@Sendable (OpeningBatch) -> Void)?
  nonisolated let queue: ObservationQueue
  private nonisolated let lastChannel = Locked(0)
  private nonisolated let task = Locked<Task<Void, Never>?>(nil)
  private let check: @Sendable (HistoryFile) throws(HistoryError) -> Void

  private var timeline = HistoryTimeline()
  private var pruner: HistoryPruner
  private var writer: HistoryWriter?
  /// The number of times that the file was opened. Not related to opening prices.
  private var openings = 0
  /// The uptime of the last batch.
  private var lastWrite = Duration.zero
  /// The uptime from which the file is opened again; nil for at once.
  private var retryAt: Duration?
  /// True if entries were dropped since the last batch, so that the next one must state everything.
  private var hasLostEntries = false
  /// The uptime at which another program's lock first prevented a batch since the last one that was written.
  private var lockedSince: Duration?
  private var hasReportedLock = false
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
  ///   - onMessage: Called, on any thread, with a problem that the user must know: for each damaged file, and once for
  ///     each other kind.
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
        let begin = HistoryClock.Reading(clock)
        await clock.sleep(begin.uptime + Self.interval)
        // NB: The time that the disk takes is no part of the sleep.
        await tick(begin, HistoryClock.Reading(clock))
      }
      await end()
    }
    self.task.withLock { $0 = task }
  }

  /// Writes the remaining changes and returns when the file is closed.
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

  private func tick(_ begin: HistoryClock.Reading, _ end: HistoryClock.Reading) {
    timeline.noteSleep(begin, end, duration: Self.interval)
    withFileSizeErrors { writeBatch(uptime: end.uptime) }
  }

  private func writeBatch(uptime: Duration) {
    closeIfMoved()
    let isNew = writer == nil
    if isNew, retryAt.map({ uptime >= $0 }) ?? true { open() }
    let entries = drain()
    guard writer != nil else { return }
    if isNew || !entries.isEmpty || uptime - lastWrite >= Self.idleInterval { write(entries, uptime: uptime) }
    let now = timeline.now
    attempt { writer throws(HistoryError) in _ = try pruner.step(writer.database, now: now, uptime: uptime) }
  }

  private func write(_ entries: [HistoryEntry], uptime: Duration) {
    let end = timeline.end
    lastWrite = uptime
    attempt { writer throws(HistoryError) in try writer.write(entries, completeUpTo: end) }
    if writer != nil { lockedSince = nil }
  }

  /// Returns the entries of the observations since the last call, or the current state of all matches if earlier
  /// entries were lost. None while the file is closed.
  private func drain() -> [HistoryEntry] {
    let (observations, dropped) = queue.drain()
    self.dropped += dropped
    if dropped > 0, !hasReportedDrop {
      hasReportedDrop = true
      onMessage(LocalizedMessage(.historyDropped, dropped))
    }
    let entries = timeline.entries(of: observations)
    guard writer != nil else {
      hasLostEntries = true
      return []
    }
    guard hasLostEntries else { return entries }
    hasLostEntries = false
    return timeline.restated()
  }

  private func open() {
    do throws(HistoryError) {
      let new = try newWriter()
      new.keepsOpenings = onOpenings != nil
      if let end = try new.end() { timeline.begin(atEndOf: end) }
      writer = new
    } catch { return failed(error) }
    openings += 1
    if writer?.database.isCheckDue == true { startCheck() }
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
    if let error, error.kind == .damaged { withFileSizeErrors { failed(error) } }
  }

  private func attempt(_ body: (HistoryWriter) throws(HistoryError) -> Void) {
    guard let writer else { return }
    do throws(HistoryError) {
      try body(writer)
      let openings = writer.drainOpenings()
      if !openings.isEmpty { onOpenings?(openings) }
    } catch { failed(error) }
  }

  /// Closes the file. The prices of the run are known up to its last batch; a new run begins when the file can be
  /// written again.
  private func failed(_ error: HistoryError) {
    close()
    retryAt = clock.uptime() + Self.retryInterval
    if error.kind == .damaged, moveAside(error) { return }
    if error.kind == .busy { return noteLock() }
    if hasReportedError { return }
    hasReportedError = true
    onMessage(LocalizedMessage(.historyUnwritten, error.sentence))
  }

  private func noteLock() {
    let now = clock.uptime()
    let begin = lockedSince ?? now
    lockedSince = begin
    if hasReportedLock || now - begin < Self.maxLockTime { return }
    hasReportedLock = true
    onMessage(LocalizedMessage(.historyLocked, file.path))
  }

  private func close() {
    earlierWritten = written
    if writer.take() != nil { hasLostEntries = true }
  }

  /// Closes the file if another program has moved it aside, because it is damaged. Later writes to it would be lost.
  private func closeIfMoved() { if writer?.database.isMoved == true { close() } }

  /// Renames a damaged file, so that a new one can be written at once. Returns false if it cannot be renamed.
  private func moveAside(_ error: HistoryError) -> Bool {
    guard let aside = file.moveAside() else { return false }
    retryAt = nil
    onMessage(LocalizedMessage(.historyDamaged, error.sentence, aside))
    return true
  }

  private func end() { withFileSizeErrors { writeLastBatch() } }

  private func writeLastBatch() {
    timeline.update(HistoryClock.Reading(clock))
    closeIfMoved()
    if writer == nil { open() }
    let entries = drain()
    if !entries.isEmpty { write(entries, uptime: clock.uptime()) }
    let end = timeline.end
    attempt { writer throws(HistoryError) in try writer.finish(at: end) }
    close()
  }
}
