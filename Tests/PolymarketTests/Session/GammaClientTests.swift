import OddsFeed
import OddsModel
import TestSupport
import Testing

@testable import Polymarket

@Suite("The requests to Gamma")
struct GammaClientTests {
  /// A server that sends its elements in pages.
  private struct Server: DocumentFetcher {
    let elements: [String]

    func get(_ path: String) async throws(FeedError) -> [UInt8] {
      let page = elements.dropFirst(number("offset", in: path)).prefix(number("limit", in: path))
      return Array("[\(page.joined(separator: ","))]".utf8)
    }

    private func number(_ name: String, in path: String) -> Int {
      let field = path.split(separator: "&").first { $0.hasPrefix("\(name)=") }
      return field.flatMap { Int($0.dropFirst(name.count + 1)) } ?? 0
    }
  }

  /// Returns a game with a market of its result.
  private static func game(_ id: Int) -> String {
    #"{"id":\#(id),"gameId":\#(id),"markets":[{"id":\#(id),"sportsMarketType":"moneyline","#
      + #""outcomes":["A","B"],"clobTokenIds":["\#(id)1","\#(id)2"]}]}"#
  }

  @Test("find the games of all pages, also if elements of a page are no events", arguments: Laws.seeds(30))
  func pages(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let others = [#"{"title":"no id"}"#, #"{"id":""}"#, "7"]
    var elements: [String] = []
    var games: [UInt64] = []
    for id in 1...Int.random(in: 90...600, using: &random) {
      let isGame = Int.random(in: 0..<20, using: &random) > 0
      elements.append(isGame ? Self.game(id) : others.randomElement(using: &random)!)
      if isGame, elements.count <= GammaClient.maxPages * GammaClient.pageSize { games.append(UInt64(id)) }
    }
    let events = try await GammaClient(Server(elements: elements)).events(of: .today(limit: .max), now: 0)
    #expect(events.map(\.id) == games)
  }
}
