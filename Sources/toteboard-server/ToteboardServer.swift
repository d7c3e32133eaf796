public import ArgumentParser
import CLibrary
import CProgramVersion
import CoreMetrics
import FeedServer
public import Logging
import Platform
import ProgramArguments

@main
struct ToteboardServer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "toteboard-server",
    abstract: "Serve an odds feed over WebSocket (WAMP) and REST.",
    usage: "toteboard-server [<options>]\ntoteboard-server hash-password <name>",
    discussion: """
      Serves a simulated feed, unless --recording names a file to play or --feed an upstream feed to pass on. Prints \
      the address when clients can connect. With --role, many servers share one feed over NATS. \
      SIGTERM and SIGINT shut it down within 5 s: sessions are notified and closed, and account streams are ended.
      """,
    version: "toteboard-server \(String(cString: program_version()))",
    subcommands: [HashPassword.self, ManPage.self])

  @OptionGroup var listening: ListeningOptions
  @OptionGroup var accounts: AccountArguments
  @OptionGroup var played: PlayedOptions
  @OptionGroup var upstream: UpstreamOptions
  @OptionGroup var cluster: ClusterOptions

  @Option(help: "Log level on standard error: trace, debug, info, notice, warning, error or critical.")
  var logLevel = Logger.Level.notice

  func validate() throws {
    try played.validateTogether()
    _ = try listening.address()
    if upstream.feed != nil, let option = played.given.first {
      throw ValidationError("\(option) has no effect with --feed, because the feed is the upstream one: remove it")
    }
    let unused: [(options: [String], reason: String)]
    switch cluster.role {
    case .all: unused = []
    case .book:
      unused = [
        (accounts.given, "users log in at the gateways"), (listening.givenForClients, "a book has no clients"),
      ]
    case .gateway:
      unused = [(played.given + upstream.given, "the feed is that of the book")]
      try accounts.requireTokenKey()
    }
    for case (let options, let reason) in unused where !options.isEmpty {
      throw ValidationError(
        "\(options[0]) has no effect with --role '\(cluster.role.rawValue)', because \(reason): remove it")
    }
  }

  func run() async throws {
    FileLimit.raise()
    var log = Logger(label: "toteboard-server", factory: { StreamLogHandler.standardError(label: $0) })
    log.logLevel = logLevel
    // The metrics of libraries go to the same place as the server's.
    let registry = PrometheusRegistry()
    MetricsSystem.bootstrap(registry)
    switch cluster.role {
    case .all: try await runAll(log, registry)
    case .book: try await runBook(log, registry)
    case .gateway: try await runGateway(log, registry)
    }
  }

  /// Returns the options of a server that has its feed, without those of accounts.
  func serverOptions() throws -> ServerOptions {
    var options = try listening.serverOptions()
    if upstream.feed != nil, listening.maxTopicsPerAddress == nil {
      options.limits.openTopicsOfAddress = RelayLimits().topicsOfAddress
    }
    return options
  }

  private func runAll(_ log: Logger, _ registry: PrometheusRegistry) async throws {
    var options = try serverOptions()
    try accounts.apply(to: &options)
    if let upstream = try upstream.upstream(log, registry) {
      return try await runRelay(upstream, options, log, registry)
    }
    let (feed, failures) = try played.feed()
    let signals = ShutdownSignals.start()
    let server = try await RunningServer.start(
      options, playing: feed, registry: registry, feedFailures: failures, logger: log)
    try await serve(server, until: signals)
  }

  /// Passes an upstream feed on to clients until a signal arrives.
  private func runRelay(
    _ upstream: UpstreamOptions.Upstream, _ options: ServerOptions, _ log: Logger, _ registry: PrometheusRegistry
  ) async throws {
    let signals = ShutdownSignals.start()
    let server = try await RunningServer.start(
      options, source: RelaySource(upstream.relay), metrics: ServerMetrics(registry), feedFailures: upstream.failures,
      logger: log)
    try await serve(server, until: signals)
    await upstream.stop()
  }

  /// Prints where clients can connect, and returns when the server has ended.
  func serve(_ server: RunningServer, until signals: AsyncStream<Void>) async throws {
    print("listening on \(server.url)")
    if let admin = server.admin { print("admin on \(admin)") }
    fflush(nil)
    let shutdown = Task { for await _ in signals { await server.stop() } }
    defer { shutdown.cancel() }
    try await server.ended()
  }

  /// Runs the program. Exit status: 0 (success), 1 (failure), 2 (usage error).
  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    let arguments = ArgumentList(ProcessArguments.consume(hiding: ["--demo-user", "--nats"]))
    do {
      try checkHelpAndVersion(arguments)
      var command = try parseAsRoot(arguments.joiningNegativeValues)
      if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
    } catch {
      let code = exitCode(for: error)
      let message = fullMessage(for: error).withoutFarSuggestion
      if code.isSuccess { print(message) } else { FileDescriptorOutput.error("\(message)\n") }
      fflush(nil)
      CLibrary.exit(code == .validationFailure ? 2 : code.rawValue)
    }
  }

  private static func checkHelpAndVersion(_ arguments: ArgumentList) throws {
    switch arguments.misuse(of: Self.self) {
    case nil: return
    case .unknownCommand(let name, let commands)?:
      throw ValidationError("'\(name)' is not a command: choose from \(commands.joined(separator: ", "))")
    case .notAlone(let option, let other)?: throw ValidationError("\(option) must be used alone: remove '\(other)'")
    }
  }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
