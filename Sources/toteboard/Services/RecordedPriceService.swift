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

  func pastMatches(_ query: MatchQuery) async -> Result<[Match], HistoryError> {
    let result = await read { [feed] reader throws(HistoryError) in
      try reader.pastMatches(feed: feed, at: ClientClock.wallTime(), limit: HistorySearch.limit) { query.matches($0) }
    }
    // A history that is not written yet has no matches.
    if case .failure(let error) = result, error.kind == .missing { return .success([]) }
    return result
  }

  func lastKnown(_ match: MatchID) async -> Result<LastKnownMatch?, HistoryError> {
    await read { [feed] reader throws(HistoryError) in try reader.lastKnown(match, feed: feed) }
  }

  /// Reads the file on a thread of its own, because reading blocks the thread.
  private func read<Value: Sendable>(
    _ body: @escaping @Sendable (HistoryReader) throws(HistoryError) -> Value
  ) async -> Result<Value, HistoryError> {
    await Task.detached(executorPreference: FeedExecutor()) { [file] () -> Result<Value, HistoryError> in
      do throws(HistoryError) { return .success(try body(HistoryReader(file))) } catch { return .failure(error) }
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
