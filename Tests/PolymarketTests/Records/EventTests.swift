import OddsFeed
import OddsModel
import TestSupport
import Testing

@testable import Polymarket

@Suite("The events of a subscription")
struct EventTests {
  @Test("become matches whose main market is the result")
  func game() throws {
    let reader = Reader([Sample.game])
    let match = try #require(reader.match())
    #expect(match.name == "Bills vs. Chiefs" && match.labels.home == "Bills" && match.labels.away == "Chiefs")
    #expect(match.labels.sport == "American football" && match.labels.tournament == "NFL")
    #expect(match.markets.map(\.id.raw) == [501, 502, 503] && match.mainMarket?.id.raw == 501)
    #expect(match.markets.map(\.handicap) == [nil, -25_000_000, 475_000_000])
    #expect(match.mainMarket?.outcomes.map(\.key) == ["home", "away"])
    #expect(match.markets[1].outcomes.map(\.key) == ["away", "home"])
    #expect(match.markets[2].outcomes.map(\.key) == ["over", "under"])
    #expect(match.status == .pending && match.tradingStatus == .locked)
  }

  @Test("distinguish the sides if one name contains the other")
  func names() throws {
    for (first, second) in [("Michigan", "Michigan State"), ("Iowa State", "Iowa"), ("Sydney", "Western Sydney")] {
      var game = Sample.game
      game.title = "\(first) vs. \(second)"
      game.markets[0].outcomes = [first, second]
      #expect(Reader([game]).match()?.mainMarket?.outcomes.map(\.key) == ["home", "away"], "\(first), \(second)")
      game.markets[0].outcomes = [second, first]
      #expect(Reader([game]).match()?.mainMarket?.outcomes.map(\.key) == ["away", "home"], "\(second), \(first)")
    }
  }

