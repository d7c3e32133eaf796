import OddsFeed
import OddsModel
import TestSupport
import Testing

struct ChannelStateTests {
  private var state = ChannelState()

  private mutating func football() -> Match? { state.match(100) }

  private mutating func fairPrices() -> FairPrices? {
    football()?.mainMarket.flatMap { FairPrices($0, .proportional) }
  }

  @Test("A dump creates a match with its market, outcomes and offers")
  mutating func dump() throws {
    #expect(!state.hasDump)
    #expect(state.apply(.of(FeedText.dump(FeedText.football()))).matches.sorted() == [100])
    #expect(state.hasDump)
    let match = try #require(football())
    #expect(match.labels.home == "Ajax")
    let market = try #require(match.mainMarket)
    #expect(market.outcomes.map(\.key) == ["home", "draw", "away"])
    #expect(market.outcomes.map { $0.offer?.odds?.description } == ["2.45", "3.10", "2.90"])
    #expect(market.outcomes.allSatisfy { $0.isBettable })
    let margin: Double = 1 / 2.45 + 1 / 3.1 + 1 / 2.9 - 1
    #expect(abs(try #require(market.margin) - margin) < 1e-9)
  }

  @Test("An update reports only its match as changed, and none if it changes nothing")
  mutating func update() {
    state.apply(.of(FeedText.dump(FeedText.football(100), FeedText.football(200))))
    #expect(state.apply(.of(FeedText.update(FeedText.odds(121, "2.5")))).matches.sorted() == [100])
    #expect(state.apply(.of(FeedText.update(FeedText.odds(121, "2.50")))).matches.sorted() == [])
    #expect(football()?.mainMarket?.outcomes[0].offer?.odds == DecimalOdds(units: 25_000_000))
  }

