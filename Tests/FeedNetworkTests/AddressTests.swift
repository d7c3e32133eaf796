import AccountModel
import OddsModel
import Testing

@testable import FeedNetwork

@Suite("A feed's address")
struct AddressTests {
  @Test(
    "A URL is split into its parts",
    arguments: [
      ("wss://Feed.Example/v2", "feed.example", 443, "/v2", "https://feed.example/"),
      ("WS://feed.example", "feed.example", 80, "/v2", "http://feed.example/"),
      ("ws://feed.example:80/", "feed.example", 80, "/", "http://feed.example/"),
      ("wss://feed.example:8443?a=b", "feed.example", 8443, "/v2?a=b", "https://feed.example:8443/"),
      ("wss://[::1]:9/x?y=@", "::1", 9, "/x?y=@", "https://[::1]:9/"),
      ("wss://[2001:DB8:0::1]", "2001:db8::1", 443, "/v2", "https://[2001:db8::1]/"),
      ("wss://10.0.0.1", "10.0.0.1", 443, "/v2", "https://10.0.0.1/"),
      ("wss://bücher.example", "bücher.example", 443, "/v2", "https://bücher.example/"),
    ])
  func parts(text: String, host: String, port: Int, path: String, rest: String) throws {
    let address = try FeedAddress(text)
    #expect(address.host == host && address.port == port && address.path == path && address.restBase == rest)
    #expect(address.isSecure == text.lowercased().hasPrefix("wss"))
    #expect(try FeedAddress("\(address)") == address)
  }

  @Test(
    "An invalid address is refused with a message that names the value and the remedy",
    arguments: [
      ("", "wss://HOST"), ("feed.example", "wss://HOST"), ("http://feed.example", "ws://"), ("https://x", "wss://"),
      ("ftp://x", "ws://"), ("wss://", "no host"), ("wss:///v2", "no host"), ("wss://:443", "no host"),
      ("wss://x:0", "'0'"), ("wss://x:65536", "'65536'"), ("wss://x:", "''"), ("wss://x:1a", "'1a'"),
      ("wss://x:+1", "'+1'"), ("wss://x/v2#a", "fragment"), ("wss://x y/", "spaces"), ("wss://x/\u{7}", "control"),
      ("wss://[::1", "']'"), ("wss://[::1]x", "']'"), ("wss://[feed]", "IPv6"), ("wss://::1", "brackets"),
      ("wss://x/ä", "%XX"), ("wss://user:secret@x", "token"), ("wss://user@x", "token"),
    ])
  func none(text: String, word: String) {
    let problem = #expect(throws: FeedError.self) { try FeedAddress(text) }
    #expect("\(problem!)".contains(word), "\(problem!)")
    #expect(!"\(problem!)".contains("secret"))
    #expect(!problem!.remedy.isEmpty)
  }

  @Test(
    "Loopback hosts are recognized",
    arguments: [
      ("localhost", true), ("a.localhost", true), ("127.0.0.1", true), ("127.9.9.9", true), ("[::1]", true),
      ("[0:0:0:0:0:0:0:1]", true), ("localhost.example", false), ("127.0.0.1.example", false), ("10.0.0.1", false),
    ])
  func loopback(host: String, isLoopback: Bool) throws {
    #expect(try FeedAddress("ws://\(host)").isLoopback == isLoopback)
  }

  @Test("A token is never printed, and needs an encrypted or local address")
  func secrets() throws {
    let token = try Secret(token: "hush", from: "the test")
    var dumped = ""
    dump(token, to: &dumped)
    for text in ["\(token)", String(reflecting: token), dumped, "\(String(describing: Optional(token)))"] {
      #expect(!text.contains("hush"))
    }
    for bad in ["", "a b", "a\n", "ä", "a\u{0}"] {
      let problem = #expect(throws: FeedError.self) { try Secret(token: bad, from: "the test") }
      #expect(problem?.message.contains("the test") == true)
    }
    let problem = #expect(throws: FeedError.self) {
      try FeedEndpoint(address: FeedAddress("ws://feed.example"), token: token)
    }
    #expect(problem?.remedy == "use wss://" && problem?.message.contains("hush") == false)
    _ = try FeedEndpoint(address: FeedAddress("ws://localhost"), token: token)
    _ = try FeedEndpoint(address: FeedAddress("wss://feed.example"), token: token)
    #expect(throws: FeedError.self) { try FeedEndpoint(address: FeedAddress("wss://x"), origin: "a\r\nb: c") }
  }
}
