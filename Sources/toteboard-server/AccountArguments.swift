import AccountModel
import ArgumentParser
import FeedServer
import Platform
import ProgramArguments

/// The accounts of the server and the requests that need a login.
struct AccountArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "File of up to 16 MiB with one line per user, as printed by 'toteboard-server hash-password NAME'.",
      valueName: "file"))
  var users: String?

  @Option(
    help: ArgumentHelp(
      "User for demonstrations. The password may be visible briefly in the process list of this machine. Repeatable.",
      valueName: "name:password"))
  var demoUser: [String] = []

  @Flag(
    help: "Restrict the WebSocket and the match lists to clients that are logged in or send the token of --token-file.")
  var requireLogin = false

  @Option(help: ArgumentHelp("Lifetime of a login: 12h, 30m, 90s, …, up to 720h. (default: 12h)", valueName: "time"))
  var sessionTtl: TypedValue<SessionTime>?

  @Option(
    help: ArgumentHelp(
      """
      File with the key that signs login tokens, 32 bytes or more, the same for all gateways of a cluster. (default: a \
      new key at each start)
      """,
      valueName: "file"))
  var tokenKeyFile: String?

  @Option(
    help: ArgumentHelp(
      """
      Loopback address for administration, 127.0.0.1:PORT. Anyone on this machine can then end sessions and change \
      balances.
      """,
      valueName: "address"))
  var admin: String?

  private var hasUsers: Bool { users != nil || !demoUser.isEmpty }

  /// The options that were given, as messages show them: without passwords.
  var given: [String] {
    ValidationError.texts([
      ("--users", users), ("--demo-user", demoUser.first.map { Self.parts($0).name }),
      ("--require-login", requireLogin ? "" : nil), ("--session-ttl", sessionTtl?.text),
      ("--token-key-file", tokenKeyFile), ("--admin", admin),
    ])
  }

  mutating func validate() throws {
    try ValidationError.checkEmpty([("--users", users), ("--token-key-file", tokenKeyFile)])
    if let sessionTtl, sessionTtl.value == nil {
      throw ValidationError(
        "--session-ttl '\(sessionTtl.text)' is not a valid duration: use 1s to 720h, such as 12h, 30m or 90s")
    }
    if !hasUsers, let option = given.first {
      throw ValidationError("\(option) requires users: add --users or --demo-user")
    }
    for user in demoUser {
      let (name, password) = Self.parts(user)
      // NB: the message must not show the argument, which may contain a password.
      guard UserList.isName(name) else {
        throw ValidationError("--demo-user has an invalid name: \(UserList.nameRemedy)")
      }
      if password.isEmpty { throw ValidationError("--demo-user '\(name)' has no password: use NAME:PASSWORD") }
      if demoUser.count(where: { Self.parts($0).name == name }) > 1 {
        throw ValidationError("--demo-user '\(name)' is given more than once: remove all but one")
      }
    }
    _ = try adminAddress()
  }

  /// Throws if tokens would be signed with a key that the other gateways of a cluster do not have.
  func requireTokenKey() throws {
    if hasUsers, tokenKeyFile == nil {
      throw ValidationError(
        "--role 'gateway' with users requires --token-key-file, because each gateway must accept the tokens of the "
          + "others: create a file with 'head -c 32 /dev/urandom', and give it to all gateways")
    }
  }

  func apply(to options: inout ServerOptions) throws {
    guard hasUsers else { return }
    var accounts = AccountOptions(users: try userList(), clock: ClientClock.wallTime)
    if let time = sessionTtl?.value { accounts.sessionTime = time.milliseconds }
    accounts.tokenKey = try tokenKeyFile.map(Self.key)
    options.accounts = accounts
    options.requiresLogin = requireLogin
    options.admin = try adminAddress()
  }

  private func userList() throws -> UserList {
    var list = UserList()
    if let users {
      let text = try Files.text(users, of: "users file", mebibytes: 16)
      do { list = try UserList(file: text) } catch {
        throw ServerError("the users file '\(users)' is not valid: \(error)")
      }
    }
    for user in demoUser {
      let (name, password) = Self.parts(user)
      if let users, list.contains(name) {
        throw ServerError(
          "--demo-user '\(name)' is also in the users file '\(users)': remove the option, or the line of the file")
      }
      list.add(name, try PasswordHash(of: Secret(password), cost: .light))
    }
    return list
  }

  private func adminAddress() throws -> LoopbackAddress? {
    guard let admin else { return nil }
    let (host, port) = try ListeningOptions.parse(admin, of: "--admin", example: "127.0.0.1:0")
    guard let address = LoopbackAddress(host: host, port: port) else {
      throw ValidationError("--admin '\(admin)' is not a loopback address: use 127.0.0.1:PORT or [::1]:PORT")
    }
    return address
  }

  private static func parts(_ user: String) -> (name: String, password: String) {
    let parts = user.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
  }

  private static func key(of file: String) throws -> [UInt8] {
    let bytes = try Files.bytes(file, of: "key file")
    guard bytes.count >= AccountOptions.shortestKey else {
      throw ServerError("the key file '\(file)' is too short: create one with 'head -c 32 /dev/urandom'")
    }
    return bytes
  }
}

/// A duration, written as `12h`, `30m` or `90s`.
struct SessionTime: ExpressibleByArgument {
  let milliseconds: Int64

  init?(argument: String) {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600]
    guard let unit = argument.last.flatMap({ units[$0] }), let number = Int64(argument.dropLast()),
      1...2_592_000 ~= number, 1...2_592_000 ~= number * unit
    else { return nil }
    milliseconds = number * unit * 1000
  }
}
