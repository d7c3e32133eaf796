package import OddsFeed
import OddsModel
import Platform

/// Writes the changes of a recording into a history file, at the times of the recording. A second import of the same
/// recording changes nothing.
package final class HistoryImporter: Sendable {
  /// The number of entries of a transaction.
  private static let batchSize = 20_000

  private struct State {
    let writer: HistoryWriter
    var detector = ChangeDetector()
    var entries: [HistoryEntry] = []
    /// The shortest pause before a dump that counts as a lost connection, in milliseconds.
    let minPause: Int64
    /// The time of the last message with prices, in milliseconds since 1970.
    var time = Int64.min
    /// The same for each channel whose prices are known.
    var known: [Int: Int64] = [:]
    /// The number of dumps of each channel.
    var dumps: [Int: Int] = [:]
    var error: HistoryError?

    mutating func apply(_ observation: MatchObservation) { entries += detector.apply(observation) }

    /// Ends the prices of the channels whose connection was lost before a dump, or whose recording was continued later.
    /// While other channels have messages, the connection is open, so channels without messages keep their prices.
    ///
    /// - Returns: True if a channel was lost.
    mutating func endBeforePause(dumpOf number: Int, at now: Int64) -> Bool {
      var hasLost = false
      for (channel, ownTime) in known.sorted(by: { $0.key < $1.key }) {
        let last = channel == number ? ownTime : time
        guard now - last >= minPause else { continue }
        known[channel] = nil
        // The last prices are known for a moment. Without a duration a chart would not have them.
        apply(MatchObservation(channel: channel, time: last + 1, .lost))
        hasLost = true
      }
      return hasLost
    }

    private mutating func write() {
      do throws(HistoryError) { try writer.write(entries, completeUpTo: time) } catch { self.error = error }
    }

    mutating func flush() {
      if error != nil || entries.isEmpty { return }
      withFileSizeErrors { write() }
      entries = []
    }
  }

  package struct Result: Hashable, Sendable {
    /// The number of changes that were not in the file.
    package let changes: Int
    /// The number of those that are old.
    package let oldChanges: Int
    /// The size of the file in bytes, without its log and without free pages.
    package let size: Int64
  }

  private let state: Locked<State>

  /// Opens a file for the changes of one feed. No process removes old changes from it while the importer exists.
  ///
  /// - Parameters:
  ///   - minPause: The shortest pause before a dump that counts as a lost connection. No price is known in it.
  ///   - oldTime: The time before which changes are counted as old, in milliseconds since 1970.
  package init(
    _ file: HistoryFile, feed: String, minPause: Duration, oldTime: Int64 = .min
  ) throws(HistoryError) {
    let writer = try HistoryWriter(file, feed: feed, isImport: true, oldTime: oldTime)
    state = Locked(State(writer: writer, minPause: Int64(minPause / .milliseconds(1))))
  }

  /// Returns the follower of a channel's store. Different channels have different numbers.
  package func follower(ofChannel number: Int) -> ChannelStore.Follower {
    { [state] channel, event in
      state.withLock { state in
        let dumps = channel.counters.dumps
        let isDump = dumps != state.dumps.updateValue(dumps, forKey: number) ?? 0
        let hasLost = isDump && state.endBeforePause(dumpOf: number, at: event.time)
        let wasKnown = state.known[number] != nil
        if event.hasKnownPrices {
          state.time = max(state.time, event.time)
          state.known[number] = state.time
        } else {
          // NB: the end of a recording has the time of the clock, not of the recording.
          state.known[number] = nil
        }
        let time = event.status.connection == .ended ? state.time + 1 : state.time
        let observations = event.observations(of: &channel, channel: number, time: time, wasKnown: wasKnown)
        for observation in observations { state.apply(observation) }
        if hasLost { state.entries += state.detector.takeOver(at: max(state.time, event.time)) }
        if state.entries.count >= Self.batchSize { state.flush() }
      }
    }
  }

  /// Writes the remaining changes and returns the result.
  package func finish() throws(HistoryError) -> Result {
    try state.withLock { state throws(HistoryError) -> Result in
      for channel in state.known.keys.sorted() {
        state.apply(MatchObservation(channel: channel, time: state.time + 1, .unknown))
      }
      state.known = [:]
      state.flush()
      if let error = state.error { throw error }
      let writer = state.writer
      return Result(changes: writer.changes, oldChanges: writer.oldChanges, size: try writer.size())
    }
  }
}
