import AccountModel
import FeedServer
import FeedSimulator
import Platform
import TestSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A server with two users, anna and ben, whose password is "pw", and whose clock the test advances.
struct AccountServer {
  static let hour: Int64 = 3_600_000
  /// 2025-06-15T15:06:40Z, in milliseconds since 1970.
  static let startTime = ManualClock.wallStart

  let server: RunningServer
  private let time: Locked<Int64>

  var port: Int { server.port }
  var hub: AccountHub { server.accounts! }
  var now: Int64 { time.withLock { $0 } }

  /// Advances the clock.
  func advance(by milliseconds: Int64) {
    time.withLock { $0 += milliseconds }
    hub.tick()
  }

  func login(_ user: String = "anna", _ password: String = "pw") async throws -> HTTPResponse {
    try await HTTPResponse(port, post: AccountPath.login, [], #"{"user":"\#(user)","password":"\#(password)"}"#)
  }

  func session(_ user: String = "anna") async throws -> AccountLogin { try Self.login(of: try await login(user)) }

  static func login(of answer: HTTPResponse) throws -> AccountLogin {
    try JSONDecoder().decode(AccountLogin.self, from: Data(answer.body))
  }

  /// Opens the account stream and reads the head.
  func stream(_ login: AccountLogin, _ headers: [String] = [], reads: Bool = true) async throws -> RawClient {
    let client = try await RawClient(to: port, reads: reads)
    let lines = ["GET \(AccountPath.updates(of: login.userId)) HTTP/1.1", "Host: localhost", login.header] + headers
    client.send((lines + ["", ""]).joined(separator: "\r\n"))
    if reads { _ = await client.read(through: "retry: 200\n\n") }
    return client
  }

  /// Starts a server on any free port, and stops it after the body.
  static func with(
    _ change: (inout ServerOptions) -> Void = { _ in }, _ body: (AccountServer) async throws -> Void
  ) async throws {
    let time = Locked(startTime)
    var users = UserList()
    for name in ["anna", "ben"] { users.add(name, try PasswordHash(of: Secret("pw"), cost: .light)) }
    var accounts = AccountOptions(users: users) { time.withLock { $0 } }
    accounts.seed = 1
    try await withServer(
      ScriptedFeed(),
      {
        $0.accounts = accounts
        $0.limits.accounts.interval = 1 << 62
        change(&$0)
      }
    ) { try await body(AccountServer(server: $0, time: time)) }
  }
}
