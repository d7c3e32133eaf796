import ArgumentParser
import ManualPage

/// The command `toteboard-server man-page`: prints the manual page, generated from the options.
struct ManPage: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "man-page", abstract: "Print the manual page in roff.", shouldDisplay: false)

  mutating func run() {
    let root = ToteboardServer.self
    let server = Self.help(for: root)
    let commands = root.configuration.subcommands.filter { $0.configuration.shouldDisplay }.map { Self.help(for: $0) }
    let page = ManualPage(
      root, summary: "a live odds feed over WebSocket and REST",
      [
        .init("SYNOPSIS", lines: server.usage),
        .init("DESCRIPTION", paragraphs: server.paragraphs),
        .init("OPTIONS", list: server.entries.map { ($0.name, $0.text) }),
        .init(
          "COMMANDS", commands: commands,
          shared: server.entries, sharing: { "Options described above: \($0.joined(separator: ", "))." }),
        .init("PATHS", list: Self.paths),
        .init(
          "ENVIRONMENT",
          list: [
            ("TOTEBOARD_SERVER_TOKEN", "Token that clients must send, if --token-file is not specified."),
            (UpstreamOptions.variable, "Token to send to the upstream feed, if --feed-token-file is not specified."),
            ("https_proxy, http_proxy, no_proxy", "Proxies for the connection to the upstream feed."),
          ]),
        .init("ADMIN", text: "Requests to the address of --admin. They require no token.", list: Self.admin),
        .init("FILES", list: Self.files),
        .init("EXIT STATUS", list: Self.status),
        .init("SEE ALSO", list: [("toteboard(1)", "live sports odds in a terminal")]),
      ])
    print(page.roff, terminator: "")
  }

  private static func help(for command: any ParsableCommand.Type) -> HelpText {
    HelpText(ToteboardServer.helpMessage(for: command, columns: ManualPage.unbroken), .english)
  }

  private static let paths = [
    ("/v2", "WebSocket with the subprotocol wamp.2.json."),
    (
      "/api/matches, /api/odds",
      "The 100 most popular matches and their odds as JSON lists; ?topic=TOPIC selects another topic."
    ),
    (
      "/api/login, /api/renew, /api/logout",
      "POST: start, renew or end the session of a user; sessions are identified by bearer tokens."
    ),
    ("/v2/player/ID/wallet", "The user's wallet; ID is the userId from the login."),
    ("/v2/player/ID/information/updates", "The user's account stream, as Server-Sent Events."),
    ("/healthz", "Health check: 200 while the process runs, also while it shuts down."),
    (
      "/readyz",
      """
      Readiness: 200 while the server takes clients; otherwise 503 and the reason: 'draining' (it shuts down), 'upstream \
      lost' (no connection to the upstream feed, or its messages are late), 'recording ended' (without --loop), or at a \
      gateway 'no book' (no heartbeats of a book, or its data or messages from NATS are late), 'no topics' (no dump of any \
      open topic arrives) or 'no accounts' (the accounts cannot be reached). A book or standby answers 200 while it is \
      connected to NATS and has its feed.
      """
    ),
    ("/metrics", "Metrics for Prometheus; requires a token like the lists, except at the address of --admin."),
  ]

  private static let admin = [
    ("GET /metrics", "The metrics."), ("GET /sessions", "Lists the open sessions."),
    (
      "POST /sessions/USER/expire, kick, terminate",
      "Ends a user's sessions as expired, closed by the operator, or replaced by another login."
    ), ("POST /accounts/USER/post?amount=12.50", "Credits or debits a user's real-money balance."),
  ]

  private static let files = [
    (
      "--users FILE",
      "One line NAME:HASH per user, as printed by hash-password; lines that begin with # are comments."
    ),
    (
      "--token-key-file FILE",
      """
      32 bytes or more, for example from /dev/urandom. Keep it private (chmod 600). The gateways of a cluster need the \
      same one.
      """
    ),
  ]

  private static let status = [
    ("0", "Ended by SIGTERM or SIGINT, even if connections were still open after 5 s."), ("1", "An error occurred."),
    ("2", "Invalid usage."),
  ]
}
