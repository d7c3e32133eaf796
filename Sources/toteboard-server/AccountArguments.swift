import AccountModel
import ArgumentParser
import FeedServer
import Platform
import ProgramArguments

/// The accounts of the server and the requests that need a login.
struct AccountArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "File with a line for each user who can log in, as 'toteboard-server hash-password NAME' prints it.",
      valueName: "file"))
  var users: String?

  @Option(
    help: ArgumentHelp(
      "A user for demonstrations. Others on this machine may see the password for a moment, in the list of processes. Repeatable.",
      valueName: "name:password"))
  var demoUser: [String] = []

  @Flag(help: "The socket and the lists are for those only who have logged in, or show the token of --token-file.")
  var requireLogin = false

  @Option(help: ArgumentHelp("How long a login lasts: 12h, 30m, 90s, …, up to 720h.", valueName: "time"))
  var sessionTtl = TypedValue(SessionTime(milliseconds: 12 * 3_600_000))

  @Option(
    help: ArgumentHelp(
      "File with what tokens are signed with, 32 bytes or more; else a key is made that is gone with the server.",
      valueName: "file"))
  var tokenKeyFile: String?

  @Option(
    help: ArgumentHelp(
      "Loopback address at which whoever is on this machine can end sessions: 127.0.0.1:PORT.", valueName: "address"))
  var admin: String?

  private var hasUsers: Bool { users != nil || !demoUser.isEmpty }

  mutating func validate() throws {
    try ValidationError.checkEmpty([("--users", users), ("--token-key-file", tokenKeyFile)])
    if sessionTtl.value == nil {
      throw ValidationError("--session-ttl '\(sessionTtl.text)' is no time: give 1s to 720h, such as 12h, 30m or 90s")
    }
    if !hasUsers {
      let given = [
        ("--require-login", requireLogin), ("--token-key-file", tokenKeyFile != nil), ("--admin", admin != nil),
      ]
      if let (option, _) = given.first(where: \.1) {
        throw ValidationError("\(option) needs somebody who can log in: give --users or --demo-user too")
      }
    }
    for user in demoUser {
      let (name, password) = Self.parts(user)
      // NB: the message must not show the argument, which may contain a password.
      guard UserList.isName(name) else {
        throw ValidationError("a name of --demo-user is none: \(UserList.nameRemedy)")
      }
      if password.isEmpty { throw ValidationError("--demo-user '\(name)' has no password: give NAME:PASSWORD") }
    }
    _ = try adminAddress()
  }

  func apply(to options: inout ServerOptions) throws {
    guard hasUsers else { return }
    var accounts = AccountOptions(users: try userList(), clock: ClientClock.wallTime)
    if let time = sessionTtl.value { accounts.sessionTime = time.milliseconds }
    accounts.tokenKey = try tokenKeyFile.map(Self.key)
    options.accounts = accounts
    options.requiresLogin = requireLogin
    options.admin = try adminAddress()
  }

  private func userList() throws -> UserList {
    var list = UserList()
    if let users {
      let text = try Files.text(users, of: "users file")
      do { list = try UserList(file: text) } catch {
        throw ServerError("the users file '\(users)' is of no use: \(error)")
      }
    }
    for user in demoUser {
      let (name, password) = Self.parts(user)
      list.add(name, try PasswordHash(of: Secret(password), cost: .light))
    }
    return list
  }

  private func adminAddress() throws -> LoopbackAddress? {
    guard let admin else { return nil }
    let (host, port) = try ListeningOptions.parse(admin, of: "--admin", example: "127.0.0.1:0")
    guard let address = LoopbackAddress(host: host, port: port) else {
      throw ValidationError("--admin '\(admin)' is not on this machine alone: give 127.0.0.1:PORT or [::1]:PORT")
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
      throw ServerError("the key file '\(file)' is too short: make one with 'head -c 32 /dev/urandom'")
    }
    return bytes
  }
}

/// A duration, written as `12h`, `30m` or `90s`.
struct SessionTime: ExpressibleByArgument, CustomStringConvertible {
  let milliseconds: Int64

  init(milliseconds: Int64) { self.milliseconds = milliseconds }

  init?(argument: String) {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600]
    guard let unit = argument.last.flatMap({ units[$0] }), let number = Int64(argument.dropLast()),
      1...2_592_000 ~= number, 1...2_592_000 ~= number * unit
    else { return nil }
    milliseconds = number * unit * 1000
  }

  var description: String { "\(milliseconds / 3_600_000)h" }
}
