import Algorithms
import ArgumentParser
import CLibrary
import FeedServer
import Platform
import ProgramArguments

/// The address of the server and the requirements on its clients.
struct ListeningOptions: ParsableArguments {
  @Option(
    help: "Address and port to listen on; port 0 selects a free one. 127.0.0.1 is reachable only from this machine.")
  var listen = "127.0.0.1:8080"

  @Option(help: ArgumentHelp("Realm that clients must request. (default: any)", valueName: "name"))
  var realm: String?

  @Option(help: ArgumentHelp("PEM file of the certificate with its chain; enables wss and https.", valueName: "file"))
  var tlsCert: String?

  @Option(help: ArgumentHelp("PEM file of the certificate's private key.", valueName: "file"))
  var tlsKey: String?

  @Option(
    help: ArgumentHelp("Allowed value of the Origin header of clients. Repeatable. (default: any)", valueName: "url"))
  var origin: [String] = []

  @Option(
    help: ArgumentHelp(
      "File with the token that clients must send. (default: from TOTEBOARD_SERVER_TOKEN)", valueName: "file"))
  var tokenFile: String?

  @Option(help: "Maximum number of concurrent sessions. (default: \(ServerLimits().sessions))")
  var maxSessions: TypedValue<Int>?

  @Option(
    help: ArgumentHelp(
      """
      Maximum number of connections from one client address (IPv6: from one /64 network). \
      (default: \(ServerLimits().connectionsPerAddress))
      """))
  var maxConnectionsPerAddress: TypedValue<Int>?

  @Option(help: "Maximum number of topics per session. (default: \(ServerLimits().topics))")
  var maxTopics: TypedValue<Int>?

  @Option(
    help: ArgumentHelp(
      """
      Maximum number of topics that one client address can have opened. A topic counts for the address that requested it \
      first, until no client has it any more. Another server that passes this feed on may need more. \
      (default: \(ServerLimits().openTopicsOfAddress); with --feed \(RelayLimits().topicsOfAddress))
      """))
  var maxTopicsPerAddress: TypedValue<Int>?

  @Option(
    help: ArgumentHelp(
      """
      Address of a reverse proxy, or of a network of them, such as 10.0.0.0/8. The addresses of its clients are taken \
      from X-Forwarded-For; without this option, all of them share the limits of one address. Repeatable.
      """, valueName: "address"))
  var trustedProxy: [String] = []

  mutating func validate() throws {
    try ValidationError.checkEmpty(
      [("--realm", realm), ("--tls-cert", tlsCert), ("--tls-key", tlsKey), ("--token-file", tokenFile)]
        + origin.map { ("--origin", $0) })
    if let origin = origin.first(where: { !WebOrigin.isValid($0) }) {
      throw ValidationError("--origin '\(origin)' is not a valid origin: use one such as https://HOST")
    }
    if (tlsCert == nil) != (tlsKey == nil) {
      let (given, missing) = tlsCert == nil ? ("--tls-key", "--tls-cert") : ("--tls-cert", "--tls-key")
      throw ValidationError("\(given) requires \(missing): specify both")
    }
    try maxSessions?.check("--max-sessions", 1...Int.max, remedy: "use 1 or more")
    try maxConnectionsPerAddress?.check("--max-connections-per-address", 1...Int.max, remedy: "use 1 or more")
    try maxTopics?.check("--max-topics", 1...Int.max, remedy: "use 1 or more")
    try maxTopicsPerAddress?.check("--max-topics-per-address", 1...ServerLimits().openTopics)
    _ = try proxies()
  }

  /// The options about clients that were given, as messages show them.
  var givenForClients: [String] {
    ValidationError.texts([
      ("--realm", realm), ("--tls-cert", tlsCert), ("--origin", origin.first), ("--token-file", tokenFile),
      ("--max-sessions", maxSessions?.text), ("--max-connections-per-address", maxConnectionsPerAddress?.text),
      ("--max-topics", maxTopics?.text), ("--max-topics-per-address", maxTopicsPerAddress?.text),
      ("--trusted-proxy", trustedProxy.first),
    ])
  }

  func serverOptions() throws -> ServerOptions {
    var options = ServerOptions()
    (options.host, options.port) = try address()
    // The rest of `ServerOptions.endTime`, 0.8 s, is for closing the connections.
    options.drainNotice = .seconds(1)
    options.drainTime = .seconds(1)
    options.realm = realm
    options.origins = origin
    options.token = try token()
    if let tlsCert, let tlsKey { options.tls = .init(certificate: tlsCert, key: tlsKey) }
    if let sessions = maxSessions?.value { options.limits.sessions = sessions }
    if let connections = maxConnectionsPerAddress?.value { options.limits.connectionsPerAddress = connections }
    if let topics = maxTopics?.value { options.limits.topics = topics }
    if let topics = maxTopicsPerAddress?.value { options.limits.openTopicsOfAddress = topics }
    options.proxies = try proxies()
    return options
  }

