import ArgumentParser
import Dashboard
import Testing

@testable import toteboard

@Suite("A feed with several addresses, on the command line and in the configuration")
struct FeedListTests {
  private func options(_ arguments: String...) throws -> FeedOptions {
    var options = try FeedOptions.parse(["--config", "/dev/null"] + arguments)
    try options.configure()
    return options
  }

  @Test(
    "An invalid list of addresses is a usage error that names the problem",
    arguments: [
      ("wss://a,-", "'-'"), ("wss://a,match.jsonl", "'match.jsonl'"), ("simulated,wss://a", "'simulated'"),
      ("wss://a,wss://a", "twice"), ("wss://a,", "empty entry"),
    ])
  func refused(feed: String, word: String) {
    let error = #expect(throws: ValidationError.self) { try options("--feed", feed) }
    #expect(error?.message.contains(word) == true, "\(String(describing: error))")
  }

  @Test("The configuration accepts the same list, and options of other feeds are refused with it")
  func configured() throws {
    let reader = ConfigReader("feed = \"wss://a,wss://b\"\n")
    #expect(reader.faults.isEmpty && reader.configuration.feed == "wss://a,wss://b")
    let error = #expect(throws: ValidationError.self) { try options("--feed", "wss://a,wss://b", "--seed", "1") }
    #expect(error?.message.contains("--seed") == true)
  }

  @Test("Stored data belongs to the list, regardless of the order of its addresses")
  func stored() async throws {
    func address(_ arguments: String...) async throws -> String? {
      var options = try FeedOptions.parse(["--config", "/dev/null"] + arguments)
      try options.configure()
      let feed = try options.openFeed()
      await feed.close()
      return feed.address
    }
    #expect(try await address("--feed", "wss://a") == "wss://a/v2 a")
    let list = try await address("--feed", "wss://b,wss://a")
    #expect(list == "wss://a/v2 a,wss://b/v2 b")
    #expect(try await address("--feed", "wss://a,wss://b") == list)
    #expect(try await address("--feed", "wss://a,wss://b", "--realm", "r") == "wss://a/v2 r,wss://b/v2 r")
  }

  @Test("An import for the address of a feed has the name that a board gives the feed in the history")
  func imported() async throws {
    let feed = try options("--feed", "wss://b,wss://a").openFeed()
    await feed.close()
    let name = try #require(feed.address)
    var configuration = Configuration()
    // The name that the history prints is accepted, too.
    for text in ["wss://b,wss://a", "WSS://A/v2,wss://b:443", name] {
      #expect(configuration.historyName(of: text) == name)
    }
    for text in ["polymarket", "betfair", "測試", "sample.jsonl", "a,b"] {
      #expect(configuration.historyName(of: text) == text)
    }
    configuration.realm = "r"
    #expect(configuration.historyName(of: "wss://a") == "wss://a/v2 r")
  }

  @Test("The current address is one of the list, and is not reported for a single address")
  func current() async throws {
    let single = try options("--feed", "wss://a").openFeed()
    #expect(single.currentAddress == nil)
    await single.close()
    let list = try options("--feed", "wss://a,wss://b:8443/x").openFeed()
    let current = try #require(list.currentAddress?())
    #expect(["a wss://a/v2", "b wss://b:8443/x"].contains("\(current.name) \(current.url)"))
    await list.close()
  }
}
