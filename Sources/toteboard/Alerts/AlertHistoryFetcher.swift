import Dashboard
import OddsHistory
import Platform

/// Reads the recorded prices for alert rules beside a loop that never waits for them.
final class AlertHistoryFetcher: Sendable {
  private let source: RecordedPriceService
  private let onAnswers: @Sendable () -> Void
  private let answers = Locked<[AlertHistoryAnswer]>([])

  /// - Parameter onAnswers: Called, on any thread, when there are answers.
  init(_ recorder: HistoryRecorder, onAnswers: @escaping @Sendable () -> Void) {
    source = RecordedPriceService(recorder)
    self.onAnswers = onAnswers
  }

  /// Begins to read. Returns at once.
  func fetch(_ requests: [AlertHistoryRequest]) {
    if requests.isEmpty { return }
    Task.detached { [self] in
      await source.readPastPrices(requests) { part in
        answers.withLock { $0 += part }
        onAnswers()
      }
    }
  }

  /// Returns the answers since the last call.
  func drain() -> [AlertHistoryAnswer] {
    answers.withLock { answers in
      defer { answers = [] }
      return answers
    }
  }
}
