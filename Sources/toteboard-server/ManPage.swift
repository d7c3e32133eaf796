import ArgumentParser
import ManualPage

/// The command `toteboard-server man-page`: prints the manual page, generated from the options.
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
        .init("ADMIN", list: Self.admin), .init("FILES", list: Self.files),
        .init("EXIT STATUS", list: Self.status),
        .init("SEE ALSO", list: [("toteboard(1)", "live sports odds in a terminal")]),
      ])
    print(page.roff, terminator: "")
  }

  private static let paths = [
    ("/v2", "The WebSocket: sub-protocol wamp.2.json."),
    ("/api/matches, /api/odds", "What the WebSocket serves, as JSON lists; ?topic=TOPIC names another topic."),
    ("/api/login, /api/renew, /api/logout", "POST: a session of a user of --users or --demo-user, as a bearer token."),
    ("/v2/player/ID/wallet", "What the user has, by the userId of the login."),
    ("/v2/player/ID/information/updates", "The user's account stream: Server-Sent Events."),
    ("/healthz", "Whether it serves."), ("/metrics", "Its figures, for Prometheus."),
  ]

  private static let admin = [
    ("GET /sessions", "Who is logged in."),
    (
      "POST /sessions/USER/expire, kick, terminate",
      "Ends a user's sessions, as their time, the operator, or another login would."
    ), ("POST /accounts/USER/post?amount=12.50", "Credits a user's real money, or debits it."),
  ]

  private static let files = [
    (
      "--users FILE",
      "A line NAME:HASH for each user, as hash-password prints it; those that begin with # are comments."
    ),
    ("--token-key-file FILE", "32 bytes or more, such as from /dev/urandom; keep it from others (chmod 600)."),
  ]

  private static let status = [
    ("0", "Ended by SIGTERM or SIGINT."), ("1", "Something failed."), ("2", "Wrong usage."),
  ]
}
