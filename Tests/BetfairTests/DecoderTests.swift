import OddsFeed
import OddsModel
import Testing

@testable import Betfair

struct DecoderTests {
  var state = ChannelState()
  private var decoder = BetfairDecoder(isRecorded: true)

  private static let runners =
    #"[{"id":47972,"sortPriority":1,"status":"ACTIVE"},{"id":58805,"sortPriority":3,"status":"ACTIVE"},"#
    + #"{"id":47973,"sortPriority":2,"status":"ACTIVE","name":"Porto"}]"#

  static func definition(_ rest: String = "", status: String = "OPEN") -> String {
    #""marketDefinition":{"bettingType":"ODDS","status":"\#(status)","eventId":"29","eventTypeId":"1","#
      + #""marketType":"MATCH_ODDS","openDate":"2025-06-06T16:00:00.000Z","numberOfWinners":1,"betDelay":0,"#
      + #""inPlay":false,"version":5,"eventName":"Ajax v Porto"\#(rest),"runners":\#(runners)}"#
  }

  mutating func send(_ text: String) -> FeedBatch {
    var batch = FeedBatch()
    let bytes = Array(text.utf8)
    bytes.withUnsafeBufferPointer { decoder.decode($0, 0..<bytes.count, into: &batch) }
    state.apply(batch)
    state.checkConsistency()
    return batch
  }

