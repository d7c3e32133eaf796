import Platform

/// The server's metrics, published in the text format of Prometheus.
package final class ServerMetrics: Sendable {
  /// The reason for which a client was refused or disconnected.
  enum Refusal: String, CaseIterable {
    case address, origin, token, protocols, sessions, handshake, request, frame, text, flood, topics, busy, hello,
      silence, book
  }

  struct Counts {
    var sessions = 0
    var topics = 0
    var sessionsBegun = 0
    var frames = 0
    var bytes = 0
    var conflated = 0
    var dumps = 0
    var catchUpDumps = 0
    var inboundFrames = 0
    var ticks = 0
    var refused: [Refusal: Int] = [:]
    var isDraining = false
  }

  private let counts = Locked(Counts())

  package init() {}

  var isDraining: Bool { counts.withLock { $0.isDraining } }
  package var sessions: Int { counts.withLock { $0.sessions } }
  var topics: Int { counts.withLock { $0.topics } }
  /// The number of frames sent that conflate several updates.
  package var conflated: Int { counts.withLock { $0.conflated } }
  package var dumps: Int { counts.withLock { $0.dumps } }
  /// The number of dumps sent to sessions that were too far behind.
  package var catchUpDumps: Int { counts.withLock { $0.catchUpDumps } }
  package var refusals: Int { counts.withLock { $0.refused.values.reduce(0, +) } }

  func drain() { counts.withLock { $0.isDraining = true } }
  func set(topics: Int) { counts.withLock { $0.topics = topics } }
  func refused(_ reason: Refusal) { counts.withLock { $0.refused[reason, default: 0] += 1 } }
  func count(_ body: (inout Counts) -> Void) { counts.withLock { body(&$0) } }

  /// Counts a new session. Returns false if there are already `most` sessions.
  func begin(most: Int) -> Bool {
    counts.withLock { counts in
      guard counts.sessions < most else { return false }
      counts.sessions += 1
      counts.sessionsBegun += 1
      return true
    }
  }

  func end() { counts.withLock { $0.sessions -= 1 } }

  var text: String {
    let now = counts.withLock { $0 }
    var text = FiguresText()
    text.gauge("sessions", "Open WAMP sessions.", now.sessions)
    text.gauge("topics", "Topics with subscribers.", now.topics)
    text.counter("sessions_total", "WAMP sessions opened since the start.", now.sessionsBegun)
    text.counter("frames_sent_total", "WebSocket message frames sent.", now.frames)
    text.counter("bytes_sent_total", "Bytes of message frames sent, without TLS.", now.bytes)
    text.counter("conflated_total", "Frames sent to slow clients that merge several updates.", now.conflated)
    text.counter("dumps_total", "Dumps requested by clients.", now.dumps)
    text.counter("catch_up_dumps_total", "Dumps sent to clients that fell too far behind.", now.catchUpDumps)
    text.counter("frames_received_total", "WebSocket frames received.", now.inboundFrames)
    text.counter("ticks_total", "Ticks of the feed since the start.", now.ticks)
    text.add(
      "refused_total", "counter", "Clients refused or disconnected, by reason.",
      Refusal.allCases.map { ("{reason=\"\($0.rawValue)\"}", now.refused[$0] ?? 0) })
    return text.text
  }
}

/// A builder of metrics in the text format of Prometheus.
package struct FiguresText {
  package private(set) var text = ""

  package init() {}

  package mutating func gauge(_ name: String, _ help: String, _ value: Int) { add(name, "gauge", help, [("", value)]) }
  package mutating func counter(_ name: String, _ help: String, _ value: Int) {
    add(name, "counter", help, [("", value)])
  }

  mutating func add(_ name: String, _ type: String, _ help: String, _ values: [(labels: String, value: Int)]) {
    text += "# HELP toteboard_\(name) \(help)\n# TYPE toteboard_\(name) \(type)\n"
    for (labels, value) in values { text += "toteboard_\(name)\(labels) \(value)\n" }
  }
}
