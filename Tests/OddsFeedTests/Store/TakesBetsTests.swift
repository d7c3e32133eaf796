import OddsFeed
import OddsModel
import TestSupport
import Testing

/// The conditions of a match and of a market under which outcomes are bettable.
struct TakesBetsTests {
  private var state = ChannelState()

  init() { state.tracksParts = true }

  private mutating func apply(_ message: String) -> FeedChanges { state.apply(.of(message)) }

  /// Returns the states of market 110 and its outcomes: true if bettable, as a part of a match and on their own.
  private mutating func bettable(in match: MatchID = 100) -> Set<Bool> {
    let market = state.match(match)?.markets.first { $0.id == 110 }
    let own = state.market(110)
    let outcome = state.outcome(111)
    return Set((market?.outcomes ?? []).map(\.isBettable)).union([own?.takesBets ?? true, outcome?.isBettable ?? true])
  }

  @Test("When a match ends or is open again, its markets and outcomes are reported, and no other ones")
  mutating func status() {
    _ = apply(FeedText.dump(FeedText.football(100), FeedText.football(200)))
    #expect(bettable() == [true])
    for (status, isBettable) in [(3, false), (2, true), (3, false), (99, true)] {
      let changes = apply(FeedText.update(FeedText.change("MATCH", 100, #""statusId":"\#(status)""#)))
      #expect(changes.matches.sorted() == [100] && changes.markets.sorted() == [110], "\(status)")
      #expect(changes.outcomes.sorted() == [111, 112, 113], "\(status)")
      #expect(bettable() == [isBettable], "\(status)")
    }
    let changes = apply(FeedText.update(FeedText.change("MATCH", 100, #""name":"New""#)))
    #expect(changes.matches.sorted() == [100] && changes.markets.isEmpty && changes.outcomes.isEmpty)
  }

  @Test("A match that has ended has no bettable outcome, whether it arrives before or after its market")
  mutating func order() {
    let ended = FeedText.football().replacing(#""statusId":"2""#, with: #""statusId":"3""#)
    _ = apply(FeedText.dump(ended))
    #expect(bettable() == [false])
    _ = apply(FeedText.dump(FeedText.football().replacing(#""MATCH","id":"100""#, with: #""SPORT","id":"1""#)))
    let match = #"{"_type":"MATCH","id":"100","name":"A - B","statusId":"3"}"#
    _ = apply(FeedText.update(FeedText.create("MATCH", 100, match)))
    #expect(bettable() == [false])
  }

  @Test("A market that moves to another match takes bets unless that match is over")
  mutating func moved() {
    _ = apply(FeedText.dump(FeedText.football(100), FeedText.football(200)))
    _ = apply(FeedText.update(FeedText.change("MATCH", 100, #""statusId":"3""#)))
    _ = apply(FeedText.update(FeedText.change("MARKET", 110, #""eventId":"200""#)))
    #expect(bettable(in: 200) == [true])
    _ = apply(FeedText.update(FeedText.change("MARKET", 110, #""eventId":"100""#)))
    #expect(bettable() == [false])
  }

  private static let exchangeChanges: [(kind: RecordKind, field: RecordField, closed: FieldValue, open: FieldValue)] = [
    (.exchangeMarket, .status, .integer(3), .integer(2)),
    (.exchangeMarket, .isAwaitingImage, .flag(true), .flag(false)), (.match, .status, .integer(3), .integer(2)),
  ]

  @Test("An exchange takes bets only while its market is open with an image and its match is not over")
  mutating func exchange() throws {
    var batch = FeedBatch()
    batch.appendMessage(.dump) { batch in
      batch.appendRecord(.match, id: 1) { $0.set(.status, .integer(2)) }
      batch.appendRecord(.market, id: 10) { $0.set(.matchID, .id(1)) }
      batch.appendRecord(.exchangeMarket, id: 10) { $0.set(.status, .integer(2)) }
      batch.appendRecord(.outcome, id: 21) { $0.set(.marketID, .id(10)) }
      batch.appendRecord(.bettingOffer, id: 21) { batch in
        batch.set(.outcomeID, .id(21))
        batch.set(.odds, .fixed(2 * DecimalOdds.unitsPerOne))
      }
    }
    state.apply(batch)
    for change in Self.exchangeChanges {
      for (value, isOpen) in [(change.closed, false), (change.open, true)] {
        batch.removeAll()
        batch.appendMessage(.update) { batch in
          let id: UInt64 = change.kind == .match ? 1 : 10
          batch.appendRecord(change.kind, .update, id: id) { $0.set(change.field, value) }
        }
        let changes = state.apply(batch)
        #expect(Array(changes.matches) == [1] && Array(changes.outcomes) == [21], "\(change.field)")
        let match = state.match(1)
        let market = try #require(match?.markets.first)
        #expect(market.takesBets == isOpen && market.outcomes[0].isBettable == isOpen, "\(change.field)")
        #expect(market.takesBets(on: market.outcomes[0]) == isOpen, "\(change.field)")
        // A suspended price is not one that may be out of date.
        let isSuspended = change.kind == .exchangeMarket && change.field == .status
        #expect(market.isDoubtful(market.outcomes[0]) == (!isOpen && !isSuspended), "\(change.field)")
      }
    }
  }
}
