import Dashboard
import OddsFeed
import OddsHistory
import OddsModel
import Platform

/// Reads the history for the dashboard, on threads of its own.
struct RecordedPriceService: PriceHistorySource {
  private let file: HistoryFile
  private let feed: String

  /// Reads what a recorder and earlier ones of the same feed have written.
  init(_ recorder: HistoryRecorder) { (file, feed) = (recorder.file, recorder.feed) }

  func record(of outcome: OutcomeID, in market: MarketID, of match: MatchID) async -> OutcomeRecord? {
    // NB: Reading blocks the thread. The recorder reports a file that cannot be used.
    await Task.detached(executorPreference: FeedExecutor()) { [file, feed] in
      try? HistoryReader(file).record(of: outcome, in: market, of: match, feed: feed, until: ClientClock.wallTime())
    }.value
  }
}
