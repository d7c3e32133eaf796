import AccountModel
import EveryMatrix
import FeedSimulator
import Platform
import TestSupport
import Testing

@testable import FeedServer

@Suite("Required logins", .timeLimit(.minutes(45)))
struct RequiredLoginTests {
  private let list = "/api/odds?topic=\(ScriptedFeed.topic)"

  private func handshake(_ server: AccountServer, _ headers: [String]) async throws -> String {
    let client = try await RawClient(to: server.port)
    client.send(SocketClient.handshake(headers))
    return String(await client.read(through: "\r\n")?.dropFirst(9).prefix(3) ?? "")
  }

  @Test("WebSockets, lists and metrics require a token of a session or of the server; health and login do not")
  func required() async throws {
    try await AccountServer.with({
      $0.requiresLogin = true
      $0.token = AccessToken("s3cret")
    }) { server in
      let login = try await server.session()
      for (headers, isLetIn) in [
        ([login.header], true), (["Authorization: Bearer s3cret"], true), (["Authorization: Bearer x"], false),
        ([login.header + "x"], false), ([], false),
      ] {
        #expect(try await handshake(server, headers) == (isLetIn ? "101" : "401"))
        #expect(try await HTTPResponse(server.port, list, headers).status == (isLetIn ? 200 : 401))
        #expect(try await HTTPResponse(server.port, "/metrics", headers).status == (isLetIn ? 200 : 401))
      }
      #expect(try await HTTPResponse(server.port, list).text.contains("'/api/login'"))
      #expect(try await HTTPResponse(server.port, "/healthz").status == 200)
      server.hub.logOut(login.sessionId)
      #expect(try await handshake(server, [login.header]) == "401")
      #expect(try await HTTPResponse(server.port, list, [login.header]).status == 401)
      let wallet = AccountPath.wallet(of: login.userId)
      #expect(try await HTTPResponse(server.port, wallet, ["Authorization: Bearer s3cret"]).status == 401)
    }
  }

  @Test("if no login is required, clients need no token, but a WebSocket with a token still ends with its session")
  func free() async throws {
    try await AccountServer.with { server in
      let login = try await server.session()
      #expect(try await handshake(server, []) == "101")
      let socket = try await SocketClient(to: server.port, headers: [login.header])
      server.hub.endAll(of: "anna", .kicked)
      // The client has not sent HELLO, so the server sends no GOODBYE.
      #expect(await socket.next() == .close(1008, "the login session has ended: log in again"))
      // A client cannot choose the session.
      let other = try await SocketClient(to: server.port, headers: ["\(AccessPolicy.loginSessionHeader): other"])
      other.send(.hello(realm: "test"))
      #expect(await other.text() != nil)
    }
  }

  @Test("a session that expires at any moment of the handshake leaves no WebSocket open", arguments: 0...6)
  func expiry(reads: Int) async throws {
    // The session is over once the clock was read so many times.
    let left = Locked(Int.max)
    try await AccountServer.with({
      $0.requiresLogin = true
      $0.accounts!.clock = {
        left.withLock { left in
          left -= 1
          return AccountServer.startTime + (left < 0 ? 13 * AccountServer.hour : 0)
        }
      }
    }) { server in
      let login = try await server.session()
      left.withLock { $0 = reads }
      let socket = try? await SocketClient(to: server.port, headers: [login.header])
      #expect(socket != nil || reads < 3)
      left.withLock { $0 = 0 }
      server.hub.tick()
      if let socket { #expect(await socket.next() == .close(1008, "the login session has ended: log in again")) }
    }
  }

  @Test("a server without accounts has no account routes")
  func none() async throws {
    try await withServer { server in
      #expect(server.accounts == nil && server.admin == nil)
      let login = try await HTTPResponse(server.port, post: AccountPath.login, [], "{}")
      let wallet = try await HTTPResponse(server.port, AccountPath.wallet(of: "1"))
      #expect(login.status == 404 && wallet.status == 404)
    }
  }
}
