import CLibrary
import Dashboard
import FeedRecording
import Localization
import OddsFeed
import OddsHistory
import OddsModel
import Platform

/// The history of a recording that is played: its prices from the beginning up to the position. They are imported into
/// a temporary file while the recording is played, and their times are those at which the playback shows them.
final class RecordingHistory: PriceHistorySource {
  private static let feed = "recording"

  let epoch: Int64?
  private let transport: RecordingTransport
  private let reader = Locked<HistoryReader?>(nil)
  private let importing: Task<Void, Never>

  /// Begins to import. Nil for a recording without times.
  ///
  /// - Parameters:
  ///   - environment: The environment, whose `TMPDIR` is the directory for the temporary file; /tmp if it has none.
  ///   - onOpenings: Called, on any thread, with the opening prices of the whole recording.
  ///   - onMessage: Called, on any thread, with a problem that the user must know.
  init?(
    _ transport: RecordingTransport, channels: [BoardChannel], options: StoreOptions, environment: [String: String],
    onOpenings: @escaping @Sendable (OpeningBatch) -> Void, onMessage: @escaping @Sendable (LocalizedMessage) -> Void
  ) {
    guard let begin = transport.begin else { return nil }
    epoch = begin
    self.transport = transport
    let directory = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    importing = Task.detached(executorPreference: FeedExecutor()) { [reader] in
      do throws(HistoryError) {
        let importer = try Self.open(in: directory, reader)
        // A recording that cannot be read to its end has prices up to there.
        _ = await RecordingImport(
          transport: transport.ordered(hasPositions: true), channels: channels, importer: importer, options: options
        ).run()
        if Task.isCancelled { return reader.withLock { $0 = nil } }
        _ = try importer.finish()
        let openings = try reader.withLock { reader throws(HistoryError) in try reader?.openings(feed: Self.feed) }
        if let openings { onOpenings(openings) }
      } catch {
        reader.withLock { $0 = nil }
        onMessage(LocalizedMessage(.historyUnwritten, error.sentence))
      }
    }
  }

  /// Creates the file. It is removed from its directory at once, so it exists as long as it is open, however the
  /// program ends.
  private static func open(
    in base: String, _ reader: Locked<HistoryReader?>
  ) throws(HistoryError) -> HistoryImporter {
    var template = Array("\(base)/toteboard-history-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw HistoryError(.other, LocalizedMessage(.failureOf, base, LocalizedMessage.ofLastCall))
    }
    let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let file = HistoryFile("\(directory)/history.db")
    defer {
      for suffix in ["", "-wal", "-shm", "-lease", "-import"] { unlink("\(file.path)\(suffix)") }
      rmdir(directory)
    }
    let importer = try HistoryImporter(file, feed: feed, minPause: Recording.longestGap)
    try reader.withLock { reader throws(HistoryError) in reader = try HistoryReader(file) }
    return importer
  }

  func record(of outcome: OutcomeID, in market: MarketID, of match: MatchID, since begin: Int64) async -> OutcomeRecord?
  {
    await read { [epoch, transport] reader throws(HistoryError) in
      let end = (epoch ?? 0) + Int64(transport.status.position / .milliseconds(1)) + 1
      guard begin < end else { return nil }
      let record = try reader.record(of: outcome, in: market, of: match, feed: Self.feed, range: begin..<end)
      // The opening price may be later than the position. `onOpenings` has had it.
      return record.map { OutcomeRecord(series: $0.series, opening: nil, closing: $0.closing, last: $0.last) }
    }
  }

  /// Returns the opening prices only: alert rules have the times of the system's clock, even for a recording.
  func pastPrices(_ requests: [AlertHistoryRequest]) async -> [AlertHistoryAnswer] {
    await read { reader throws(HistoryError) in
      try requests.map { request throws(HistoryError) in
        AlertHistoryAnswer(
          request,
          try reader.past(
            of: request.outcome, present: request.present, in: request.market, of: request.match, feed: Self.feed,
            range: nil))
      }
    } ?? requests.map { AlertHistoryAnswer($0, nil) }
  }

  /// Reads after the import. Returns nil if it has failed, or the file cannot be read.
  private func read<Result: Sendable>(
    _ body: @escaping @Sendable (HistoryReader) throws(HistoryError) -> Result?
  ) async -> Result? {
    await importing.value
    // NB: Reading blocks the thread.
    return await Task.detached(executorPreference: FeedExecutor()) { [reader] in
      reader.withLock { reader in reader.flatMap { try? body($0) } }
    }.value
  }

  /// Ends the import.
  func finish() async {
    importing.cancel()
    await importing.value
  }
}
