import FeedNetwork
import OddsModel
import Testing

@Suite("The addresses of Betfair's servers")
struct BetfairAddressTests {
  @Test("are Betfair's own by default, with another host for logins with a certificate", arguments: [false, true])
  func publicService(hasCertificate: Bool) throws {
    let address = try BetfairAddress("betfair", hasCertificate: hasCertificate)
    #expect(address.stream.host == "stream-api.betfair.com" && address.stream.isSecure && address.name == "Betfair")
    let host = hasCertificate ? "identitysso-cert.betfair.com" : "identitysso.betfair.com"
    #expect(address.identity.restBase == "https://\(host)/")
    #expect(address.keepAlive.restBase == "https://identitysso.betfair.com/")
    #expect(address.api.restBase == "https://api.betfair.com/")
  }

  @Test("are the given ones; the login service of another server is the default for its other services")
  func given() throws {
    let server = try BetfairAddress("betfair://feed.example.com:8443", identity: "https://id.example.com")
    #expect(server.stream.port == 8443 && server.name == "feed.example.com")
    for service in [server.identity, server.keepAlive, server.api] {
      #expect(service.restBase == "https://id.example.com/")
    }
    let other = try BetfairAddress(
      "betfair://feed.example.com", identity: "https://id.example.com", keepAlive: "https://more.example.com",
      api: "https://api.example.com", hasCertificate: true)
    #expect(other.identity.restBase == "https://id.example.com/")
    #expect(other.keepAlive.restBase == "https://more.example.com/")
    #expect(other.api.restBase == "https://api.example.com/")
    let own = try BetfairAddress("betfair", identity: "https://id.example.com", hasCertificate: true)
    #expect(own.keepAlive == own.identity && own.api.restBase == "https://api.betfair.com/")
  }

  @Test("are refused if a service has no TLS and is not on this machine")
  func withoutTLS() throws {
    let error = #expect(throws: FeedError.self) { try BetfairAddress("betfair", keepAlive: "http://id.example.com") }
    #expect(error?.message.contains("'http://id.example.com'") == true)
    let local = try BetfairAddress("betfair", keepAlive: "http://127.0.0.1:8080")
    #expect(!local.keepAlive.isSecure && local.identity.isSecure)
  }
}
