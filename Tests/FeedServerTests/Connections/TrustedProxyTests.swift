import AccountModel
import FeedSimulator
import TestSupport
import Testing

@testable import FeedServer

@Suite("Clients behind a trusted proxy", .timeLimit(.minutes(45)))
struct TrustedProxyTests {
  private static let proxies = TrustedProxies([try? AddressRange("127.0.0.0/8")].compactMap(\.self))

  private func socket(_ port: Int, of client: String) async throws -> String {
    let raw = try await RawClient(to: port)
    raw.send(SocketClient.handshake(["X-Forwarded-For: \(client)"]))
    let answer = await raw.read(through: "\r\n\r\n") ?? ""
    connections.append(raw)
    return String(answer.dropFirst("HTTP/1.1 ".count).prefix(3))
  }

  /// Keeps the connections open.
  private let connections = ClientList()

  private final class ClientList {
    private var clients: [RawClient] = []
    func append(_ client: RawClient) { clients.append(client) }
  }

  @Test("the connection limit applies to the address of each client, and not to the proxy")
  func connectionLimit() async throws {
    let trusted: (inout ServerOptions) -> Void = { ($0.proxies, $0.limits.connectionsPerAddress) = (Self.proxies, 2) }
    try await withServer(ScriptedFeed(), trusted) { server in
      for client in ["192.0.2.1", "192.0.2.2", "9.9.9.9, 2001:db8::1", "2001:db8::2"] {
        #expect(try await socket(server.port, of: client) == "101", "\(client)")
      }
      #expect(try await socket(server.port, of: "9.9.9.9, 192.0.2.1") == "101")
      // All addresses of 2001:db8::/64 count as one client.
      for client in ["192.0.2.1", "2001:db8::3"] {
        #expect(try await socket(server.port, of: client) == "503", "\(client)")
      }
      let refused = try await HTTPResponse(server.port, "/healthz", ["X-Forwarded-For: 192.0.2.1"])
      #expect(refused.status == 503 && refused.text.contains("more than '2' connections from your address"))
      #expect(try await HTTPResponse(server.port, "/healthz", ["X-Forwarded-For: 192.0.2.3"]).status == 200)
    }
  }

  @Test("a pooled connection of the proxy counts for the client of the request in progress")
  func keptConnections() async throws {
    let trusted: (inout ServerOptions) -> Void = { ($0.proxies, $0.limits.connectionsPerAddress) = (Self.proxies, 1) }
    try await withServer(ScriptedFeed(), trusted) { server in
      let pool = [try await RawClient(to: server.port), try await RawClient(to: server.port)]
      for _ in 0..<3 {
        for connection in pool {
          connection.send("GET /healthz HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n")
          let answer = await connection.read(through: "ok\n")
          #expect(answer?.hasPrefix("HTTP/1.1 200 ") == true)
        }
      }
    }
  }

  private func login(_ server: AccountServer, _ password: String, _ headers: String...) async throws -> Int {
    let body = #"{"user":"anna","password":"\#(password)"}"#
    return try await HTTPResponse(server.port, post: AccountPath.login, headers, body).status
  }

  @Test("failed logins count for the address of the client")
  func logins() async throws {
    try await AccountServer.with({ $0.proxies = Self.proxies }) { server in
      for number in 0..<5 {
        // An address that the client itself adds has no effect.
        let status = try await login(server, "guess", "X-Forwarded-For: 10.0.0.\(number), 192.0.2.1")
        #expect(status == 401)
      }
      let refused = try await login(server, "pw", "X-Forwarded-For: 192.0.2.1")
      #expect(refused == 429)
      let other = try await login(server, "pw", "X-Forwarded-For: 192.0.2.2")
      #expect(other == 200)
    }
  }

  @Test("without a trusted proxy, neither X-Forwarded-For nor the server's internal header changes the address")
  func untrusted() async throws {
    try await withServer(ScriptedFeed(), { $0.limits.connectionsPerAddress = 1 }) { server in
      #expect(try await socket(server.port, of: "192.0.2.1") == "101")
      let other = try await RawClient(to: server.port)
      #expect(await other.readToEnd().hasPrefix("HTTP/1.1 503 "))
    }
    try await AccountServer.with { server in
      func headers(_ number: Int) -> (String, String) {
        ("X-Forwarded-For: 192.0.2.\(number)", "Toteboard-Client-Network: 192.0.2.\(number)")
      }
      for number in 0..<5 {
        let status = try await login(server, "guess", headers(number).0, headers(number).1)
        #expect(status == 401)
      }
      let refused = try await login(server, "pw", headers(9).0, headers(9).1)
      #expect(refused == 429)
    }
  }
}