  mutating func sendImage(_ markets: String, rest: String = "") {
    _ = send(#"{"op":"mcm","id":1,"pt":1000,"ct":"SUB_IMAGE","clk":"A","initialClk":"I"\#(rest),"mc":[\#(markets)]}"#)
  }

  mutating func outcomes() -> [Outcome] { state.match(29)?.markets.first?.outcomes ?? [] }

  mutating func outcome(_ key: String) throws -> Outcome {
    let all = outcomes()
    return try #require(all.first { $0.key == key })
  }

  mutating func backs(_ key: String) throws -> [String?] {
    let exchange = try outcome(key).exchange
    return try #require(exchange).backs.map { $0.odds?.description }
  }

  @Test("An image makes a match with its market, runners by priority, prices and amounts in pounds")
  mutating func image() throws {
    sendImage(
      #"{"id":"1.0123","img":true,"tv":900.5,\#(Self.definition()),"rc":[{"bdatb":[[0,2.5,10.25],[1,2.4,3]],"#
        + #""bdatl":[[0,2.52,7]],"ltp":2.5,"tv":80,"id":47972}]}"#)
    let found = state.match(29)
    let match = try #require(found)
    #expect(match.labels.home == "Ajax" && match.labels.away == "Porto" && match.labels.sport == "Football")
    #expect(match.startTime == 1_749_225_600_000 && match.status == .pending)
    let market = try #require(match.mainMarket)
    #expect("\(market.id)" == "1.0123" && market.name == "Match Odds" && market.mainMarketRank == 0)
    #expect(market.exchange?.totalMatched == Amount(units: 9_005_000_000, currency: Currency("GBP")))
    let home = try outcome("home")
    #expect(home.name == "47972" && home.isBettable && home.offer?.odds?.description == "2.50")
    #expect(home.exchange?.backs.map { $0.size?.units } == [102_500_000, 30_000_000])
    #expect(home.exchange?.lays.first?.odds?.description == "2.52" && home.exchange?.lastTraded?.description == "2.50")
    #expect(try outcome("away").name == "Porto" && outcome("draw").exchange?.backs == [])
  }

  @Test("A size of 0 removes a level, by index or by price, and virtual prices are preferred")
  mutating func ladders() throws {
    let change = { (rc: String) in #"{"op":"mcm","id":1,"pt":1001,"mc":[{"id":"1.0123","rc":[{"id":47972,\#(rc)}]}]}"# }
    sendImage(#"{"id":"1.0123","img":true,\#(Self.definition()),"rc":[]}"#)
    _ = send(change(#""atb":[[2.5,1],[2.7,1],[2.6,1],[2.4,1]]"#))
    #expect(try backs("home") == ["2.70", "2.60", "2.50"])
    _ = send(change(#""atb":[[2.6,0]]"#))
    #expect(try backs("home") == ["2.70", "2.50", "2.40"])
    _ = send(change(#""batb":[[0,2.3,1],[1,2.2,1]]"#))
    #expect(try backs("home") == ["2.30", "2.20"])
    _ = send(change(#""bdatb":[[0,2.34,1],[2,2.2,1]]"#))
    #expect(try backs("home") == ["2.34", "2.20"])
    _ = send(change(#""bdatb":[[0,0,0]]"#))
    #expect(try backs("home") == ["2.20"])
    _ = send(change(#""bdatb":[[2,0,0]]"#))
    #expect(try backs("home") == [] && outcome("home").offer?.odds == nil && !outcome("home").isBettable)
    #expect(try outcome("home").lastOdds?.description == "2.20")
  }

  @Test("Keys are read in any order, and a null ladder or a non-numeric last price counts as missing")
  mutating func anyOrder() throws {
    _ = send(
      #"{"mc":[{"rc":[{"atb":[[2.5,1]],"atl":null,"hc":0.0,"ltp":"NaN","id":47972,"spn":"Infinity"}],"#
        + #"\#(Self.definition()),"con":1,"img":true,"id":"1.0123"}],"ct":"SUB_IMAGE","pt":1000,"op":"mcm"}"#)
    #expect(try backs("home") == ["2.50"] && outcome("home").exchange?.lastTraded == nil)
    #expect(try outcome("home").isBettable && state.match(29)?.tradingStatus == .live)
  }

  @Test("Other operations are counted as unknown, and a connection message changes nothing")
  mutating func otherOperations() {
    #expect(send(#"{"op":"orders"}"#).exceptions.unknownMessages == 1)
    #expect(send(#"{"op":"connection","connectionId":"1"}"#) == FeedBatch())
  }

  @Test("Changes into which the provider had merged others are counted, unless they belong to another subscription")
  mutating func merged() {
    sendImage(#"{"id":"1.0123","img":true,\#(Self.definition())}"#)
    for id in 1...2 {
      let markets = #"[{"id":"1.0123","con":true},{"id":"1.0123"},{"id":"1.0123","con":true}]"#
      #expect(send(#"{"op":"mcm","id":\#(id),"pt":1001,"mc":\#(markets)}"#).exceptions.merged == (id == 1 ? 2 : 0))
    }
    #expect(state.counters.merged == 2)
  }

  @Test("Segments are joined into one message, whose position counts only after the last segment")
  mutating func segments() throws {
    let part = { (segment: String, clock: String, market: String) in
      #"{"op":"mcm","id":1,"pt":1000,"ct":"SUB_IMAGE","segmentType":"\#(segment)","clk":"\#(clock)","mc":[\#(market)]}"#
    }
    sendImage(#"{"id":"1.9","img":true,\#(Self.definition()),"rc":[]}"#)
    #expect(decoder.cache.clock == "A" && decoder.cache.initialClock == "I")
    let market = { (number: Int) in #"{"id":"1.\#(number)","img":true,\#(Self.definition()),"rc":[]}"# }
    #expect(send(part("SEG_START", "B", market(1))).messages.isEmpty)
    #expect(send(part("SEG", "C", market(2))).messages.isEmpty && decoder.cache.clock == "A")
    #expect(state.match(29)?.markets.map { "\($0.id)" } == ["1.9"])
    #expect(send(part("SEG_END", "D", market(3))).messages.map(\.kind) == [.dump] && decoder.cache.clock == "D")
    #expect(state.match(29)?.markets.map { "\($0.id)" } == ["1.1", "1.2", "1.3"])
  }

  @Test("A resubscription delivers the merged state as a dump, and discards messages of the old subscription")
  mutating func resubscription() throws {
    sendImage(#"{"id":"1.0123","img":true,\#(Self.definition()),"rc":[{"id":47972,"atb":[[2.5,1]]}]}"#)
    let delta = #""mc":[{"id":"1.0123","rc":[{"id":47972,"atb":[[2.6,1]]}]}]}"#
    #expect(send(#"{"op":"mcm","id":2,"pt":1001,"ct":"RESUB_DELTA",\#(delta)"#).messages[0].kind == .dump)
    #expect(try backs("home") == ["2.60", "2.50"])
    let late = #"{"op":"mcm","id":1,"pt":1002,"mc":[{"id":"1.0123","rc":[{"id":47972,"atb":[[9,1]]}]}]}"#
    #expect(send(late).messages.isEmpty)
    #expect(try backs("home") == ["2.60", "2.50"])
  }

  @Test("A market image replaces the market's prices; of two images in a message the higher version counts")
  mutating func marketImage() throws {
    sendImage(#"{"id":"1.0123","img":true,"tv":5,\#(Self.definition()),"rc":[{"id":47972,"atb":[[2.5,1]],"ltp":2}]}"#)
    let other = Self.definition().replacing(#""eventId":"29""#, with: #""eventId":"30""#)
      .replacing(#""version":5"#, with: #""version":4"#)
    _ = send(
      #"{"op":"mcm","id":1,"pt":1001,"mc":[{"id":"1.0123","img":true,\#(Self.definition()),"#
        + #""rc":[{"id":47973,"atb":[[3,1]]}]},{"id":"1.0123","img":true,\#(other),"rc":[]}]}"#)
    #expect(try backs("home") == [] && outcome("home").exchange?.lastTraded == nil)
    #expect(try backs("away") == ["3.00"] && state.match(30) == nil)
    #expect(state.match(29)?.markets.first?.exchange?.totalMatched == nil)
    // A later message may move the market to another event.
    _ = send(#"{"op":"mcm","id":1,"pt":1002,"mc":[{"id":"1.0123",\#(other)}]}"#)
    #expect(state.match(29) == nil && state.match(30)?.markets.count == 1)
  }

  @Test("A suspended, closed or unknown market is never live, and an unlisted runner is not bettable")
  mutating func statuses() throws {
    sendImage(#"{"id":"1.0123","img":true,\#(Self.definition()),"rc":[{"id":47972,"atb":[[2.5,1]]}]}"#)
    #expect(state.match(29)?.tradingStatus == .live)
    let grades: [(String, Freshness.Grade)] = [
      ("SUSPENDED", .suspended), ("INACTIVE", .suspended), ("NEW", .suspended), ("CLOSED", .closed),
    ]
    for (status, grade) in grades {
      _ = send(#"{"op":"mcm","id":1,"pt":1,"mc":[{"id":"1.0123",\#(Self.definition(status: status))}]}"#)
      #expect(try state.match(29)?.tradingStatus == grade && !outcome("home").isBettable)
    }
    let without = Self.definition().replacing(#"{"id":47972,"sortPriority":1,"status":"ACTIVE"},"#, with: "")
    _ = send(#"{"op":"mcm","id":1,"pt":1,"mc":[{"id":"1.0123",\#(without)}]}"#)
    #expect(outcomes().first { $0.name == "47972" }?.isBettable == false)
    _ = send(#"{"op":"mcm","id":1,"pt":1,"mc":[{"id":"1.7","rc":[{"id":1,"atb":[[2,1]]}]}]}"#)
    #expect(state.market(try #require(MarketID("1.7")))?.exchange?.isAwaitingImage == true)
  }

  @Test("The same selection with two handicaps is two outcomes")
  mutating func handicaps() throws {
    let runners = #""runners":[{"id":5,"hc":-0.5,"status":"ACTIVE"},{"id":5,"hc":1,"status":"ACTIVE"}]"#
    sendImage(
      #"{"id":"1.5","img":true,"marketDefinition":{"status":"OPEN","eventId":"29","marketType":"ASIAN_HANDICAP",\#(runners)},"#
        + #""rc":[{"id":5,"hc":-0.5,"ltp":2},{"id":5,"hc":1.0,"ltp":3}]}"#)
    #expect(outcomes().map(\.name) == ["5 +1", "5 -0.5"])
    #expect(outcomes().map { $0.exchange?.lastTraded?.description } == ["3.00", "2.00"])
  }

  @Test("Prices of a line market do not count as odds")
  mutating func lines() throws {
    let definition = Self.definition().replacing("ODDS\",\"status", with: "LINE\",\"status")
    sendImage(#"{"id":"1.0123","img":true,\#(definition),"rc":[{"id":47972,"atb":[[25.5,10]]}]}"#)
    #expect(state.match(29)?.markets[0].exchange?.hasLines == true)
    #expect(try outcome("home").offer?.odds == nil && backs("home") == ["25.50"])
  }

  @Test("An invalid price replaces the previous price")
  mutating func invalidPrice() throws {
    sendImage(#"{"id":"1.0123","img":true,\#(Self.definition()),"rc":[{"id":47972,"bdatb":[[0,2.5,1]]}]}"#)
    _ = send(#"{"op":"mcm","id":1,"pt":2,"mc":[{"id":"1.0123","rc":[{"id":47972,"bdatb":[[0,0.5,1]]}]}]}"#)
    #expect(try outcome("home").offer?.odds == nil && !outcome("home").isBettable && state.counters.rejected == 0)
  }

  @Test("Status 503 makes the source stale until a message without it; a delayed key makes it delayed")
  mutating func source() throws {
    #expect(
      send(#"{"op":"mcm","id":1,"ct":"HEARTBEAT","status":503,"pt":1}"#).messages[0].source == .impaired(.sourceStale))
    #expect(send(#"{"op":"mcm","id":1,"ct":"HEARTBEAT","pt":1}"#).messages[0].source == .live)
    let delayed = send(#"{"op":"mcm","id":1,"ct":"SUB_IMAGE","conflateMs":180000,"pt":1,"mc":[]}"#)
    #expect(delayed.messages[0].source == .impaired(.delayedAccess))
    #expect(send(#"{"op":"mcm","id":1,"pt":1}"#).messages[0].source == .impaired(.delayedAccess))
    for (conflation, source) in [(0, SourceState.live), (5000, .live), (5001, .impaired(.updatesMerged))] {
      let image = send(#"{"op":"mcm","id":1,"ct":"SUB_IMAGE","conflateMs":\#(conflation),"pt":1}"#)
      #expect(image.messages[0].source == source)
    }
  }

  @Test("Status 503 between the parts of a message makes the source stale at once, until the message has ended")
  mutating func staleBetweenParts() throws {
    sendImage(#"{"id":"1.0123","img":true,\#(Self.definition()),"rc":[{"id":47972,"atb":[[2.5,1]]}]}"#)
    func part(_ segment: String) -> String {
      #"{"op":"mcm","id":1,"pt":1001,"segmentType":"\#(segment)","clk":"B","#
        + #""mc":[{"id":"1.0123","rc":[{"id":47972,"atb":[[2.6,1]]}]}]}"#
    }
    let heartbeat = #"{"op":"mcm","id":1,"ct":"HEARTBEAT","pt":1002,"clk":"C"}"#
    #expect(send(part("SEG_START")).messages.isEmpty)
    let stale = send(heartbeat.replacing(#""pt""#, with: #""status":503,"pt""#))
    #expect(stale.messages.map(\.source) == [.impaired(.sourceStale)] && stale.records.isEmpty)
    #expect(try backs("home") == ["2.50"] && decoder.cache.clock == "A")
    #expect(send(heartbeat).messages.isEmpty && send(part("SEG")).messages.isEmpty)
    #expect(send(part("SEG_END")).messages.map(\.source) == [.live])
    #expect(try backs("home") == ["2.60", "2.50"] && decoder.cache.clock == "B")
  }

  @Test("Matched stakes are as sent, or else the sum of the traded prices; an empty list changes nothing")
  mutating func volume() throws {
    let change = { (rc: String) in #"{"op":"mcm","id":1,"pt":1001,"mc":[{"id":"1.0123","rc":[{"id":47972,\#(rc)}]}]}"# }
    sendImage(#"{"id":"1.0123","img":true,\#(Self.definition()),"rc":[]}"#)
    _ = send(change(#""trd":[[2,10],[2.2,5]]"#))
    _ = send(change(#""trd":[]"#))
    #expect(try outcome("home").exchange?.matched?.units == 150_000_000)
    #expect(state.match(29)?.markets[0].exchange?.totalMatched?.units == 150_000_000)
    _ = send(change(#""trd":[[2,0]]"#))
    #expect(try outcome("home").exchange?.matched?.units == 50_000_000)
    _ = send(change(#""tv":77"#))
    #expect(try outcome("home").exchange?.matched?.units == 770_000_000)
  }

  @Test("The oldest closed markets are removed, which bounds the memory of a long stream")
  mutating func closedMarkets() {
    sendImage("")
    // Consistency is checked only at the end, because the check takes time proportional to the store's size.
    func send(_ text: String) {
      var batch = FeedBatch()
      Array(text.utf8).withUnsafeBufferPointer { decoder.decode($0, 0..<$0.count, into: &batch) }
      state.apply(batch)
    }
    for number in 0..<1300 {
      let event = Self.definition().replacing(#""eventId":"29""#, with: #""eventId":"\(5000 + number / 2)""#)
      let closed = event.replacing("OPEN", with: "CLOSED")
      send(#"{"op":"mcm","id":1,"pt":\#(number),"mc":[{"id":"1.\#(1000 + number)","img":true,\#(event)}]}"#)
      if number % 100 == 99 { continue }
      send(#"{"op":"mcm","id":1,"pt":\#(number),"mc":[{"id":"1.\#(1000 + number)",\#(closed)}]}"#)
    }
    state.checkConsistency()
    #expect(decoder.cache.books.count <= 1013)
    func markets() -> [Market] { Array(state.matchIDs).compactMap { state.match($0) }.flatMap(\.markets) }
    let open = markets().filter { !$0.isClosed }.map { "\($0.id)" }.sorted()
    // The last market is open and takes the slot of a closed one.
    #expect(open.count == 13 && open.first == "1.1099" && markets().count(where: \.isClosed) == 999)
    #expect(state.counters.held == 0 && state.counters.duplicateCreates == 0 && state.counters.rejected == 0)
    // A dump has the same markets.
    let before = Set(markets().map { "\($0.id) \($0.isClosed)" })
    send(#"{"op":"mcm","id":1,"ct":"RESUB_DELTA","pt":1,"mc":[]}"#)
    state.checkConsistency()
    #expect(state.counters.dumps == 2 && Set(markets().map { "\($0.id) \($0.isClosed)" }) == before)
  }

  @Test("Ids of markets in every form are read back as they were written, and stay apart")
  func marketKeys() {
    let ids = ["1.123456789", "1.023", "1.23", "2.1", "99.000000000000000", "123", "1.", "1.x", "a", "0.5", "100.5"]
    let keys = ids.map { id in Array(id.utf8).withUnsafeBufferPointer { MarketKey($0) } }
    #expect(keys.map { $0?.text } == ids && Set(keys.map { $0?.raw }).count == ids.count)
  }
}