  @Test("take their score and end from the sports channel, by game id")
  func scores() {
    var reader = Reader([Sample.game])
    reader.read(
      #"{"gameId":19439,"slug":"nfl-buf-kc-2026-01-25","homeTeam":"BUF","awayTeam":"KC","score":"3-16","period":"Q4","#
        + #""elapsed":"5:18","live":true,"ended":false}"#)
    #expect(reader.match()?.score == Score(home: 3, away: 16) && reader.match()?.status == .inProgress)
    #expect(reader.match()?.labels.part == "Q4 5:18" && reader.match()?.minute == nil)
    reader.read(#"{"gameId":19439,"slug":"nfl-buf-kc-2026-01-25","homeTeam":"KC","awayTeam":"BUF","score":"17-3"}"#)
    #expect(reader.match()?.score == Score(home: 3, away: 17))
    reader.read(#"{"gameId":1,"score":"9-9","live":true}"#)
    reader.read(#"{"gameId":19439,"ended":true,"score":""}"#)
    #expect(reader.match()?.tradingStatus == .closed && reader.match()?.score == Score(home: 3, away: 17))
    // An outdated answer of Gamma.
    var old = Sample.game
    old.isLive = true
    old.score = "0-0"
    reader.read(SessionMessage.changed([old], removed: []))
    #expect(reader.match()?.tradingStatus == .closed && reader.match()?.score == Score(home: 3, away: 17))
  }

  @Test("show the sets won of tennis, also in the first set")
  func tennis() {
    var game = Sample.game
    game.slug = "atp-sinner-alcaraz-2026-01-25"
    for (score, sets) in [("5-4", 0), ("6-4", 1), ("6-4, 1-0", 1), ("6-4, 6-0", 2)] {
      game.score = score
      #expect(Reader([game]).match()?.score == Score(home: sets, away: 0), "\(score)")
    }
  }

  @Test("have ended if Gamma says so, whatever the sports channel says before and after that, also after a loss")
  func endedAtGamma() {
    let score = #"{"gameId":19439,"score":"3-16","live":true,"ended":false}"#
    let later = #"{"gameId":19439,"score":"3-17","live":true,"ended":false}"#
    var ended = Sample.game
    ended.hasEnded = true
    var reader = Reader([Sample.game])
    reader.read(score)
    #expect(reader.match()?.status == .inProgress)
    reader.read(SessionMessage.changed([ended], removed: []))
    reader.read(later)
    #expect(reader.match()?.tradingStatus == .closed && reader.match()?.score == Score(home: 3, away: 17))
    // After a loss, the session delivers the last state of the game again.
    reader.read(SessionMessage.events([ended]))
    reader.read(later)
    #expect(reader.match()?.tradingStatus == .closed)
    // The markets are others.
    reader.read(SessionMessage.events([Sample.game]))
    reader.read(score)
    ended.markets.removeLast()
    reader.read(SessionMessage.changed([ended], removed: []))
    reader.read(later)
    #expect(reader.match()?.tradingStatus == .closed && reader.match()?.markets.count == 2)
    // Gamma takes it back.
    ended.hasEnded = false
    reader.read(SessionMessage.changed([ended], removed: []))
    reader.read(score)
    #expect(reader.match()?.status == .inProgress)
  }

  @Test("are added, changed and removed by later answers of Gamma, and keep their prices")
  func changes() throws {
    var reader = Reader([Sample.game])
    reader.read(
      #"{"event_type":"book","asset_id":"11","bids":[],"asks":[{"price":"0.5","size":"1"}],"hash":"1","timestamp":"1"}"#
    )
    var changed = Sample.game
    changed.isLive = true
    changed.markets[0].takesOrders = false
    reader.read(SessionMessage.changed([changed, Sample.footballGame], removed: []))
    #expect(reader.match()?.status == .inProgress && reader.match()?.tradingStatus == .suspended)
    #expect(reader.outcome(5010)?.offer == nil && reader.match(Sample.footballGame.id) != nil)
    changed.markets[0].takesOrders = true
    changed.markets.append(Sample.market(504, "totals", ["Over", "Under"], ["71", "72"]))
    reader.read(SessionMessage.changed([changed], removed: ["\(Sample.footballGame.id)"].compactMap { UInt64($0) }))
    #expect(reader.outcome(5010)?.offer?.odds?.description == "2.00")
    #expect(reader.match()?.markets.count == 4 && reader.match(Sample.footballGame.id) == nil)
    #expect(reader.state.counters.rejected == 0)
  }

  @Test("have the same participants, lines and delays after changes as in a dump", arguments: Laws.seeds(20))
  func changedFields(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let titles = ["Bills vs. Chiefs", "Super Bowl"]
    let lines: [Int64?] = [nil, 25_000_000, 475_000_000]
    let delays: [Int64?] = [nil, 0, 3]
    var event = Sample.game
    event.markets = [Sample.market(503, "totals", ["Over", "Under"], ["31", "32"])]
    var reader = Reader([event])
    for _ in 0..<20 {
      event.title = titles.randomElement(using: &random)!
      event.markets[0].line = lines.randomElement(using: &random)!
      event.markets[0].delay = delays.randomElement(using: &random)!
      reader.read(SessionMessage.changed([event], removed: []))
      let match = try #require(reader.match())
      let dumped = try #require(Reader([event]).match())
      #expect(match.labels == dumped.labels)
      #expect(match.labels.home == (event.participants?.first ?? ""))
      #expect(match.markets.map(\.handicap) == [event.markets[0].line])
      #expect(match.markets.map { $0.exchange?.betDelay } == [event.markets[0].delay.map { Int($0) }])
      #expect(dumped.markets.map { $0.exchange?.betDelay } == [event.markets[0].delay.map { Int($0) }])
    }
  }

  @Test("may name a token twice, which then belongs to the first outcome")
  func duplicateTokens() {
    var event = Sample.game
    event.markets[1].tokens = event.markets[0].tokens
    var reader = Reader([event])
    event.markets.removeLast()
    reader.read(SessionMessage.changed([event], removed: []))
    reader.read(
      #"{"event_type":"book","asset_id":"11","bids":[],"asks":[{"price":"0.5","size":"1"}],"hash":"1","timestamp":"1"}"#
    )
    #expect(reader.outcome(5010)?.offer?.odds?.description == "2.00" && reader.match()?.markets.count == 2)
  }

  @Test("are delivered again without prices in a dump after a loss")
  func dump() {
    var reader = Reader([Sample.game])
    reader.read(
      #"{"event_type":"book","asset_id":"11","bids":[],"asks":[{"price":"0.5","size":"1"}],"hash":"1","timestamp":"1"}"#
    )
    reader.read(SessionMessage.events([Sample.game]))
    #expect(reader.outcome(5010)?.offer == nil && reader.match()?.tradingStatus == .locked)
    #expect(reader.outcome(5010)?.lastOdds?.description == "2.00")
  }

  @Test("are read from the lines of a recording")
  func recorded() {
    var reader = Reader()
    let events = String(decoding: SessionMessage.events([Sample.game]), as: UTF8.self)
    reader.read(#"{"receivedAt":1769383800000,"topic":"/live/10","message":\#(events)}"#)
    #expect(reader.match() != nil)
    reader.read(
      #"{"receivedAt":1769383800001,"topic":"/live/10","message":[{"event_type":"book","asset_id":"11","bids":[],"#
        + #""asks":[{"price":"0.5","size":"1"}]}]}"#)
    #expect(reader.outcome(5010)?.offer?.odds?.description == "2.00")
  }

  @Test("are not affected by messages of an unknown kind, which are counted")
  func unknown() {
    var reader = Reader([Sample.game])
    reader.read(#"[{"event_type":"new_thing"},{"id":7},7,{"event_type":"book"}]"#)
    #expect(reader.exceptions.unknownMessages == 2 && reader.exceptions.malformedMessages == 2)
  }
}
