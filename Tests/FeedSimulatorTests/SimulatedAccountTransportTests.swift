import AccountModel
import OddsFeed
import OddsModel
import TestSupport
import Testing

@testable import FeedSimulator

@Suite("The simulated account transport", .timeLimit(.minutes(45)))
struct SimulatedAccountTransportTests {
  private let transport = SimulatedAccountTransport(seed: 1, pace: 20) { startTime }

  private func logIn(_ body: String = #"{"user":"demo","password":"x"}"#) async throws -> [String: String] {
    let answer = try await transport.ask(AccountRequest(.post, AccountPath.login, body: Secret(body)))
    #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
    return fields(of: answer)
  }

  private func fields(of answer: AccountAnswer) -> [String: String] {
    let text = String(decoding: answer.body, as: UTF8.self)
    return text.split(whereSeparator: { "{},".contains($0) }).reduce(into: [:]) { fields, field in
      let parts = field.split(separator: ":", maxSplits: 1).map { $0.filter { $0 != "\"" } }
      if parts.count == 2 { fields[parts[0]] = parts[1] }
    }
  }

  @Test("logs its user in, returns the wallet, renews and logs out, which invalidates the token")
  func session() async throws {
    let login = try await logIn()
    let (token, id) = (Secret(login["token"]!), login["userId"]!)
    #expect(id.allSatisfy(\.isNumber) && login["expiresAt"] == "\(startTime + 12 * 3_600_000)")
    let wallet = try await transport.ask(AccountRequest(.get, AccountPath.wallet(of: id), token: token))
    #expect(fields(of: wallet)["currency"] == "EUR" && fields(of: wallet)["userId"] == id)
    let renewed = try await transport.ask(AccountRequest(.post, AccountPath.renew, token: token))
    #expect(fields(of: renewed) == login)
    #expect(try await transport.ask(AccountRequest(.get, AccountPath.wallet(of: "1"), token: token)).status == 403)
    #expect(try await transport.ask(AccountRequest(.post, AccountPath.logout, token: token)).status == 204)
    for path in [AccountPath.renew, AccountPath.logout] {
      #expect(try await transport.ask(AccountRequest(.post, path, token: token)).status == 401)
    }
    let error = await #expect(throws: ConnectionError.self) {
      try await transport.open(AccountRequest(.get, AccountPath.updates(of: id), token: token))
    }
    #expect(error?.problem.description == "the server no longer accepts the session: log in again")
  }

  @Test(
    "refuses an unknown user, an incomplete login and an invalid token",
    arguments: [
      (#"{"user":"eve","password":"x"}"#, 401), (#"{"user":"demo","password":""}"#, 400), ("nonsense", 400), ("", 400),
    ])
  func refused(body: String, status: Int) async throws {
    let answer = try await transport.ask(AccountRequest(.post, AccountPath.login, body: Secret(body)))
    #expect(answer.status == status && fields(of: answer)["remedy"] != nil)
    #expect(
      try await transport.ask(AccountRequest(.get, AccountPath.wallet(of: "1"), token: Secret("x"))).status == 401)
  }

  @Test(
    "ends a stream with an event that has the reason for the end of the session",
    arguments: [SessionEnd.Cause.kicked, .expired])
  func ended(cause: SessionEnd.Cause) async throws {
    let login = try await logIn()
    let stream = try await transport.open(
      AccountRequest(.get, AccountPath.updates(of: login["userId"]!), token: Secret(login["token"]!)))
    let first = String(decoding: try await stream.read() ?? [], as: UTF8.self)
    #expect(first.hasPrefix("retry: 200\n\n"))
    #expect(transport.endSession(cause))
    #expect(!transport.endSession(cause))
    var rest = first
    while let bytes = try await stream.read() { rest += String(decoding: bytes, as: UTF8.self) }
    #expect(rest.contains("SESSION_EXPIRATION") && rest.hasSuffix("\n\n"))
    #expect(try await stream.read() == nil)
  }

  @Test("returns nothing from a closed stream, nor to a cancelled reader")
  func closed() async throws {
    let login = try await logIn()
    let request = AccountRequest(.get, AccountPath.updates(of: login["userId"]!), token: Secret(login["token"]!))
    let stream = try await transport.open(request)
    _ = try await stream.read()
    let reader = Task { try await stream.read() }
    reader.cancel()
    #expect(try await reader.cancellableValue == nil)
    stream.close()
    stream.close()
    #expect(try await stream.read() == nil)
  }

  @Test("refuses a stream above the limit with a temporary error, not as unauthorized")
  func tooMany() async throws {
    var limits = AccountHub.Limits()
    limits.streams = 1
    let transport = SimulatedAccountTransport(seed: 1, limits: limits) { startTime }
    let login = fields(
      of: try await transport.ask(
        AccountRequest(.post, AccountPath.login, body: Secret(#"{"user":"demo","password":"x"}"#))))
    let (token, id) = (Secret(login["token"]!), login["userId"]!)
    func kind(_ token: Secret) async -> ConnectionError.Kind? {
      do throws(ConnectionError) {
        _ = try await transport.open(AccountRequest(.get, AccountPath.updates(of: id), token: token))
        return nil
      } catch { return error.kind }
    }
    let stream = try await transport.open(AccountRequest(.get, AccountPath.updates(of: id), token: token))
    #expect(await kind(token) == .protocolMismatch)
    #expect(await kind(Secret("x")) == .unauthorized)
    stream.close()
    #expect(await kind(token) == nil)
  }
}
