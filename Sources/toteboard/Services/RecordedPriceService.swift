import Dashboard
import OddsFeed
import OddsHistory
import OddsModel
import Platform

/// Reads the history for the dashboard, on threads of its own.
struct RecordedPriceService: PriceHistorySource {
  private let file: HistoryFile
  private let feed: String

  /// Creates a service that reads the history file of a recorder: its prices and those of earlier runs with the feed.
  init(_ recorder: HistoryRecorder) {
    file = recorder.file
    feed = recorder.feed
  }

  func record(of outcome: OutcomeID, in market: MarketID, of match: MatchID, since begin: Int64) async -> OutcomeRecord?
  {
    // NB: Reading blocks the thread. The recorder reports a file that cannot be used.
    await Task.detached(executorPreference: FeedExecutor()) { [file, feed] in
      let end = max(begin, ClientClock.wallTime())
      return try? HistoryReader(file).record(of: outcome, in: market, of: match, feed: feed, range: begin..<end)
    }.value
  }

  func pastPrices(_ requests: [AlertHistoryRequest]) async -> [AlertHistoryAnswer] {
    await Task.detached(executorPreference: FeedExecutor()) { [file, feed] in
      let reader = try? HistoryReader(file)
      return requests.map { request in
        let past = try? reader?.past(
          of: request.outcome, present: request.present, in: request.market, of: request.match, feed: feed,
          range: request.range)
        return AlertHistoryAnswer(request, past)
      }
    }.value
  }
}
