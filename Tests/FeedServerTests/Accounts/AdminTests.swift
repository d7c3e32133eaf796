import AccountModel
import FeedSimulator
import NIOCore
import TestSupport
import Testing

@testable import FeedServer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("The admin listener", .timeLimit(.minutes(45)))
struct AdminTests {
  private func with(_ body: (AccountServer, _ port: Int) async throws -> Void) async throws {
    try await AccountServer.with({ $0.admin = LoopbackAddress(host: "localhost", port: 0) }) { server in
      let admin = try #require(server.server.admin)
      #expect(admin.hasPrefix("http://127.0.0.1:"))
      try await body(server, try #require(Int(admin.split(separator: ":").last ?? "")))
    }
  }

  @Test("lists sessions without tokens, and ends those of a user", arguments: ["expire", "kick", "terminate"])
  func end(how: String) async throws {
    try await with { server, admin in
      let login = try await server.session()
      _ = try await server.session()
      let other = try await server.session("ben")
      let list = try await HTTPResponse(admin, "/sessions")
      #expect(list.text.contains(#"{"user":"anna","userId":"\#(login.userId)","sessionId":"\#(login.sessionId)","#))
      #expect(list.text.contains(#""loginTime":"2025-06-15T15:06:40Z""#) && !list.text.contains(login.token))
      let answer = try await HTTPResponse(admin, post: "/sessions/anna/\(how)")
      #expect(answer.status == 200 && answer.text == #"{"ended":2}"#)
      #expect(server.hub.sessions.map(\.id) == [other.sessionId])
      let again = try await HTTPResponse(admin, post: "/sessions/anna/\(how)")
      #expect(again.status == 404 && again.text.contains("'anna'"))
    }
  }

  @Test("posts exact amounts, and refuses invalid ones and debits above the balance")
  func post() async throws {
    try await with { server, admin in
      let login = try await server.session()
      let before = try #require(server.hub.wallet(of: login.userId))
      #expect(try await HTTPResponse(admin, post: "/accounts/anna/post?amount=12.3").status == 200)
      #expect(try await HTTPResponse(admin, post: "/accounts/anna/post?amount=-0.31").status == 200)
      let after = try #require(server.hub.wallet(of: login.userId))
      #expect((after.real - before.real) * 100 == 1199)
      #expect(try await HTTPResponse(admin, post: "/accounts/anna/post?amount=-1000000").status == 409)
      #expect(try await HTTPResponse(admin, post: "/accounts/eve/post?amount=1").status == 404)
      for amount in [
        "", "0", "1.234", "1e3", "x", "1.", ".5", "--1", "1000000.01", "-1000000.5", "99999999999999999999",
      ] {
        let answer = try await HTTPResponse(admin, post: "/accounts/anna/post?amount=\(amount)")
        #expect(answer.status == 400 && answer.text.contains("remedy"), "\(amount)")
      }
    }
  }

  @Test("counts a posting that is repeated with its key once, and refuses the key with another amount")
  func repeatedPost() async throws {
    try await with { server, admin in
      let login = try await server.session()
      let before = try #require(server.hub.wallet(of: login.userId))
      func post(_ amount: String, _ key: String) async throws -> HTTPResponse {
        try await HTTPResponse(admin, post: "/accounts/anna/post?amount=\(amount)", ["Idempotency-Key: \(key)"])
      }
      let first = try await post("5", "a-1")
      #expect(first.status == 200)
      for _ in 0..<3 {
        let again = try await post("5.00", "a-1")
        #expect(again.status == 200 && again.text == first.text)
      }
      let other = try await post("6", "a-1")
      #expect(other.status == 422 && other.text.contains("'a-1'"))
      #expect(try await post("5", "a-2").status == 200)
      #expect(try #require(server.hub.wallet(of: login.userId)).real == before.real + 10)
      for key in ["", "a b", String(repeating: "x", count: 65), "\u{E9}"] {
        #expect(try await post("5", key).status == 400, "\(key)")
      }
    }
  }

  @Test(
    "refuses requests of web pages, by their origin or by a host name that is not local",
    arguments: [
      ("Origin: https://evil.example", "127.0.0.1"), ("Origin: null", "localhost"),
      ("Sec-Fetch-Site: cross-site", "127.0.0.1"), ("X: y", "evil.example"), ("X: y", "127.0.0.1.evil.example"),
      ("X: y", "10.0.0.1"), ("X: y", ""), ("X: y", "[::1]evil.example"), ("X: y", "localhost:80.evil.example"),
    ])
  func pages(header: String, host: String) async throws {
    try await with { server, admin in
      let login = try await server.session()
      let answer = try await HTTPResponse(admin, "/sessions", [header], host: host)
      #expect(answer.status == 403 && !answer.text.contains(login.sessionId))
    }
  }

  @Test("accepts only a loopback address or 'localhost', with an optional port, as the host")
  func hosts() {
    for host in ["127.0.0.1", "127.0.0.1:80", "localhost:65535", "LocalHost", "[::1]", "[::1]:8080"] {
      #expect(LoopbackAddress.isAuthority(host), "\(host)")
    }
    for host in [
      "", ":80", "::1", "::1:80", "[::1", "[::1]evil.com", "[::1]:", "[::1]:8x", "[127.0.0.1]", "[localhost]", "[]",
      "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:+80", "127.0.0.1:80:80", "localhost:000080", "user@localhost",
    ] {
      #expect(!LoopbackAddress.isAuthority(host), "\(host)")
    }
  }

  @Test("answers a request despite many silent connections")
  func silent() async throws {
    try await with { _, admin in
      var silent: [RawClient] = []
      for _ in 0..<60 { silent.append(try await RawClient(to: admin)) }
      let answer = try await HTTPResponse(admin, "/sessions")
      #expect(answer.status == 200)
      withExtendedLifetime(silent) {}
    }
  }

  @Test("answers an incomplete request with 408 after the timeout")
  func slow() async throws {
    try await AccountServer.with({
      $0.admin = LoopbackAddress(host: "localhost", port: 0)
      $0.limits.requestTime = .milliseconds(30)
    }) { server in
      let admin = try #require(server.server.admin)
      let client = try await RawClient(to: try #require(Int(admin.split(separator: ":").last ?? "")))
      client.send("GET /sessions HTTP/1.1\r\nX-")
      let answer = await client.readToEnd()
      #expect(answer.hasPrefix("HTTP/1.1 408 "))
    }
  }

  @Test("serves the metrics without a token, even if the server requires a login")
  func metrics() async throws {
    try await AccountServer.with({
      $0.admin = LoopbackAddress(host: "localhost", port: 0)
      $0.requiresLogin = true
    }) { server in
      let admin = try #require(server.server.admin)
      let answer = try await HTTPResponse(try #require(Int(admin.split(separator: ":").last ?? "")), "/metrics")
      #expect(answer.status == 200 && answer.text.contains("toteboard_account_sessions 0\n"))
    }
  }

  @Test("is not available on the port of the server")
  func elsewhere() async throws {
    try await with { server, _ in
      _ = try await server.session()
      #expect(try await HTTPResponse(server.port, "/sessions").status == 404)
      #expect(try await HTTPResponse(server.port, post: "/sessions/anna/kick").status == 404)
    }
  }

  @Test("reports an address that is already in use")
  func inUse() async throws {
    try await with { _, admin in
      let failure = await #expect(throws: ServerError.self) {
        try await AccountServer.with({ $0.admin = LoopbackAddress(host: "127.0.0.1", port: admin) }) { _ in }
      }
      #expect(failure?.description.contains("'127.0.0.1:\(admin)'") == true)
    }
  }

  @Test("accepts only loopback addresses to listen on")
  func loopback() {
    for host in ["127.0.0.1", "127.1.2.3", "::1", "localhost", "LOCALHOST"] {
      #expect(LoopbackAddress(host: host, port: 1) != nil, "\(host)")
    }
    for host in ["0.0.0.0", "::", "192.0.2.1", "127.0.0", "127.0.0.256", "127.0.0.1.evil", "example.com", ""] {
      #expect(LoopbackAddress(host: host, port: 1) == nil, "\(host)")
    }
  }
}