  @Test(
    "An outcome is bettable only if each status and flag of its offer, market and match allows it",
    arguments: [
      ("BETTING_OFFER", 121, #""statusId":"4","isAvailable":false"#), ("BETTING_OFFER", 121, #""statusId":"7""#),
      ("BETTING_OFFER", 121, #""isAvailable":false"#), ("BETTING_OFFER", 121, #""odds":null"#),
      ("BETTING_OFFER", 121, #""statusId":"99""#), ("MARKET", 110, #""isAvailable":false"#),
      ("MARKET", 110, #""isClosed":true"#), ("MATCH", 100, #""statusId":"3""#),
    ])
  mutating func bettable(type: String, id: Int, properties: String) throws {
    state.apply(.of(FeedText.dump(FeedText.football())))
    #expect(state.apply(.of(FeedText.update(FeedText.change(type, id, properties)))).matches.sorted() == [100])
    let market = try #require(football()?.mainMarket)
    #expect(!market.outcomes[0].isBettable)
    #expect(market.margin == nil)
  }

  @Test("A null resets a flag to its default value")
  mutating func nullClears() {
    state.apply(.of(FeedText.dump(FeedText.football())))
    state.apply(.of(FeedText.update(FeedText.change("MARKET", 110, #""isAvailable":false"#))))
    state.apply(.of(FeedText.update(FeedText.change("MARKET", 110, #""isAvailable":null"#))))
    #expect(football()?.mainMarket?.isAvailable == true)
  }

  @Test("A dump builds the same match wherever its match and its market stand among the other records")
  mutating func anyOrder() throws {
    state.apply(.of(FeedText.dump(FeedText.football())))
    let straight = try #require(football())
    let whole = FeedText.football()
    let records = whole.replacing("},{", with: "}\n{").split(separator: "\n").map(String.init)
    for seed in 0..<50 {
      var random = SeededRandom(seed: UInt64(seed))
      // The order of one parent's children matters, so only the parents are moved.
      var shuffled = records
      let match = shuffled.remove(at: 0)
      shuffled.insert(match, at: Int.random(in: 0...shuffled.count, using: &random))
      let market = shuffled.remove(at: try #require(shuffled.firstIndex { $0.contains("\"MARKET\"") }))
      shuffled.insert(market, at: Int.random(in: 0...shuffled.count, using: &random))
      var other = ChannelState()
      other.apply(.of(FeedText.dump(shuffled.joined(separator: ","))))
      #expect(other.match(100) == straight, "seed \(seed)")
    }
  }

  @Test("An outcome that names its market directly, or also by a relation, appears once")
  mutating func marketID() {
    let outcome = #"{"_type":"OUTCOME","id":"7","marketId":"110","name":"1"}"#
    let relation = #"{"_type":"MARKET_OUTCOME_RELATION","id":"8","marketId":"110","outcomeId":"7"}"#
    let market = #"{"_type":"MATCH","id":"100","name":"A - B"},{"_type":"MARKET","id":"110","eventId":"100"}"#
    for records in [[market, outcome], [outcome, relation, market], [relation, market, outcome]] {
      var state = ChannelState()
      state.apply(.of(FeedText.dump(records.joined(separator: ","))))
      #expect(state.match(100)?.markets.first?.outcomes.map(\.id) == [7])
    }
  }

  @Test("A second dump replaces the state, and reports only the matches that differ")
  mutating func redump() {
    state.apply(.of(FeedText.dump(FeedText.football(100), FeedText.football(200), FeedText.football(300))))
    let second = FeedText.dump(
      FeedText.football(100), FeedText.football(200, odds: ["1.5", "4", "6"]), FeedText.football(400))
    #expect(state.apply(.of(second)).matches.sorted() == [200, 300, 400])
    #expect(state.match(300) == nil)
    #expect(Set(state.matchIDs) == [100, 200, 400])
  }

  @Test("A market that is replaced within one message leaves only the new market")
  mutating func replacedLine() throws {
    state.apply(.of(FeedText.dump(FeedText.football())))
    let touched = state.apply(
      .of(
        FeedText.update(
          FeedText.delete("BETTING_OFFER", 121), FeedText.delete("OUTCOME", 111), FeedText.delete("MARKET", 110),
          FeedText.create("MARKET", 510, #"{"_type":"MARKET","id":"510","eventId":"100","name":"New"}"#),
          FeedText.create("OUTCOME", 511, #"{"_type":"OUTCOME","id":"511","headerNameKey":"home"}"#),
          FeedText.create("MARKET_OUTCOME_RELATION", 512, #"{"id":"512","marketId":"510","outcomeId":"511"}"#),
          FeedText.create("BETTING_OFFER", 513, FeedText.offer(513, outcome: 511, odds: "1.9")))))
    #expect(touched.matches == [100])
    let match = try #require(football())
    #expect(match.markets.map(\.name) == ["New"])
    #expect(match.markets[0].outcomes.map { $0.offer?.odds?.description } == ["1.90"])
  }

  @Test("Deletes remove children in any order, and leave no records behind")
  mutating func deletes() {
    let deletes =
      [FeedText.delete("MATCH", 100), FeedText.delete("MARKET", 110)]
      + (0..<3).flatMap { [FeedText.delete("OUTCOME", 111 + $0), FeedText.delete("BETTING_OFFER", 121 + $0)] }
    for seed in 0..<20 {
      var random = SeededRandom(seed: UInt64(seed))
      var state = ChannelState()
      state.apply(.of(FeedText.dump(FeedText.football(), FeedText.football(200))))
      for delete in deletes.shuffled(using: &random) { state.apply(.of(FeedText.update(delete))) }
      #expect(Array(state.matchIDs) == [200], "seed \(seed)")
      #expect(state.match(100) == nil)
      state.apply(.of(FeedText.update(FeedText.create("MATCH", 100, #"{"id":"100","name":"A - B"}"#))))
      #expect(state.match(100)?.markets == [], "seed \(seed)")
    }
  }

  @Test("A dump from the cache or the REST API does not make up for lost stream messages")
  mutating func interim() {
    var options = StoreOptions()
    options.bufferLimit = 3
    state = ChannelState(options: options)
    state.awaitDump()
    for odds in 2...7 { state.apply(.of(FeedText.update(FeedText.odds(121, "\(odds)")))) }
    state.apply(.of(FeedText.dump(FeedText.football())))
    #expect(state.lacksMessages)
    var changes = FeedChanges()
    state.applyInterim(.of(FeedText.dump(FeedText.football())), at: 0, into: &changes)
    #expect(state.lacksMessages)
  }

  @Test(
    "An unreadable status makes its price unbettable and is counted; the rest of the record is applied",
    arguments: [
      (FeedText.change("BETTING_OFFER", 121, #""odds":3,"statusId":"seven""#), [false, true, true]),
      (FeedText.change("BETTING_OFFER", 121, #""odds":3,"statusId":{}"#), [false, true, true]),
      (FeedText.change("BETTING_OFFER", 121, #""odds":3,"isAvailable":"yes""#), [false, true, true]),
      (FeedText.change("MARKET", 110, #""isAvailable":1"#), [false, false, false]),
      (FeedText.change("MARKET", 110, #""isClosed":"no""#), [false, false, false]),
    ])
  mutating func unreadableStatus(record: String, bettable: [Bool]) {
    state.apply(.of(FeedText.dump(FeedText.football())))
    state.apply(.of(FeedText.update(record)))
    #expect(football()?.mainMarket?.outcomes.map(\.isBettable) == bettable)
    #expect(football()?.mainMarket?.outcomes[0].offer?.odds?.description == (bettable[1] ? "3.00" : "2.45"))
    #expect(state.counters.unreadableStatuses == 1)
    #expect(state.counters.rejected == 0)
  }

  @Test("A price is bettable again when each unreadable value is followed by a readable one")
  mutating func readableAgain() {
    state.apply(.of(FeedText.dump(FeedText.football())))
    for field in [#""statusId":"x""#, #""isAvailable":"x""#] {
      state.apply(.of(FeedText.update(FeedText.change("BETTING_OFFER", 121, field))))
    }
    state.apply(.of(FeedText.update(FeedText.change("BETTING_OFFER", 121, #""statusId":"1""#))))
    #expect(football()?.mainMarket?.outcomes[0].isBettable == false)
    state.apply(.of(FeedText.update(FeedText.change("BETTING_OFFER", 121, #""isAvailable":true"#))))
    #expect(football()?.mainMarket?.outcomes[0].isBettable == true)
  }

  @Test(
    "An unreadable dump is rejected, and the channel keeps its state",
    arguments: [
      #""records":5"#, #""records":{}"#, #""records":null"#, #""version":"1""#, #""records":[5,"x"]"#,
      #""records":"[]""#,
    ])
  mutating func malformedDump(fields: String) {
    state.apply(.of(FeedText.dump(FeedText.football())))
    state.apply(.of(#"{"messageType":"INITIAL_DUMP",\#(fields)}"#))
    #expect(Array(state.matchIDs) == [100])
    #expect(state.counters.malformedMessages == 1)
    #expect(state.counters.dumps == 1)
    state.apply(.of(#"{"messageType":"INITIAL_DUMP","records":[]}"#))
    #expect(Array(state.matchIDs).isEmpty)
  }

  @Test("Each exceeded limit has its own counter; a record with a time out of range is otherwise applied")
  mutating func limits() {
    let deep = String(repeating: "[", count: 70) + String(repeating: "]", count: 70)
    state.apply(.of(FeedText.dump(FeedText.football())))
    for line in [
      #"{"messageType":"NEWS","records":[]}"#, #"{"records":[],"x":\#(deep)}"#,
      FeedText.update(FeedText.odds(121, "10000000.5")),
      FeedText.update(FeedText.change("MATCH", 100, #""startTime":-1,"name":"New""#)),
      "\u{FEFF}" + FeedText.update(FeedText.odds(122, "4")),
    ] { state.apply(.of(line)) }
    let counters = state.counters
    #expect(counters.unknownMessages == 1)
    #expect(counters.nestedTooDeep == 1 && counters.unparsable == 1)
    #expect(counters.oddsAboveLimit == 1 && counters.rejected == 1)
    #expect(counters.timesOutOfRange == 1)
    #expect(counters.byteOrderMarks == 1)
    #expect(football()?.startTime == nil && football()?.name == "New")
    #expect(football()?.mainMarket?.outcomes.map { $0.offer?.odds?.description } == [nil, "4.00", "2.90"])
  }

  @Test("Keys, ids and values may contain JSON escapes")
  mutating func escapes() {
    state.apply(.of(FeedText.dump(FeedText.football())))
    let record =
      #"{"changeTyp\u0065":"UP\u0044ATE","entityType":"BETTING\u005fOFFER","id":"\u0031\u00321","#
      + #""chang\u0065dProperties":{"\u006fdds":"\u0033.5","stat\u0075sId":"\u0037"}}"#
    state.apply(.of(#"{"messageTy\u0070e":"\u0055PDATE","\u0072ecords":[\#(record)]}"#))
    #expect(football()?.mainMarket?.outcomes[0].offer?.odds?.description == "3.50")
    #expect(football()?.mainMarket?.outcomes[0].offer?.status == .suspended)
    #expect(state.counters.rejected == 0 && state.counters.ignored == 0)
  }

  @Test("A record with an unknown kind of change is ignored and counted", arguments: ["\"REPLACE\"", "7", "null"])
  mutating func unknownChange(kind: String) {
    state.apply(.of(FeedText.dump(FeedText.football())))
    let record = #"{"changeType":\#(kind),"entityType":"BETTING_OFFER","id":"121","entity":{"odds":9}}"#
    #expect(state.apply(.of(FeedText.update(record))).matches.sorted() == [])
    #expect(state.counters.ignored == 1)
  }

  @Test("Changes of unknown ids are pending, and records of unknown types are ignored")
  mutating func unmatched() {
    state.apply(
      .of(FeedText.update(FeedText.odds(9, "2"), FeedText.delete("MARKET", 9), FeedText.delete("MOON", 9))))
    #expect(state.counters.held == 2)
    #expect(state.counters.ignored == 1)
    #expect(!state.hasDump)
  }

  @Test("EVENT_INFO records set the score, the minute and the server, and EVENT is read as MATCH")
  mutating func eventInfo() {
    state.apply(
      .of(
        FeedText.dump(
          #"{"_type":"EVENT","id":"100","name":"A - B","homeParticipantId":"1","awayParticipantId":"2","statusId":2}"#,
          #"{"_type":"EVENT_INFO","id":"1","typeId":"1","eventId":"100","paramFloat1":2,"paramFloat2":1.0}"#,
          #"{"_type":"EVENT_INFO","id":"2","typeId":95,"eventId":"100","paramFloat1":67.0}"#,
          #"{"_type":"EVENT_INFO","id":"3","typeId":"37","eventId":"100","paramParticipantId1":"2"}"#)))
    let match = football()
    #expect(match?.score == Score(home: 2, away: 1))
    #expect(match?.minute == 67)
    #expect(match?.serving == .away)
    #expect(match?.status == .inProgress)
  }

  @Test(
    "A market that has lost one of its stated outcomes has no fair prices",
    arguments: [("OUTCOME", 113), ("MARKET_OUTCOME_RELATION", 133)])
  mutating func lostOutcome(type: String, id: Int) {
    state.apply(.of(FeedText.dump(FeedText.football(odds: ["1.2", "9", "15"]))))
    state.apply(.of(FeedText.update(FeedText.change("MARKET", 110, #""numberOfOutcomes":3"#))))
    #expect(football()?.mainMarket?.statedOutcomeCount == 3)
    #expect(fairPrices() != nil)
    state.apply(.of(FeedText.update(FeedText.delete(type, id))))
    #expect(football()?.mainMarket?.outcomes.count == 2)
    #expect(fairPrices() == nil)
    state.apply(.of(FeedText.update(FeedText.change("MARKET", 110, #""numberOfOutcomes":"2""#))))
    #expect(fairPrices() != nil)
  }

  @Test("Red and second yellow cards count as players sent off; the first count belongs to the named side")
  mutating func redCards() {
    func cards(_ id: Int, _ type: Int, _ first: Int, _ second: Int, of player: Int) -> String {
      #"{"_type":"EVENT_INFO","id":"\#(id)","typeId":"\#(type)","eventId":"100","paramFloat1":\#(first),"#
        + #""paramFloat2":\#(second),"paramParticipantId1":"\#(player)"}"#
    }
    let dump = #"{"_type":"MATCH","id":"100","name":"A - B","homeParticipantId":"1","awayParticipantId":"2"}"#
    state.apply(.of(FeedText.dump(dump, cards(1, 2, 3, 4, of: 1))))
    #expect(football()?.redCards == nil)
    state.apply(.of(FeedText.dump(dump, cards(1, 4, 1, 0, of: 1))))
    #expect(football()?.redCards == Score(home: 1, away: 0))
    // Records may cover parts of a match; the record of the whole match has the highest count.
    let all = [cards(1, 4, 1, 0, of: 1), cards(2, 4, 0, 0, of: 1), cards(3, 3, 2, 0, of: 2)].joined(separator: ",")
    state.apply(.of(FeedText.dump(dump, all)))
    #expect(football()?.redCards == Score(home: 1, away: 2))
  }

  @Test("An update after a second dump in the same batch is reported, even if the dump itself changes nothing")
  func updateBehindDump() throws {
    for dumped in ["2.45", "9"] {
      var state = ChannelState()
      state.apply(.of(FeedText.dump(FeedText.football())))
      _ = state.match(100)
      let dump = FeedText.dump(FeedText.football(odds: [dumped, "3.1", "2.9"]))
      let changes = state.apply(.of(dump, FeedText.update(FeedText.odds(121, "4.5"))))
      #expect(Set(changes.matches) == [100])
      #expect(state.match(100)?.mainMarket?.outcomes[0].offer?.odds?.description == "4.50")
    }
  }
}
