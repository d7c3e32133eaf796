import CoreMetrics
import FeedSimulator

/// The metrics of logins and of the sessions and streams of accounts.
struct LoginMetrics: Sendable {
  enum Refusal: String, CaseIterable {
    case password, limit, busy, sessions, form, book
  }

  let logins: Counter
  let delayed: Counter
  private let refusals: [Refusal: Counter]
  private let waiting: Meter
  private let sessions: Meter
  private let streams: Meter
  private let streamsBegun: CopiedCounter
  private let streamsBehind: CopiedCounter

  init(_ registry: PrometheusRegistry) {
    logins = Counter(label: "toteboard_logins_total", factory: registry)
    delayed = Counter(label: "toteboard_logins_delayed_total", factory: registry)
    refusals = Dictionary(
      uniqueKeysWithValues: Refusal.allCases.map { reason in
        let labels = [("reason", reason.rawValue)]
        return (reason, Counter(label: "toteboard_logins_refused_total", dimensions: labels, factory: registry))
      })
    waiting = Meter(label: "toteboard_logins_waiting", factory: registry)
    sessions = Meter(label: "toteboard_account_sessions", factory: registry)
    streams = Meter(label: "toteboard_account_streams", factory: registry)
    streamsBegun = CopiedCounter("toteboard_account_streams_total", factory: registry)
    streamsBehind = CopiedCounter("toteboard_account_streams_behind_total", factory: registry)
  }

  func refused(_ reason: Refusal) { refusals[reason]?.increment() }

  /// Sets the metrics whose values are counted elsewhere.
  func update(_ counts: AccountHub.Counts, waiting: Int) {
    self.waiting.set(waiting)
    sessions.set(counts.sessions)
    streams.set(counts.streams)
    streamsBegun.update(to: counts.streamsBegun)
    streamsBehind.update(to: counts.streamsBehind)
  }
}
