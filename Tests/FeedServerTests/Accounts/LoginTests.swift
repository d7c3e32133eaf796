import AccountModel
import FeedSimulator
import Logging
import NIOCore
import Platform
import TestSupport
import Testing

@testable import FeedServer

@Suite("Logging in over REST", .timeLimit(.minutes(45)))
struct LoginTests {
  @Test("a login returns a token, a renewal returns one with a later expiry, and a logout invalidates both")
  func converse() async throws {
    try await AccountServer.with { server in
      let login = try await server.session()
      #expect(login.expiresAt == AccountServer.startTime + 12 * AccountServer.hour)
      #expect(login.token.split(separator: ".").count == 3)
      let wallet = try await HTTPResponse(server.port, AccountPath.wallet(of: login.userId), [login.header])
      #expect(wallet.status == 200 && wallet["cache-control"] == "no-store")
      #expect(wallet.text.hasPrefix(#"{"userId":"\#(login.userId)","currency":"EUR","Real":"#))
      server.advance(by: AccountServer.hour)
      let renewed = try AccountServer.login(
        of: try await HTTPResponse(server.port, post: AccountPath.renew, [login.header]))
      #expect(renewed.sessionId == login.sessionId && renewed.userId == login.userId && renewed.token != login.token)
      #expect(renewed.expiresAt == login.expiresAt + AccountServer.hour)
      let logout = try await HTTPResponse(server.port, post: AccountPath.logout, [renewed.header])
      #expect(logout.status == 204)
      for header in [login.header, renewed.header] {
        #expect(try await HTTPResponse(server.port, AccountPath.wallet(of: login.userId), [header]).status == 401)
        #expect(try await HTTPResponse(server.port, post: AccountPath.renew, [header]).status == 401)
      }
    }
  }

