import OddsFeed
import OddsModel
import Platform
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

  /// A server with games of leagues.
  private final class LeagueServer: DocumentFetcher {
    let games: [String]
    /// The leagues of `/sports`, and the number of requests for them.
    let leagues = Locked<(rows: [String], requests: Int)>(([], 0))

    init(_ codes: [String]) { games = codes.enumerated().map { GammaClientTests.game($0 + 1, slug: "\($1)-a-b") } }

    func get(_ path: String) async throws(FeedError) -> [UInt8] {
      guard path == "/sports" else { return Array("[\(games.joined(separator: ","))]".utf8) }
      let rows = leagues.withLock { leagues in
        leagues.requests += 1
        return leagues.rows
      }
      return Array("[\(rows.joined(separator: ","))]".utf8)
    }
  }

  private static func league(_ code: String, tags: String) -> String { #"{"sport":"\#(code)","tags":"\#(tags)"}"# }

  /// Returns a game with a market of its result.
  private static func game(_ id: Int, slug: String = "") -> String {
    #"{"id":\#(id),"gameId":\#(id),"slug":"\#(slug)","markets":[{"id":\#(id),"sportsMarketType":"moneyline","#
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

  @Test("find the games of a sport by the tags of their leagues, and by the codes of leagues that lack the tag")
  func sports() async throws {
    let tags: [PolymarketSport: String] = [
      .football: "100350", .tennis: "864", .basketball: "28", .iceHockey: "100088", .volleyball: "102883",
    ]
    let known: [PolymarketSport: String] = [.football: "epl", .tennis: "atp", .basketball: "nba", .iceHockey: "nhl"]
    // For each sport a league with the tag and, if there is one, a league whose code is known.
    let codes = PolymarketSport.allCases.flatMap { ["tagged\($0)", known[$0] ?? "other"] }
    let server = LeagueServer(codes)
    server.leagues.withLock { leagues in
      leagues.rows =
        known.values.map { Self.league($0, tags: "1,100639") }
        + PolymarketSport.allCases.map { Self.league("tagged\($0)", tags: "1,100639,\(tags[$0]!)") }
    }
    let client = GammaClient(server)
    for (index, sport) in PolymarketSport.allCases.enumerated() {
      let events = try await client.events(of: .today(sport: sport, limit: .max), now: 0)
      let tagged = UInt64(2 * index + 1)
      #expect(events.map(\.id) == (known[sport] == nil ? [tagged] : [tagged, tagged + 1]), "\(sport)")
      #expect(try await client.events(of: .today(sport: sport, limit: 1), now: 0).map(\.id) == [tagged])
    }
  }

  @Test("ask for the leagues again only if they lack the league of a game")
  func newLeague() async throws {
    let server = LeagueServer(["nor"])
    let client = GammaClient(server)
    #expect(try await client.events(of: .today(sport: .football, limit: 9), now: 0).isEmpty)
    server.leagues.withLock { $0.rows = [Self.league("nor", tags: "1,100639,100350")] }
    for _ in 0..<3 {
      #expect(try await client.events(of: .today(sport: .football, limit: 9), now: 0).map(\.id) == [1])
    }
    #expect(try await client.events(of: .today(limit: 9), now: 0).map(\.id) == [1])
    #expect(server.leagues.withLock { $0.requests } == 2)
  }
}
