import OddsFeed
import OddsModel
import Platform

/// A REST API whose answers come from the test.
final class ScriptedAPI: FeedAPI {
  typealias Answer = Result<APISnapshot?, FeedError>

  private struct State {
    var waiting: [CheckedContinuation<Answer, Never>] = []
    var cancelled = 0
  }

  private let state = Locked(State())
  private let requestStream = AsyncStream.makeStream(of: Topic.self)

  /// The topic of each request, when it is made.
  var requests: AsyncStream<Topic> { requestStream.stream }

  /// The number of cancelled requests.
  var cancelled: Int { state.withLock { $0.cancelled } }

  func snapshot(of topic: Topic) async throws(FeedError) -> APISnapshot? {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // The cancellation handler may have run before the continuation is added.
        let isCancelled = state.withLock { state in
          let isCancelled = Task.isCancelled
          if !isCancelled { state.waiting.append(continuation) }
          return isCancelled
        }
        if isCancelled { continuation.resume(returning: .success(nil)) }
        requestStream.continuation.yield(topic)
      }
    } onCancel: {
      state.withLock { $0.cancelled += 1 }
      answer(.success(nil))
    }
    return try result.get()
  }

  /// Answers the oldest open request.
  func answer(_ answer: Answer) {
    let waiting = state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    waiting?.resume(returning: answer)
  }

  static func match(_ id: Int = 100, _ odds: Int64? = 3, hasDraw: Bool = true) -> APISnapshot {
    APISnapshot(rows: [
      APISnapshot.Row(
        matchID: "\(id)", home: "Ajax", away: "Porto", startTime: 1_750_752_000_000,
        homeOdds: odds.map { DecimalOdds(units: $0 * DecimalOdds.unitsPerOne) },
        drawOdds: hasDraw ? DecimalOdds(units: 31_000_000) : nil, awayOdds: DecimalOdds(units: 24_500_000),
        hasDraw: hasDraw)
    ])
  }
}
