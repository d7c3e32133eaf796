import NIOSSL
import TestSupport
import Testing

/// The identity service and the betting API as a client sees them: raw requests and their answers.
@Suite("The identity service and the betting API on loopback", .timeLimit(.minutes(5)))
struct FakeIdentityTests {
  private static let form = "application/x-www-form-urlencoded"

  private func answer(
    _ exchange: FakeBetfair, _ path: String, _ body: String, type: String = form, headers: [String] = [],
    port: Int? = nil, tls: NIOSSLContext? = nil
  ) async throws -> (status: String, body: JSONTree) {
    let client = try await RawClient(to: port ?? exchange.httpPort, FakeCertificates.handler(tls))
    let lines =
      ["POST \(path) HTTP/1.1", "Host: localhost", "Content-Type: \(type)", "Content-Length: \(body.utf8.count)"]
      + ["Connection: close"] + headers
    client.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    let text = await client.readToEnd()
    let end = text.firstRange(of: "\r\n\r\n")
    let status = text.split(separator: " ").dropFirst().first.map(String.init) ?? ""
    return (status, end.flatMap { JSONTree(text[$0.upperBound...].utf8) } ?? .null)
  }

  @Test("The interactive login begins a session that can be renewed and ended")
  func interactive() async throws {
    let exchange = try FakeBetfair()
    try await exchange.start()
    let headers = ["X-Application: KEY", "Accept: application/json"]
    let wrong = try await answer(exchange, "/api/login", "username=user&password=wrong", headers: headers)
    #expect(wrong.body["status"] == "FAIL" && wrong.body["error"] == "INVALID_USERNAME_OR_PASSWORD")
    let noKey = try await answer(exchange, "/api/login", "username=user&password=password", headers: [headers[1]])
    #expect(noKey.body["error"] == "INPUT_VALIDATION_ERROR")
    let right = try await answer(exchange, "/api/login", "username=user&password=p%61ssword", headers: headers)
    #expect(right.body["status"] == "SUCCESS" && right.body["product"] == "KEY")
    let session = headers + ["X-Authentication: \(try #require(right.body["token"].text))"]
    #expect(try await answer(exchange, "/api/keepAlive", "", headers: session).body["status"] == "SUCCESS")
    #expect(try await answer(exchange, "/api/keepAlive", "", headers: [session[2]]).body == .null)
    #expect(try await answer(exchange, "/api/logout", "", headers: session).body["status"] == "SUCCESS")
    #expect(try await answer(exchange, "/api/keepAlive", "", headers: session).body["error"] == "NO_SESSION")
    await exchange.stop()
  }

  @Test("A login with a certificate needs the certificate, and has a port that serves nothing else")
  func certificate() async throws {
    let exchange = try FakeBetfair(isSecure: true)
    try await exchange.start()
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.trustRoots = .file(FakeCertificates.path("ca.pem"))
    let without = try NIOSSLContext(configuration: configuration)
    configuration.certificateChain = try NIOSSLCertificate.fromPEMFile(FakeCertificates.path("client.pem")).map {
      .certificate($0)
    }
    configuration.privateKey = .privateKey(
      try NIOSSLPrivateKey(file: FakeCertificates.path("client.key"), format: .pem))
    let with = try NIOSSLContext(configuration: configuration)
    let body = "username=user&password=password"
    let headers = ["X-Application: KEY", "Accept: application/json"]
    let port = exchange.certificatePort
    let refused = try await answer(exchange, "/api/certlogin", body, headers: headers, port: port, tls: without)
    #expect(refused.body == ["loginStatus": "CERT_AUTH_REQUIRED"])
    let right = try await answer(exchange, "/api/certlogin", body, headers: headers, port: port, tls: with)
    let token = try #require(right.body["sessionToken"].text)
    #expect(right.body["loginStatus"] == "SUCCESS" && !token.isEmpty)
    let wrong = try await answer(
      exchange, "/api/certlogin", "username=user&password=", headers: headers, port: port, tls: with)
    #expect(wrong.body == ["loginStatus": "INVALID_USERNAME_OR_PASSWORD"])
    let session = headers + ["X-Authentication: \(token)"]
    #expect(try await answer(exchange, "/api/keepAlive", "", headers: session, port: port, tls: with).status == "404")
    let extended = try await answer(exchange, "/api/keepAlive", "", headers: session, tls: without)
    #expect(extended.body["status"] == "SUCCESS")
    #expect(try await answer(exchange, "/api/certlogin", body, headers: headers, tls: with).status == "404")
    await exchange.stop()
  }

  @Test("The catalogue has the names of markets, and enforces the limits of a request")
  func catalogue() async throws {
    let exchange = try FakeBetfair([FakeStreamTests.market(1), FakeStreamTests.market(2)])
    try await exchange.start()
    let headers = ["X-Application: KEY", "X-Authentication: \(exchange.logIn("user"))"]
    let path = "/exchange/betting/rest/v1.0/listMarketCatalogue/"
    func call(_ body: String, _ headers: [String]) async throws -> (status: String, body: JSONTree) {
      try await answer(exchange, path, body, type: "application/json", headers: headers)
    }
    let names = try await call(
      #"{"filter":{"marketIds":["1.101"]},"maxResults":1000,"marketProjection":["RUNNER_DESCRIPTION","EVENT"]}"#,
      headers)
    #expect(names.status == "200" && names.body.elements?.count == 1)
    let market = try #require(names.body.elements?.first)
    #expect(market["event"]["name"] == "Ajax v Porto 1" && market["competition"] == .null)
    #expect(market["runners"].elements?.map { $0["runnerName"] } == ["Ajax", "Porto", "The Draw"])
    func code(_ body: String, _ headers: [String]) async throws -> JSONTree {
      let answer = try await call(body, headers)
      #expect(answer.status == "400" && answer.body["faultcode"] == "Client")
      return answer.body["detail"]["APINGException"]["errorCode"]
    }
    let heavy = #"{"filter":{},"maxResults":201,"marketProjection":["RUNNER_METADATA"]}"#
    #expect(try await code(heavy, headers) == "TOO_MUCH_DATA")
    #expect(try await code(#"{"filter":{},"maxResults":1001}"#, headers) == "INVALID_INPUT_DATA")
    #expect(try await code(#"{"filter":{"marketTypes":["WIN"]},"maxResults":1}"#, headers) == "INVALID_INPUT_DATA")
    let small = #"{"filter":{},"maxResults":1}"#
    #expect(try await code(small, ["X-Application: NONE", headers[1]]) == "INVALID_APP_KEY")
    #expect(try await code(small, [headers[0]]) == "NO_SESSION")
    #expect(try await code(small, [headers[1]]) == "NO_APP_KEY")
    exchange.expireSessions()
    #expect(try await code(small, headers) == "INVALID_SESSION_INFORMATION")
    await exchange.stop()
  }
}
