import FeedNetwork
import OddsModel
import Testing

@Suite("The address of a Polymarket server")
struct PolymarketAddressTests {
  @Test("is that of the public service, with a host for each part")
  func publicService() throws {
    let address = try PolymarketAddress("polymarket")
    #expect("\(address.market)" == "wss://ws-subscriptions-clob.polymarket.com/ws/market")
    #expect("\(address.sports)" == "wss://sports-api.polymarket.com/ws")
    #expect(address.gamma.restBase == "https://gamma-api.polymarket.com/" && address.name == "Polymarket")
  }

  @Test("can be another server's, with TLS unless the server is on loopback")
  func otherServer() throws {
    let remote = try PolymarketAddress("polymarket://Feed.Example.com:8443")
    #expect("\(remote.market)" == "wss://feed.example.com:8443/ws/market" && remote.name == "feed.example.com")
    #expect(remote.gamma.restBase == "https://feed.example.com:8443/")
    for host in ["127.0.0.1:8080", "localhost:8080", "[::1]:8080"] {
      let local = try PolymarketAddress("polymarket://\(host)")
      #expect(!local.market.isSecure && !local.sports.isSecure && !local.gamma.isSecure && local.gamma.port == 8080)
    }
  }

  @Test(
    "is refused in any other form, with the text and a remedy",
    arguments: [
      "polymarket://", "polymarket://host/path", "polymarket://host:0", "polymarket://a,b", "polymarket://host?x",
      "polymarket://:80", "polymarket://[::1",
    ])
  func refusals(text: String) {
    #expect(PolymarketAddress.isMeant(by: text))
    let error = #expect(throws: FeedError.self) { try PolymarketAddress(text) }
    #expect(error?.message == "'\(text)' is not an address of a Polymarket server")
    #expect(error?.remedy.contains("polymarket://HOST") == true)
  }

  @Test("does not show a password in its error")
  func password() {
    let error = #expect(throws: FeedError.self) { try PolymarketAddress("polymarket://me:secret@host") }
    #expect(error?.message.contains("secret") == false)
  }
}
