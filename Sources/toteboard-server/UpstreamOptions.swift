import AccountModel
import Algorithms
import ArgumentParser
import CLibrary
import CProgramVersion
import EveryMatrix
import FeedNetwork
import FeedServer
import FoundationCore
import Logging
import OddsModel
import Platform

/// The upstream feed that the server passes on instead of playing one. The options are those of the board with the
/// prefix `feed-`, because the same names without it are about the server's own clients.
struct UpstreamOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Upstream feed to pass on instead of playing one: wss://HOST/v2, or several addresses of one feed, \
      wss://A,wss://B, of which one is used at a time.
      """, valueName: "url[,url…]"))
  var feed: String?

  @Option(help: ArgumentHelp("Realm of the upstream feed. (default: its host)", valueName: "name"))
  var feedRealm: String?

  @Option(
    help: ArgumentHelp(
      "Origin to present to the upstream feed. (default: that of its own site, https://HOST)", valueName: "url"))
  var feedOrigin: String?

  @Option(
    help: ArgumentHelp("PEM file with further root certificates to trust for the upstream feed.", valueName: "file"))
  var feedCaFile: String?

  @Option(
    help: ArgumentHelp(
      "File with the token to send to the upstream feed. (default: from \(Self.variable))", valueName: "file"))
  var feedTokenFile: String?

  /// The environment variable that has the token if there is no `--feed-token-file`.
  static let variable = "TOTEBOARD_FEED_TOKEN"

  private var values: [(name: String, value: String?)] {
    [
      ("--feed", feed), ("--feed-realm", feedRealm), ("--feed-origin", feedOrigin), ("--feed-ca-file", feedCaFile),
      ("--feed-token-file", feedTokenFile),
    ]
  }

  /// The options that were given, as messages show them.
  var given: [String] { ValidationError.texts(values) }

  mutating func validate() throws {
    try ValidationError.checkEmpty(values)
    guard let feed else {
      guard let option = given.first else { return }
      throw ValidationError("\(option) requires an upstream feed: add --feed")
    }
    let list: FeedAddressList
    do throws(FeedError) { list = try FeedAddressList(feed) } catch { throw ValidationError("--feed: \(error)") }
    if let feedCaFile, !list.addresses.contains(where: \.isSecure) {
      throw ValidationError(
        "--feed-ca-file '\(feedCaFile)' has no effect with --feed '\(feed)', which is not encrypted: use wss://, or "
          + "remove it")
    }
    if let feedOrigin, !WebOrigin.isValid(feedOrigin) {
      throw ValidationError("--feed-origin '\(feedOrigin)' is not a valid origin: use one such as https://HOST")
    }
  }

  /// An upstream feed and its connections.
  struct Upstream {
    let relay: FeedRelay
    /// The error that ends all attempts to connect.
    let failures: AsyncStream<ServerError>
    private let connections: FeedConnections

    fileprivate init(
      _ connections: FeedConnections, realms: [String], _ log: Logger, _ registry: PrometheusRegistry
    ) {
      let (failures, failed) = AsyncStream.makeStream(of: ServerError.self)
      self.connections = connections
      self.failures = failures
      let session = connections.session(realms: realms)
      let wasUp = Locked(false)
      relay = FeedRelay(session, registry: registry) { state in
        let isNew = wasUp.withLock { wasUp in
          defer { wasUp = state.isUp }
          return wasUp != state.isUp
        }
        switch state {
        case .live, .recovering: if isNew { log.notice("connected to the upstream feed") }
        case .waiting(let retry):
          log.warning(
            "no connection to the upstream feed: trying again", metadata: ["reason": "\(retry.reason.message)"])
        case .failed(let why): failed.yield(ServerError("the upstream feed cannot be used: \(why)"))
        case .idle, .connecting, .handshaking, .ended: break
        }
      }
    }

    /// Disconnects.
    func stop() async {
      await relay.stop()
      await connections.shutDown()
    }
  }

  /// Returns the upstream feed, to which nothing is sent yet; nil if there is none.
  func upstream(_ log: Logger, _ registry: PrometheusRegistry) throws -> Upstream? {
    guard let feed else { return nil }
    do {
      let list = try FeedAddressList(feed)
      let endpoints = try FeedEndpoint.endpoints(
        of: list, origin: feedOrigin, token: token(), caFile: feedCaFile,
        proxies: ProxyRules(environment: ProcessInfo.processInfo.environment))
      let connections = try FeedConnections(endpoints, agent: "toteboard-server/\(TOTEBOARD_VERSION)")
      return Upstream(connections, realms: list.addresses.map { feedRealm ?? $0.host }, log, registry)
    } catch let error as FeedError { throw ServerError("\(error)") }
  }

  private func token() throws -> Secret? {
    if let feedTokenFile {
      let text = try Files.text(feedTokenFile, of: "token file")
      return try Secret(token: String(text.trimming(while: \.isWhitespace)), from: "the file '\(feedTokenFile)'")
    }
    return try getenv(Self.variable).map { try Secret(token: String(cString: $0), from: Self.variable) }
  }
}
