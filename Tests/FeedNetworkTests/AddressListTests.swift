import AccountModel
import OddsModel
import Testing

@testable import FeedNetwork

@Suite("A feed's list of addresses")
struct AddressListTests {
  @Test("A list has one address, or several separated by commas, in their order")
  func parts() throws {
    #expect(try FeedAddressList("wss://a").addresses == [FeedAddress("wss://a")])
    let list = try FeedAddressList("wss://b,ws://localhost:81/x,wss://[::1]:9?q=1")
    #expect(list.addresses.map(\.description) == ["wss://b/v2", "ws://localhost:81/x", "wss://[::1]:9/v2?q=1"])
    let most = (1...FeedAddressList.limit).map { "wss://h\($0)" }
    #expect(try FeedAddressList(most.joined(separator: ",")).addresses.count == 16)
  }

  @Test(
    "An invalid list is refused with a message that names the value and the remedy",
    arguments: [
      ("wss://a,", "empty entry"), (",wss://a", "empty entry"), ("wss://a,,wss://b", "empty entry"),
      ("wss://a,-", "'-', which is not an address"), ("wss://a,match.jsonl", "'match.jsonl', which is not"),
      ("simulated,wss://a", "'simulated', which is not"), ("wss://a/v2?x=1,2", "%2C"),
      ("wss://a,WSS://A:443/v2", "'wss://a/v2' twice"), ("wss://a,https://b", "wss:// instead of https://"),
      ("wss://a,wss://b:0", "'0'"), ("wss://a, wss://b", "spaces"), ("wss://a,wss://x y", "spaces"),
      ("wss://a,wss://user:secret@b", "token"), ("wss://a,user:secret@b", "not an address"),
      ((1...17).map { "wss://h\($0)" }.joined(separator: ","), "17 addresses, and 16 is the limit"),
      ("", "wss://HOST"), ("match.jsonl", "wss://HOST"),
    ])
  func none(text: String, word: String) {
    let problem = #expect(throws: FeedError.self) { try FeedAddressList(text) }
    #expect("\(problem!)".contains(word), "\(problem!)")
    #expect(!"\(problem!)".contains("secret"))
    #expect(!problem!.remedy.isEmpty)
  }

  @Test("Names distinguish the addresses and are as short as possible")
  func names() throws {
    func names(_ text: String) throws -> [String] { try FeedAddressList(text).names }
    #expect(try names("wss://a.example") == ["a.example"])
    #expect(try names("wss://a.example,wss://b.example:8443") == ["a.example", "b.example"])
    #expect(try names("ws://[::1]:1,ws://[::1]:2") == ["[::1]:1", "[::1]:2"])
    #expect(try names("wss://a/x,wss://a/y") == ["wss://a/x", "wss://a/y"])
  }

  @Test("All addresses share the token and have their own origin; an unencrypted remote address is refused")
  func endpoints() throws {
    let token = try Secret(token: "hush", from: "the test")
    let list = try FeedAddressList("wss://a,ws://localhost:81")
    let endpoints = try FeedEndpoint.endpoints(of: list, token: token)
    #expect(endpoints.map(\.origin) == ["https://a", "http://localhost:81"])
    #expect(endpoints.map { $0.token?.text } == ["hush", "hush"])
    #expect(
      try FeedEndpoint.endpoints(of: list, origin: "https://site").map(\.origin) == ["https://site", "https://site"])
    let problem = #expect(throws: FeedError.self) {
      try FeedEndpoint.endpoints(of: FeedAddressList("wss://a,ws://b"), token: token)
    }
    #expect(problem?.message.contains("'b'") == true && problem?.message.contains("hush") == false)
  }
}
