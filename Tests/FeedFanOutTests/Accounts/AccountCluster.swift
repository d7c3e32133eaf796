import AccountModel
import EveryMatrix
import FeedServer
import FeedSimulator
import FoundationCore
import Platform
import TestSupport

@testable import toteboard_server

/// A cluster with the users anna and ben, whose password is "pw". The wall clock of its processes does not advance
/// unless the test advances it.
struct AccountCluster {
  static let hour: Int64 = 3_600_000

  let cluster: TestCluster
  let time = Locked<Int64>(1_750_000_000_000)

  static func with(_ body: (AccountCluster) async throws -> Void) async throws {
    try await TestCluster.with { try await body(AccountCluster(cluster: $0)) }
  }

  func advance(by milliseconds: Int64) { time.withLock { $0 += milliseconds } }

  /// Starts a book. Its players do not bet.
  func book(seed: UInt64 = 1) throws -> TestCluster.Book {
    var options = AccountBook.Options()
    options.pace = 1 << 40
    options.clock = { [time] in time.withLock { $0 } }
    return try cluster.book(try ClusterFeed(seed: seed), accounts: options)
  }

  /// Starts a gateway, and waits until it has received the sessions unless `isReady` is false.
  func gateway(
    isReady: Bool = true, admin: Bool = false, _ change: (inout ServerOptions) -> Void = { _ in }
  ) async throws -> TestCluster.Gateway {
    var users = UserList()
    for name in ["anna", "ben"] { users.add(name, try PasswordHash(of: Secret("pw"), cost: .light)) }
    var options = AccountOptions(users: users) { [time] in time.withLock { $0 } }
    options.tokenKey = [UInt8](repeating: 7, count: 32)
    var settings = ClusterAccounts.Options()
    settings.clock = options.clock
    let gateway = try await cluster.gateway(options, accounts: settings) { options in
      options.requiresLogin = true
      if admin { options.admin = LoopbackAddress(host: "localhost", port: 0) }
      change(&options)
    }
    if isReady { try await gateway.wait(untilReady: true) }
    return gateway
  }
}

extension TestCluster.Gateway {
  /// Returns once the gateway has those sessions, and no others.
  func wait(untilSessions ids: Set<String>) async {
    while !Task.isCancelled, Set(accounts!.sessions.map(\.id)) != ids { await Task.yield() }
  }

  func login(_ user: String = "anna", _ password: String = "pw") async throws -> HTTPResponse {
    try await HTTPResponse(port, post: AccountPath.login, [], #"{"user":"\#(user)","password":"\#(password)"}"#)
  }

  func session(_ user: String = "anna") async throws -> AccountLogin {
    try JSONDecoder().decode(AccountLogin.self, from: Data(try await login(user).body))
  }

  func wallet(_ login: AccountLogin) async throws -> HTTPResponse {
    try await HTTPResponse(port, AccountPath.wallet(of: login.userId), [login.header])
  }

  func logOut(_ login: AccountLogin) async throws -> Int {
    try await HTTPResponse(port, post: AccountPath.logout, [login.header]).status
  }

  /// The status of the answer to a WebSocket handshake.
  func handshake(_ login: AccountLogin) async throws -> String {
    let raw = try await RawClient(to: port)
    raw.send(SocketClient.handshake([login.header]))
    let head = await raw.read(through: "\r\n") ?? ""
    return String(head.dropFirst("HTTP/1.1 ".count).prefix(3))
  }

  /// Posts to the admin interface.
  func administer(_ path: String) async throws -> HTTPResponse {
    try await HTTPResponse(Int(server.admin!.split(separator: ":").last!)!, post: path)
  }

  /// Opens the account stream.
  func stream(_ login: AccountLogin, after event: UInt64? = nil) async throws -> AccountStream {
    let client = try await RawClient(to: port)
    let headers = event.map { ["Last-Event-ID: \($0)"] } ?? []
    let lines = ["GET \(AccountPath.updates(of: login.userId)) HTTP/1.1", "Host: localhost", login.header] + headers
    client.send((lines + ["", ""]).joined(separator: "\r\n"))
    let head = await client.read(through: "\r\n\r\n") ?? ""
    return AccountStream(client: client, isOpen: head.hasPrefix("HTTP/1.1 200"))
  }

  /// Opens a WebSocket session with the token of a login.
  func socket(_ login: AccountLogin) async throws -> SocketClient {
    let client = try await SocketClient(to: port, headers: [login.header])
    client.send(.hello(realm: "test"))
    _ = await client.text()
    return client
  }
}

/// An account stream, as a client reads it.
struct AccountStream {
  let client: RawClient
  let isOpen: Bool

  /// Returns the next event, or nil at the end of the stream.
  func next() async -> (id: UInt64, data: String)? {
    while let text = await client.read(through: "\n") {
      if text.hasPrefix("0\r\n") { return nil }
      guard text.hasPrefix("id: ") else { continue }
      let id = UInt64(text.dropFirst(4).dropLast()) ?? 0
      while let line = await client.read(through: "\n") {
        if line.hasPrefix("data: ") { return (id, String(line.dropFirst(6).dropLast())) }
      }
    }
    return nil
  }
}
