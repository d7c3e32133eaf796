import ArgumentParser
import FeedFanOut
import FeedServer
import ProgramArguments

/// The part of a process in a cluster.
enum ClusterRole: String, ExpressibleByArgument, CaseIterable {
  /// The feed and its clients in one process, without NATS.
  case all
  /// The feed, for gateways. One process of those with this role is the book; the others are standbys.
  case book
  /// The clients of a book.
  case gateway
}

/// The role of this process in a cluster and its connection to NATS.
struct ClusterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Role of this process: 'all' has the feed and serves clients, without a cluster; 'book' has the feed for the \
      gateways of a cluster, or is a standby while another process is the book; 'gateway' serves clients with the \
      feed of the book.
      """))
  var role = ClusterRole.all

  @Option(
    help: ArgumentHelp(
      "NATS servers of the cluster, with JetStream: nats://HOST:4222 or tls://HOST:4222, separated by commas.",
      valueName: "url[,url…]"))
  var nats: String?

  @Option(help: ArgumentHelp("Credentials file for NATS.", valueName: "file"))
  var natsCredentials: String?

  @Option(
    help: ArgumentHelp("PEM file with the authority of the NATS servers' certificates; enables TLS.", valueName: "file")
  )
  var natsCa: String?

  @Option(help: "Name of the cluster: letters, digits, - and _. (default: toteboard)")
  var clusterName: String?

  mutating func validate() throws {
    let values = [
      ("--nats", nats), ("--nats-credentials", natsCredentials), ("--nats-ca", natsCa),
      ("--cluster-name", clusterName),
    ]
    try ValidationError.checkEmpty(values)
    if role == .all {
      let shown = [("--nats", nats.map { _ in natsOptions().shownServers })]
      guard let option = ValidationError.texts(shown + values.dropFirst()).first else { return }
      throw ValidationError(
        "\(option) has no effect with --role 'all': add --role book or --role gateway, or remove it")
    }
    if nats == nil {
      throw ValidationError("--role '\(role.rawValue)' requires --nats: name a server, such as nats://127.0.0.1:4222")
    }
    for server in servers where !NATSOptions.isAddress(server) {
      throw ValidationError(
        """
        --nats '\(NATSOptions.withoutPassword(server))' is not a NATS address: use one such as \
        nats://127.0.0.1:4222, with a port from 1 to 65535
        """)
    }
    do throws(NATSError) { _ = try subjects() } catch { throw ValidationError("--cluster-name \(error)") }
  }

  private var servers: [String] {
    (nats ?? "").split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
  }

  func subjects() throws(NATSError) -> Subjects { try Subjects(name: clusterName ?? "toteboard") }

  func natsOptions() -> NATSOptions {
    NATSOptions(
      servers: servers, credentialsFile: natsCredentials, authorityFile: natsCa,
      name: "toteboard-server \(role.rawValue)")
  }
}
