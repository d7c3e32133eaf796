import OddsFeed
import OddsModel
import TestSupport
import Testing

/// Records that are rejected (StoreRules.md, rule 6).
struct RejectedRecordTests {
  private var state = ChannelState()

  init() { state.apply(.of(FeedText.dump(FeedText.football()))) }

  private mutating func outcomes() -> [Outcome] { state.match(100)?.mainMarket?.outcomes ?? [] }

  private mutating func apply(_ records: String...) {
    for record in records { state.apply(.of(FeedText.update(record))) }
  }

  private static func offer(_ properties: String) -> String { FeedText.change("BETTING_OFFER", 121, properties) }

  private static func creation(_ entity: String) -> String {
    FeedText.create("BETTING_OFFER", 121, #"{"outcomeId":"111",\#(entity)}"#)
  }

  @Test(
    "A record without a readable change is rejected and counted, and the rest of its message is applied",
    arguments: [
      #"{"entityType":"BETTING_OFFER","id":"121","changedProperties":{"odds":2}}"#,
      #"{"changeType":"CREATE","entityType":"BETTING_OFFER","id":"121","entity":null}"#,
      #"{"changeType":"UPDATE","entityType":"BETTING_OFFER","id":"121","changedProperties":[]}"#, "7",
      #"{"changeType":"UPDATE","entityType":"BETTING_OFFER","changedProperties":{"odds":2}}"#,
    ])
  mutating func unknown(record: String) {
    state.apply(.of(FeedText.update(record, FeedText.odds(122, "3.3"))))
    #expect(state.counters.rejected == 1)
    #expect(outcomes().map { $0.offer?.odds?.description } == ["2.45", "3.30", "2.90"])
  }

  @Test(
    "A price is not bettable after a rejected record that may have ended it",
    arguments: [
      (offer(#""statusId":"7","isAvailable":false,"odds":0"#), nil, .suspended), (offer(#""odds":0"#), nil, .standard),
      (offer(#""odds":"x""#), nil, .standard), (offer(#""odds":3,"outcomeId":[]"#), nil, .standard),
      (offer(#""odds":3,"outcomeId":"112","lastChangedTime":"x""#), nil, .standard),
      (offer(#""statusId":"7","odds":0"#), nil, .suspended),
      (offer(#""statusId":"7","lastChangedTime":"x""#), "2.45", .suspended),
      (offer(#""lastChangedTime":"x","statusId":"4","odds":3"#), "3.00", .removed),
      (offer(#""statusId":"seven","lastChangedTime":"x""#), "2.45", .unknown),
      (creation(#""statusId":"7","isAvailable":true,"odds":0"#), nil, .suspended),
      (creation(#""statusId":"1","lastChangedTime":"x""#), nil, .standard),
      (creation(#""statusId":"7","odds":3,"lastChangedTime":"x""#), "3.00", .suspended),
    ] as [(String, String?, OfferStatus)])
  mutating func endedPrice(record: String, odds: String?, status: OfferStatus) {
    apply(record)
    let outcome = outcomes()[0]
    #expect(!outcome.isBettable)
    #expect(outcome.offer?.odds?.description == odds)
    #expect(outcome.offer?.status == status)
    #expect(outcome.lastOdds?.description == odds ?? "2.45")
    #expect(outcomes().dropFirst().allSatisfy { $0.isBettable })
    #expect(state.counters.rejected == 1)
  }

  @Test("After rejected odds, the next valid odds are bettable; a rejected record applies its valid odds")
  mutating func again() {
    apply(FeedText.odds(121, "0"))
    #expect(!outcomes()[0].isBettable)
    apply(Self.offer(#""statusId":"1""#))
    #expect(!outcomes()[0].isBettable)
    apply(FeedText.odds(121, "3"))
    #expect(outcomes()[0].isBettable)
    apply(Self.offer(#""odds":4,"isAvailable":true,"lastChangedTime":{}"#))
    #expect(outcomes()[0].offer?.odds?.description == "4.00")
    #expect(outcomes()[0].isBettable)
  }

  @Test(
    "A market that a rejected record closes has no bettable price, and keeps its other fields",
    arguments: [
      FeedText.change("MARKET", 110, #""isClosed":true,"paramFloat1":"-","name":"New""#),
      FeedText.change("MARKET", 110, #""name":7,"isAvailable":false"#),
      FeedText.create("MARKET", 110, #"{"eventId":"100","name":7,"isAvailable":"no"}"#),
    ])
  mutating func closedMarket(record: String) {
    apply(record)
    #expect(outcomes().count == 3)
    #expect(outcomes().allSatisfy { !$0.isBettable })
    #expect(state.match(100)?.mainMarket?.name == "Match Result")
    #expect(state.match(100)?.mainMarket?.handicap == nil)
    #expect(state.counters.rejected == 1)
  }

  @Test("A rejected record can end a match; an unreadable status leaves the match status unchanged")
  mutating func endedMatch() {
    apply(FeedText.change("MATCH", 100, #""statusId":"x","name":"New""#))
    #expect(state.match(100)?.status == .inProgress)
    apply(FeedText.change("MATCH", 100, #""statusId":"3","startTime":"x","name":"New""#))
    #expect(state.match(100)?.status == .ended)
    #expect(state.match(100)?.name == "Ajax - Porto")
    #expect(state.counters.rejected == 2)
  }

  @Test("A rejected record reports its match as changed once; for an unknown id, it is not kept as pending")
  mutating func touches() {
    #expect(state.apply(.of(FeedText.update(FeedText.odds(121, "0")))).matches.sorted() == [100])
    #expect(state.apply(.of(FeedText.update(FeedText.odds(121, "0")))).matches.sorted() == [])
    #expect(state.apply(.of(FeedText.update(FeedText.odds(999, "0")))).matches.sorted() == [])
    #expect(state.counters.waiting == 0)
    #expect(state.counters.rejected == 3)
  }
}
