import OddsFeed
import OddsModel
import TestSupport
import Testing

/// The reference store itself, with cases worked out by hand.
struct ReferenceTests {
  private static let match = FeedText.create("MATCH", 100, #"{"id":"100","name":"A - B"}"#)
  private static let market = FeedText.create("MARKET", 110, #"{"id":"110","eventId":"100","name":"M"}"#)
  private static let outcome = FeedText.create("OUTCOME", 111, #"{"id":"111","marketId":"110","name":"1"}"#)
  private static let offer = FeedText.create("BETTING_OFFER", 121, FeedText.offer(121, outcome: 111, odds: "2.45"))
  private static let shownOffer = "offer 121 odds 24500000 status 1 available -"

  /// Returns the store after messages, each with a version.
  private func store(_ messages: (Int?, [String])...) -> ReferenceStore {
    var store = ReferenceStore()
    for (version, records) in messages {
      let version = version.map { #""version":"\#($0)","# } ?? ""
      store.apply(#"{\#(version)"messageType":"UPDATE","records":[\#(records.joined(separator: ","))]}"#)
    }
    return store
  }

  private func odds(_ store: ReferenceStore) -> String? {
    store.pictures()["100"].flatMap { $0.firstMatch(of: /odds ([0-9-]+)/)?.1 }.map(String.init)
  }

  private let whole = [match, market, outcome, offer]

  @Test("The picture of a match lists its fields, market, outcomes and offers")
  func picture() {
    var store = ReferenceStore()
    store.apply(FeedText.dump(FeedText.football()))
    #expect(
      store.pictures() == [
        "100": """
        match 100 'Ajax - Porto' 'Ajax' 'Porto' '' '' '' sport 1 start 1750752000000 status 2 score - minute - \
        serving - main 110
          market 110 'Match Result' type 69 line - available open
            outcome 111 'home' 'home' bettable offer 121 odds 24500000 status 1 available -
            outcome 112 'draw' 'draw' bettable offer 122 odds 31000000 status 1 available -
            outcome 113 'away' 'away' bettable offer 123 odds 29000000 status 1 available -
        """
      ])
  }

  @Test("Children wait for their parents, in any order", arguments: [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]])
  func children(order: [Int]) {
    let store = store((1, order.map { whole[$0] }))
    #expect(odds(store) == "24500000")
    #expect(store.waiting == 0)
    #expect(self.store((1, [Self.offer])).waiting == 1)
  }

  @Test(
    "A pending UPDATE is applied unless it is older than the CREATE",
    arguments: [(5, 5, "30000000"), (6, 5, "30000000"), (4, 5, "24500000"), (nil, 5, "30000000"), (4, nil, "30000000")]
      as [(Int?, Int?, String)])
  func heldUpdate(update: Int?, create: Int?, shown: String) {
    let store = store(
      (1, [Self.match, Self.market, Self.outcome]), (update, [FeedText.odds(121, "3")]), (create, whole))
    #expect(odds(store) == shown)
    #expect(store.waiting == 0)
    #expect(store.expired == (shown == "24500000" ? 1 : 0))
  }

  @Test("Pending changes are applied in the order of their arrival")
  func heldOrder() {
    let updates = [
      FeedText.odds(121, "3"), FeedText.odds(121, "4"), FeedText.change("BETTING_OFFER", 121, #""odds":null"#),
    ]
    #expect(odds(store((2, updates), (1, whole))) == "-")
    #expect(odds(store((2, updates.reversed()), (1, whole))) == "30000000")
  }

  @Test("A pending DELETE removes its record with its children, but no newer record", arguments: [1, 2, 3])
  func heldDelete(create: Int) {
    let store = store(
      (1, [Self.match, Self.outcome, Self.offer]), (2, [FeedText.delete("MARKET", 110)]), (create, [Self.market]))
    let shown = store.pictures()["100"]
    #expect(shown?.contains("market 110") == (create == 3))
    #expect(shown?.contains(Self.shownOffer) == (create == 3))
    #expect(store.waiting == 0)
  }

  @Test("A change after a pending DELETE stays pending until the record is created again")
  func behindDelete() {
    let store = store(
      (2, [FeedText.delete("BETTING_OFFER", 121)]), (3, [FeedText.odds(121, "3")]), (1, whole), (3, [Self.offer]))
    #expect(odds(store) == "30000000")
  }

  @Test("Deleting a parent deletes its children; their own DELETEs have no effect; a new child is a new record")
  func cascade() {
    var store = store((1, whole), (2, [FeedText.delete("MATCH", 100)]))
    #expect(store.tables.values.allSatisfy { $0.isEmpty })
    let deletes = [
      FeedText.delete("MARKET", 110), FeedText.delete("OUTCOME", 111), FeedText.delete("BETTING_OFFER", 121),
    ]
    store.apply(FeedText.update(deletes.joined(separator: ",")))
    #expect(store.waiting == 0)
    store.apply(FeedText.update([Self.match, Self.market].joined(separator: ",")))
    #expect(store.pictures()["100"]?.contains("market 110") == true)
    #expect(store.pictures()["100"]?.contains("outcome 111") == false)
  }

  @Test("An outcome stays while another market contains it, even one that has not arrived")
  func sharedOutcome() {
    let other = FeedText.create("MARKET", 210, #"{"id":"210","eventId":"100"}"#)
    let relation = FeedText.create("MARKET_OUTCOME_RELATION", 1, #"{"id":"1","marketId":"210","outcomeId":"111"}"#)
    for messages in [
      [other, relation, FeedText.delete("MARKET", 110)], [relation, FeedText.delete("MARKET", 110), other],
    ] {
      let store = store((1, whole), (2, messages))
      #expect(odds(store) == "24500000")
      #expect(store.waiting == 0)
    }
  }

  @Test("CREATE replaces a record, null clears a field, and a rejected record applies only its trading state")
  func replaces() {
    let bare = FeedText.create("BETTING_OFFER", 121, #"{"id":"121","outcomeId":"111"}"#)
    #expect(odds(store((1, whole), (2, [bare]))) == "-")
    let bad = #""isAvailable":false,"odds":0.99"#
    let store = store(
      (1, whole), (2, [FeedText.change("BETTING_OFFER", 121, bad), FeedText.create("MATCH", 100, #"{"id":7}"#)]))
    #expect(odds(store) == "-")
    #expect(store.pictures()["100"]?.contains("offer 121 odds - status 1 unavailable -") == true)
    #expect(store.rejected == 1)
    #expect(store.pictures()["100"]?.hasPrefix("match 100 '' ") == true)
  }

  @Test("Numeric ids precede other ids, by value; the first bettable offer is shown, else the first offer")
  func order() {
    func offer(_ id: String, _ odds: String) -> String {
      #"{"changeType":"CREATE","entityType":"BETTING_OFFER","id":"\#(id)","entity":{"outcomeId":"111","odds":\#(odds)}}"#
    }
    let offers = [offer("x", "9"), offer("121000000000000000", "8"), offer("99", "null"), offer("1000", "7.0000001")]
    #expect(odds(store((1, Array(whole.dropLast()) + offers))) == "70000001")
    #expect(odds(store((1, Array(whole.dropLast()) + [offers[0], offers[1]]))) == "80000000")
    #expect(odds(store((1, Array(whole.dropLast()) + [offers[2]]))) == "-")
  }

  @Test("The main market is chosen by list order, then not closed, then main line, then id")
  func mainMarket() {
    func market(_ id: Int, _ type: Int, _ line: Bool, isClosed: Bool = false) -> String {
      FeedText.create(
        "MARKET", id,
        #"{"eventId":"100","bettingTypeId":\#(type),"mainLine":\#(line),"isClosed":\#(isClosed)}"#)
    }
    func main(_ id: Int, _ type: Int) -> String { FeedText.create("MAIN_MARKET", id, #"{"bettingTypeId":"\#(type)"}"#) }
    func head(_ records: [String]) -> String? {
      store((1, [Self.match] + records)).pictures()["100"]?.firstMatch(of: /main ([0-9]+)/).map { String($0.1) }
    }
    let markets = [market(1, 5, false), market(2, 6, false), market(3, 6, true), market(4, 7, true)]
    #expect(head(markets) == "3")
    #expect(head(markets + [main(9, 7), main(1, 6)]) == "4")
    #expect(head(markets + [main(9, 8), main(1, 6)]) == "3")
    #expect(head(markets + [main(9, 5), main(1, 6)]) == "1")
    #expect(head(Array(markets.prefix(2))) == "1")
    let closed = [market(1, 6, true, isClosed: true), market(2, 6, false, isClosed: true)]
    #expect(head(closed + [market(3, 6, false), market(4, 6, false)]) == "3")
    #expect(head(closed + [market(3, 7, true), main(9, 6)]) == "1")
  }

  @Test("Pending changes expire after 30 s, and the oldest ones are dropped above the limit")
  func bounds() {
    var store = ReferenceStore()
    store.apply(FeedText.update(FeedText.odds(1, "2"), Self.market), at: 0)
    store.apply(FeedText.update(FeedText.odds(2, "2")), at: 30_000)
    #expect(store.waiting == 3)
    store.apply(FeedText.update(), at: 30_001)
    #expect(store.waiting == 1)
    #expect(store.expired == 2)
    store.options.pendingLimit = 2
    store.apply(FeedText.update(FeedText.odds(3, "2"), FeedText.odds(4, "2")), at: 30_001)
    #expect(store.pendingChanges.map(\.change.key.id) == ["3", "4"])
  }

  @Test("A dump replaces everything, including pending changes; a recording's line is read as its message")
  func dump() {
    var store = store((1, whole + [FeedText.odds(9, "2")]))
    store.apply(#"{"receivedAt":5,"topic":"/t","message":\#(FeedText.dump(FeedText.football(200)))}"#)
    #expect(store.pictures().keys.sorted() == ["200"])
    #expect(store.waiting == 0)
    store.apply("{")
    #expect(store.unparsable == 1)
  }
}
