import CoreMetrics
import Platform

/// The metrics of a server, and the state that its admission depends on.
package final class ServerMetrics: Sendable {
  /// The reason for which a client was refused or disconnected.
  enum Refusal: String, CaseIterable {
    case address, origin, token, protocols, sessions, handshake, request, frame, text, flood, topics, busy, hello,
      silence, book
  }

  private struct State {
    var sessions = 0
    var topics = 0
    var isDraining = false
    var isReadinessRead = false
  }

  package let registry: PrometheusRegistry
  let framesSent: Counter
  let bytesSent: Counter
  /// The frames sent that conflate several updates.
  let conflated: Counter
  let dumps: Counter
  /// The dumps sent to sessions that were too far behind.
  let catchUpDumps: Counter
  let framesReceived: Counter
  let ticks: Counter
  private let sessionsBegun: Counter
  private let refusals: [Refusal: Counter]
  private let openSessions: Meter
  private let openTopics: Meter
  private let state = Locked(State())

  package init(_ registry: PrometheusRegistry = PrometheusRegistry()) {
    func counter(_ name: String, _ labels: [(String, String)] = []) -> Counter {
      Counter(label: name, dimensions: labels, factory: registry)
    }
    self.registry = registry
    framesSent = counter("toteboard_frames_sent_total")
    bytesSent = counter("toteboard_bytes_sent_total")
    conflated = counter("toteboard_conflated_total")
    dumps = counter("toteboard_dumps_total")
    catchUpDumps = counter("toteboard_catch_up_dumps_total")
    framesReceived = counter("toteboard_frames_received_total")
    ticks = counter("toteboard_ticks_total")
    sessionsBegun = counter("toteboard_sessions_total")
    refusals = Dictionary(
      uniqueKeysWithValues: Refusal.allCases.map {
        ($0, counter("toteboard_refused_total", [("reason", $0.rawValue)]))
      })
    openSessions = Meter(label: "toteboard_sessions", factory: registry)
    openTopics = Meter(label: "toteboard_topics", factory: registry)
    registry.addCollector(of: self) { $0.updateGauges() }
  }

  var isDraining: Bool { state.withLock { $0.isDraining } }
  /// True if somebody has asked whether the server is ready, as a load balancer does.
  var isReadinessRead: Bool { state.withLock { $0.isReadinessRead } }
  func noteReadinessRead() { state.withLock { $0.isReadinessRead = true } }
  /// The number of open sessions.
  package var sessions: Int { state.withLock { $0.sessions } }
  /// The number of topics with subscribers.
  var topics: Int { state.withLock { $0.topics } }

  /// Marks the server as draining. Returns false if it was before.
  @discardableResult func drain() -> Bool {
    state.withLock { state in
      defer { state.isDraining = true }
      return !state.isDraining
    }
  }
  func set(topics: Int) { state.withLock { $0.topics = topics } }
  func refused(_ reason: Refusal) { refusals[reason]?.increment() }

  /// Counts a new session. Returns false if there are already `most` sessions.
  func begin(most: Int) -> Bool {
    let isBegun = state.withLock { state in
      guard state.sessions < most else { return false }
      state.sessions += 1
      return true
    }
    if isBegun { sessionsBegun.increment() }
    return isBegun
  }

  func end() { state.withLock { $0.sessions -= 1 } }

  private func updateGauges() {
    let (sessions, topics) = state.withLock { ($0.sessions, $0.topics) }
    openSessions.set(sessions)
    openTopics.set(topics)
  }
}
