import ArgumentParser
import ManualPage

/// `toteboard-server man-page`: the manual page, made from the options.
struct ManPage: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "man-page", abstract: "Print the manual page in roff.", shouldDisplay: false)

  mutating func run() {
    let root = ToteboardServer.self
    let page = ManualPage(
      root, summary: "a live odds feed over WebSocket and REST",
      [
        .init("SERVER", command: root, of: root), .init("PATHS", list: Self.paths),
        .init("ENVIRONMENT", list: [("TOTEBOARD_SERVER_TOKEN", "The token that clients must show.")]),
        .init("EXIT STATUS", list: Self.status),
      ])
    print(page.roff, terminator: "")
  }

  private static let paths = [
    ("/v2", "The WebSocket: sub-protocol wamp.2.json."),
    ("/api/matches, /api/odds", "What the WebSocket serves, as JSON lists; ?topic=TOPIC names another topic."),
    ("/healthz", "Whether it serves."), ("/metrics", "Its figures, for Prometheus."),
  ]

  private static let status = [
    ("0", "Ended by SIGTERM or SIGINT."), ("1", "Something failed."), ("2", "Wrong usage."),
  ]
}