  @Test(
    "an invalid login is refused with an error and a remedy",
    arguments: [
      (#"{"user":"anna","password":"pW"}"#, 401), (#"{"user":"nobody","password":"pw"}"#, 401),
      (#"{"user":"Anna","password":"pw"}"#, 401), (#"{"user":"anna"}"#, 400), (#"{"user":"","password":"pw"}"#, 400),
      (#"{"user":"anna","password":""}"#, 400), ("[]", 400), ("", 400), (String(repeating: " ", count: 5000), 413),
    ])
  func refused(body: String, status: Int) async throws {
    try await AccountServer.with { server in
      let answer = try await HTTPResponse(server.port, post: AccountPath.login, [], body)
      #expect(answer.status == status)
      #expect(answer.text.hasPrefix(#"{"error":""#) && answer.text.contains(#""remedy":""#))
      #expect(answer["www-authenticate"] == (status == 401 ? "Bearer" : nil))
      #expect(server.hub.sessions.isEmpty)
    }
  }

  @Test("a login without the content type of JSON gets 415 with a remedy, and does not count as an attempt")
  func contentType() async throws {
    try await AccountServer.with { server in
      let body = #"{"user":"anna","password":"guess"}"#
      for type in ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", "json", "", ";", nil] {
        let answer = try await HTTPResponse(server.port, post: AccountPath.login, [], body, type: type)
        #expect(answer.status == 415 && answer.text.contains("'Content-Type: application/json'"))
      }
      for type in ["application/json", "application/json; charset=utf-8", "Application/JSON ;x=y"] {
        #expect(try await HTTPResponse(server.port, post: AccountPath.login, [], body, type: type).status == 401)
      }
      #expect(try await server.login().status == 200)
    }
  }

  @Test("a chunked body above the size limit gets 413, and the connection is closed")
  func chunked() async throws {
    try await AccountServer.with({ $0.limits.closeTime = .milliseconds(20) }) { server in
      let client = try await RawClient(to: server.port)
      let chunk = "800\r\n" + String(repeating: " ", count: 0x800) + "\r\n"
      client.send(
        "POST \(AccountPath.login) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk)\(chunk)\(chunk)")
      let answer = await client.readToEnd()
      #expect(answer.hasPrefix("HTTP/1.1 413 ") && answer.contains("send a smaller one"))
    }
  }

  @Test("five wrong passwords are answered at once, then one every 30 s; other users are not affected")
  func guessing() async throws {
    try await AccountServer.with { server in
      for _ in 1...5 { #expect(try await server.login("anna", "guess").status == 401) }
      let sixth = try await server.login("anna", "pw")
      #expect(sixth.status == 429 && sixth["retry-after"] == "30")
      #expect(try await server.login("ben").status == 200)
      server.advance(by: 29_000)
      #expect(try await server.login("anna", "pw")["retry-after"] == "1")
      server.advance(by: 1_000)
      #expect(try await server.login("anna", "pw").status == 200)
      let figures = try await HTTPResponse(server.port, "/metrics").text
      #expect(figures.contains("toteboard_logins_total 2\n") && figures.contains("toteboard_account_sessions 2\n"))
      #expect(figures.contains(#"toteboard_logins_refused_total{reason="password"} 5"#))
      #expect(figures.contains(#"toteboard_logins_refused_total{reason="limit"} 2"#))
    }
  }

  @Test("the attempts of an address are limited across all users, including unknown ones")
  func oneAddress() async throws {
    try await AccountServer.with({ $0.limits.logins.address = 3 }) { server in
      for name in ["x", "y", "z"] { #expect(try await server.login(name).status == 401) }
      let fourth = try await server.login("anna")
      #expect(fourth.status == 429 && fourth["retry-after"] == "3")
    }
  }

  @Test("a token is rejected after its session expires, and for another account")
  func expiry() async throws {
    try await AccountServer.with { server in
      let (login, other) = (try await server.session(), try await server.session("ben"))
      for path in [AccountPath.wallet(of: other.userId), AccountPath.updates(of: other.userId)] {
        let answer = try await HTTPResponse(server.port, path, [login.header])
        #expect(answer.status == 403 && answer.text.contains("somebody else's"))
      }
      server.advance(by: 12 * AccountServer.hour - 1)
      #expect(try await HTTPResponse(server.port, AccountPath.wallet(of: login.userId), [login.header]).status == 200)
      server.advance(by: 1)
      let late = try await HTTPResponse(server.port, AccountPath.wallet(of: login.userId), [login.header])
      #expect(late.status == 401 && late.text.contains("log in at '/api/login'"))
    }
  }

  @Test("logins above the limit of pending checks get 503 and do not count as failed attempts")
  func busy() async throws {
    try await AccountServer.with({ $0.limits.waitingLogins = 0 }) { server in
      for _ in 1...6 {
        let answer = try await server.login()
        #expect(answer.status == 503 && answer["retry-after"] == "1")
      }
    }
  }

  @Test("passwords and tokens are never logged")
  func log() async throws {
    let lines = Locked<[String]>([])
    var logger = Logger(label: "test", factory: { _ in Collector(lines: lines) })
    logger.logLevel = .trace
    var options = ServerOptions.withLongTimeouts
    var users = UserList()
    users.add("anna", try PasswordHash(of: Secret("hushhush"), cost: .light))
    options.accounts = AccountOptions(users: users) { AccountServer.startTime }
    options.requiresLogin = true
    let server = try await RunningServer.start(
      options, playing: ScriptedFeed.Feed(script: ScriptedFeed()), logger: logger)
    let answer = try await HTTPResponse(
      server.port, post: AccountPath.login, [], #"{"user":"anna","password":"hushhush"}"#)
    let login = try AccountServer.login(of: answer)
    _ = try await HTTPResponse(server.port, post: AccountPath.login, [], #"{"user":"anna","password":"hushhush2"}"#)
    _ = try await HTTPResponse(server.port, AccountPath.wallet(of: login.userId), [login.header])
    _ = try await SocketClient(to: server.port, headers: [login.header])
    _ = try await HTTPResponse(server.port, post: AccountPath.logout, [login.header])
    await server.stop()
    let text = lines.withLock { $0.joined(separator: "\n") }
    #expect(text.contains("session started"))
    #expect(!text.contains("hushhush") && !text.contains(login.token))
  }
}

private struct Collector: LogHandler {
  let lines: Locked<[String]>
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace

  init(lines: Locked<[String]>) { self.lines = lines }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    lines.withLock { $0.append("\(event.message) \(event.metadata ?? [:]) \(metadata)") }
  }
}