  private func proxies() throws -> TrustedProxies {
    TrustedProxies(
      try trustedProxy.map { text in
        do throws(AddressRange.ParsingError) { return try AddressRange(text) } catch {
          let reason =
            switch error {
            case .noAddress: "is not an IP address: use one such as 127.0.0.1 or 10.0.0.0/8"
            case .noPrefixLength: "has an invalid number of bits: use 0 to 32 for IPv4, or 0 to 128 for IPv6"
            case .bitsAfterPrefix: "has bits after the prefix: use the first address of the network, or more bits"
            }
          throw ValidationError("--trusted-proxy '\(text)' \(reason)")
        }
      })
  }

  func address() throws -> (host: String, port: Int) {
    try Self.parse(listen, of: "--listen", example: "127.0.0.1:8080")
  }

  /// Parses the `HOST:PORT` of an option. An IPv6 address is in brackets.
  static func parse(_ text: String, of option: String, example: String) throws -> (host: String, port: Int) {
    guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]), 0...65535 ~= port,
      case var host = text[..<colon], !host.isEmpty
    else { throw ValidationError("\(option) '\(text)' is not a valid address: use HOST:PORT, such as \(example)") }
    if host.first == "[", host.last == "]" { host = host.dropFirst().dropLast() }
    return (String(host), port)
  }

  private func token() throws -> AccessToken? {
    guard let tokenFile else {
      guard let text = getenv("TOTEBOARD_SERVER_TOKEN") else { return nil }
      guard let token = AccessToken(String(cString: text)) else {
        throw ServerError("TOTEBOARD_SERVER_TOKEN is not a valid token: set it to printable characters without spaces")
      }
      return token
    }
    let text = try Files.text(tokenFile, of: "token file")
    guard let token = AccessToken(String(text.trimming(while: \.isWhitespace))) else {
      throw ServerError("the token file '\(tokenFile)' contains no valid token: write one line without spaces")
    }
    return token
  }
}

enum Files {
  /// Returns the text of a file, which may also be a pipe. `kind` names the file in the message of the error.
  static func text(_ path: String, of kind: String, mebibytes: Int = 1) throws -> String {
    String(decoding: try bytes(path, of: kind, mebibytes: mebibytes), as: UTF8.self)
  }

  /// Returns the content of a file, which may also be a pipe. Throws a `ServerError` if it cannot be read or is larger
  /// than `mebibytes`.
  static func bytes(_ path: String, of kind: String, mebibytes: Int = 1) throws -> [UInt8] {
    let maxBytes = mebibytes << 20
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    guard descriptor >= 0, let bytes = FileReading.bytes(of: descriptor, limit: maxBytes + 1) else {
      throw ServerError("cannot read the \(kind) '\(path)': \(String(cString: strerror(errno)))")
    }
    guard bytes.count <= maxBytes else {
      throw ServerError("the \(kind) '\(path)' is larger than \(mebibytes) MiB: give a smaller one")
    }
    return bytes
  }
}

/// Unbuffered standard error.
enum FileDescriptorOutput {
  static func error(_ text: String) {
    var text = text
    text.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
  }
}

extension TypedValue where Value: Comparable & Sendable {
  /// Throws a usage error with the option, the text and a remedy if the value is outside the range.
  func check(_ option: String, _ range: ClosedRange<Value>, remedy: String? = nil) throws {
    do { _ = try checked(in: range) } catch {
      let remedy = remedy ?? "use \(range.lowerBound) to \(range.upperBound)"
      throw ValidationError("\(option) '\(text)' \(error.rawValue): \(remedy)")
    }
  }
}

extension ValidationError {
  /// Returns the options that were given, as messages show them: with their values, such as `--realm 'a'`.
  ///
  /// - Parameter options: The value of each option; nil if it was not given, and empty for a flag.
  static func texts(_ options: [(name: String, value: String?)]) -> [String] {
    options.compactMap { option in
      option.value.map { $0.isEmpty ? option.name : "\(option.name) '\($0)'" }
    }
  }

  /// Throws if the value of an option is empty.
  static func checkEmpty(_ options: [(name: String, value: String?)]) throws {
    guard let option = options.first(where: { $0.value == "" }) else { return }
    throw ValidationError("\(option.name) '' is empty: specify a value, or omit the option")
  }
}
