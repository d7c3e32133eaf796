import JSONText
import OddsFeed
import OddsModel
import TestSupport
import Testing

@testable import Polymarket

@Suite("The wire format of Polymarket")
struct WireTests {
  @Test("An invalid time is ignored, even with non-ASCII characters")
  func times() throws {
    for time in ["🏈🏈🏈🏈🏈", "éééééééééé", "2026-01-25", "2026-01-25T23:30:00é"] {
      let text = #"[{"id":"1","title":"A vs. B","startTime":"\#(time)","markets":[]}]"#
      let list = try Array(text.utf8).withUnsafeBufferPointer { bytes in try GammaEvents(bytes) }
      #expect(list.events.first?.startTime == nil, "\(time)")
    }
  }

  @Test(
    "The id of a token keeps all its digits",
    arguments: [
      "0", "7", "0012", "1234567890123456", "12345678901234567",
      "52114319501245915516055106046884209969926127482827954674443846427813813222426",
      "00114319501245915516055106046884209969926127482827954674443846427813813222420",
      String(repeating: "9", count: 80),
    ])
  func tokens(text: String) {
    #expect(TokenID(text)?.description == text)
  }

  @Test("Ids that differ only in leading zeros are different, and invalid text is not an id")
  func otherTokens() {
    #expect(TokenID("12") != TokenID("012"))
    for text in ["", "0x12", "12a", "-1", String(repeating: "1", count: 81)] { #expect(TokenID(text) == nil) }
  }

  @Test(
    "A price is read with and without quotes, and with and without a digit before the point",
    arguments: [
      (#""0.48""#, 4_800_000), (#"".48""#, 4_800_000), ("0.48", 4_800_000), (#""0.123456789""#, 1_234_567),
      (#""1""#, 10_000_000), (#""""#, nil), (#""-0.1""#, nil), (#"".""#, nil), (#"".4x""#, nil), ("null", nil),
      ("[1]", nil), (#""abc""#, nil),
    ] as [(String, Int64?)])
  func decimals(text: String, units: Int64?) throws {
    let value = try Array(text.utf8).withUnsafeBufferPointer { bytes in
      var cursor = JSONCursor(bytes)
      return try WireDecimal.read(&cursor)
    }
    #expect(value == units)
  }

  @Test("Gamma's lists are read as JSON arrays and as strings that contain one")
  func gamma() throws {
    let text = """
      [{"id":"16085","slug":"nfl-buf-kc-2026-01-25","title":"Bills vs. Chiefs","gameId":19439,"live":true,
        "score":"3-16","period":"Q4","elapsed":"5:18","startTime":"2026-01-25T23:30:00Z","markets":[
         {"id":"501","question":"Bills vs. Chiefs","outcomes":"[\\"Bills\\", \\"Chiefs\\"]",
          "clobTokenIds":"[\\"11\\", \\"22\\"]","sportsMarketType":"moneyline","secondsDelay":3},
         {"id":502,"question":"O/U 47.5","outcomes":["Over","Under"],"clobTokenIds":["33","44"],"line":47.5,
          "sportsMarketType":"totals","acceptingOrders":false,"secondsDelay":0},
         {"id":"503","question":"no tokens","outcomes":"[\\"Yes\\"]","clobTokenIds":null},
         {"id":"","question":"no id"}]},
       {"title":"no id"}, 7]
      """
    let list = try Array(text.utf8).withUnsafeBufferPointer { bytes in try GammaEvents(bytes) }
    let event = try #require(list.events.first)
    #expect(list.events.count == 1 && list.malformed == 4)
    #expect(event.id == 16085 && event.gameID == 19439 && event.isLive && event.score == "3-16")
    #expect(event.league == "nfl" && event.participants?.first == "Bills" && event.participants?.second == "Chiefs")
    #expect(event.startTime == 1_769_383_800_000)
    #expect(event.markets.map(\.id) == [501, 502] && event.markets[0].tokens.map(\.description) == ["11", "22"])
    #expect(event.markets.map(\.delay) == [3, 0])
    #expect(event.markets[1].line == 475_000_000 && !event.markets[1].takesOrders)
  }

  /// Returns an event with one market, whose flags all have a value.
  private func event(flags value: String) throws -> GammaEvent {
    let text = #"""
      {"id":1,"live":\#(value),"ended":\#(value),"closed":\#(value),"markets":[
       {"id":2,"closed":\#(value),"active":\#(value),"acceptingOrders":\#(value)}]}
      """#
    let list = try Array(text.utf8).withUnsafeBufferPointer { bytes in try GammaEvents(bytes) }
    return try #require(list.events.first)
  }

  @Test(
    "A flag that is neither true, false nor null counts as the worse case",
    arguments: [#""true""#, #""false""#, "1", "0", #""""#, "[]", "{}"])
  func unreadableFlags(value: String) throws {
    let event = try self.event(flags: value)
    let market = try #require(event.markets.first)
    #expect(!event.isLive && event.hasEnded && event.isClosed)
    #expect(market.isClosed && !market.isActive && !market.takesOrders)
  }

  @Test("A flag that is null counts as missing")
  func absentFlags() throws {
    let event = try self.event(flags: "null")
    let market = try #require(event.markets.first)
    #expect(!event.isLive && !event.hasEnded && !event.isClosed)
    #expect(!market.isClosed && market.isActive && market.takesOrders)
  }

  @Test("A game's start is read from its market, in Gamma's second time format")
  func gameStart() throws {
    let text = #"{"id":1,"markets":[{"id":2,"gameStartTime":"2026-01-25 23:30:00+00","gameId":"77"}]}"#
    let list = try Array(text.utf8).withUnsafeBufferPointer { bytes in try GammaEvents(bytes) }
    #expect(list.events.first?.startTime == 1_769_383_800_000 && list.events.first?.gameID == 77)
  }

  @Test("An event is read back as it was written")
  func writing() throws {
    let event = Sample.footballGame
    var json = JSONWriter()
    event.write(to: &json)
    let list = try json.bytes.withUnsafeBufferPointer { bytes in try GammaEvents(bytes) }
    #expect(list.events == [event] && list.malformed == 0)
  }

  @Test(
    "Scores are read in the format of each sport",
    arguments: [
      ("3-16", Score(home: 3, away: 16)), ("000-000|2-0|Bo3", Score(home: 2, away: 0)),
      ("6-4, 3-6, 7-6(5)", Score(home: 2, away: 1)), ("6-4, 3-2", Score(home: 1, away: 0)), ("", nil), ("x-1", nil),
      ("1", nil), ("123456-1", nil),
    ] as [(String, Score?)])
  func scores(text: String, score: Score?) {
    #expect(GameState.score(text, isTennis: false) == score)
    let reversed = GameState.score(GameState.reversed(text), isTennis: false)
    #expect(reversed == score.map { Score(home: $0.away, away: $0.home) })
  }

  @Test("The score of tennis is the number of sets won, also in the first set", arguments: Laws.seeds(20))
  func tennis(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let ended = ["6-0", "6-1", "6-2", "6-3", "6-4", "7-5", "7-6", "7-6(5)"]
    let current = ["0-0", "1-0", "3-5", "5-4", "5-5", "6-5", "5-6", "6-6"]
    for _ in 0..<50 {
      var sets: [String] = []
      var won = Score(home: 0, away: 0)
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let set = ended.randomElement(using: &random)!
        let isHome = Bool.random(using: &random)
        sets.append(isHome ? set : GameState.reversed(set))
        if isHome { won.home += 1 } else { won.away += 1 }
      }
      if sets.isEmpty || Bool.random(using: &random) { sets.append(current.randomElement(using: &random)!) }
      let text = sets.joined(separator: ", ")
      #expect(GameState.score(text, isTennis: true) == won, "\(text)")
    }
    for text in ["", "x-1", "1"] { #expect(GameState.score(text, isTennis: true) == nil) }
  }

  @Test("A minute is read from a clock that counts minutes only")
  func minutes() {
    #expect(GameState.minute("81") == 81 && GameState.minute("45+2") == 45 && GameState.minute("90'") == 90)
    #expect(GameState.minute("5:18") == nil && GameState.minute("") == nil && GameState.minute("Q4") == nil)
  }

  @Test("A sports channel message with the participants in reverse order is recognized")
  func order() {
    func update(_ home: String, _ away: String) -> SportsUpdate? {
      let text =
        #"{"gameId":1,"slug":"nfl-buf-kc-2026-01-25","homeTeam":"\#(home)","awayTeam":"\#(away)","score":"1-2"}"#
      return Array(text.utf8).withUnsafeBufferPointer { SportsUpdate.read($0) }
    }
    #expect(update("BUF", "KC")?.isReversed == false && update("KC", "BUF")?.isReversed == true)
    #expect(update("Buffalo", "Kansas City")?.isReversed == false)
  }
}
