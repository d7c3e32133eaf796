import OddsFeed
import OddsModel
import TestSupport
import Testing

@testable import OddsFeed

/// The records of an exchange in the store.
struct ExchangeStateTests {
  private static let one = DecimalOdds.unitsPerOne

  /// Appends a match with one market and two outcomes, of which the first has prices.
  private static func appendBook(to batch: inout FeedBatch, currency: Int64 = 0x474250) {
    batch.appendRecord(.match, id: 1) { $0.set(.name, text: "Ajax v Porto".utf8) }
    batch.appendRecord(.market, id: 10) { $0.set(.matchID, .id(1)) }
    batch.appendRecord(.exchangeMarket, id: 10) { batch in
      batch.set(.status, .integer(2))
      batch.set(.isInPlay, .flag(true))
      batch.set(.betDelay, .integer(5))
      batch.set(.winnerCount, .integer(1))
      batch.set(.currency, .integer(currency))
      batch.set(.totalMatched, .fixed(900 * one))
    }
    for id: UInt64 in [21, 22] {
      batch.appendRecord(.outcome, id: id) { $0.set(.marketID, .id(10)) }
    }
    batch.appendRecord(.bettingOffer, id: 21) { batch in
      batch.set(.outcomeID, .id(21))
      batch.set(.odds, .fixed(2 * one))
    }
    batch.appendRecord(.exchangePrices, id: 21) { batch in
      batch.set(.backPrice1, .fixed(2 * one))
      batch.set(.backSize1, .fixed(120 * one))
      batch.set(.backPrice3, .fixed(19_000_000))
      batch.set(.backSize3, .fixed(7 * one))
      batch.set(.layPrice1, .fixed(20_200_000))
      batch.set(.laySize1, .fixed(33 * one))
      batch.set(.lastTraded, .fixed(2 * one))
      batch.set(.matched, .fixed(500 * one))
    }
  }

  private func state(_ build: (inout FeedBatch) -> Void) -> ChannelState {
    var (state, batch) = (ChannelState(), FeedBatch())
    batch.appendMessage(.dump) { build(&$0) }
    state.apply(batch)
    state.checkConsistency()
    return state
  }

  @Test("The exchange's fields do not enlarge the records and values of fixed-odds feeds")
  func sizes() {
    #expect(MemoryLayout<OfferNode>.stride == 56 && MemoryLayout<OutcomeNode>.stride == 64)
    #expect(MemoryLayout<MarketNode>.stride == 64 && MemoryLayout<FeedBatch.Record>.stride == 24)
    #expect(MemoryLayout<BettingOffer>.stride == 40 && MemoryLayout<Outcome>.stride == 96)
    #expect(MemoryLayout<Market>.stride <= 80)
  }

  @Test("A market and its outcomes have the state and the best prices of the exchange, with amounts in its currency")
  mutating func book() throws {
    var state = state { Self.appendBook(to: &$0) }
    let market = try #require(state.match(1)?.markets.first)
    let exchange = try #require(market.exchange)
    #expect(exchange.status == .open && exchange.isInPlay && exchange.betDelay == 5 && exchange.winnerCount == 1)
    #expect(exchange.totalMatched == Amount(units: 900 * Self.one, currency: Currency("GBP")))
    let outcome = market.outcomes[0]
    let prices = try #require(outcome.exchange)
    #expect(prices.backs.map { $0.odds?.description } == ["2.00", "1.90"])
    #expect(prices.backs.map(\.level) == [0, 1] && prices.backs.allSatisfy { $0.side == .back })
    #expect(prices.lays.map(\.side) == [.lay] && prices.lays[0].size?.units == 33 * Self.one)
    #expect(prices.lastTraded?.description == "2.00" && prices.matched?.currency?.description == "GBP")
    #expect(outcome.isBettable && outcome.offer?.side == .back && outcome.offer?.size?.units == 120 * Self.one)
    #expect(market.outcomes[1].exchange == nil && market.outcomes[1].offer == nil)
  }

  @Test("Changes of prices and market state and the removal of the market are reported as changes of the match")
  mutating func changes() throws {
    var state = state { Self.appendBook(to: &$0) }
    state.tracksParts = true
    var batch = FeedBatch()
    batch.appendMessage(.update) {
      $0.appendRecord(.exchangePrices, .update, id: 21) { $0.set(.layPrice1, .null) }
    }
    let touched = state.apply(batch)
    #expect(Array(touched.matches) == [1] && Array(touched.outcomes) == [21])
    #expect(state.outcome(21)?.exchange?.lays == [])
    batch.removeAll()
    batch.appendMessage(.update) {
      $0.appendRecord(.exchangeMarket, .update, id: 10) { $0.set(.status, .integer(3)) }
    }
    #expect(Set(state.apply(batch).outcomes) == [21, 22])
    #expect(state.match(1)?.tradingStatus == .suspended)
    batch.removeAll()
    batch.appendMessage(.update) { $0.appendRecord(.market, .delete, id: 10) { _ in } }
    #expect(Array(state.apply(batch).matches) == [1])
    #expect(!state.hasRecord(.exchangeMarket, 10) && !state.hasRecord(.exchangePrices, 21))
    state.checkConsistency()
  }

  /// Returns the best lay price of a book after a change.
  private func lay(after change: (inout FeedBatch) -> Void) throws -> BettingOffer {
    var state = state { Self.appendBook(to: &$0) }
    var batch = FeedBatch()
    batch.appendMessage(.update) { change(&$0) }
    state.apply(batch)
    let match = state.match(1)
    return try #require(match?.markets.first?.outcomes.first?.exchange?.lays.first)
  }

  @Test("Lay prices have the status of the outcome's offer, and are available only while bets are accepted")
  func ladderStatus() throws {
    let open = try lay { _ in }
    #expect(open.status == .standard && open.isAvailable)
    let states: [(RecordKind, RecordField, FieldValue)] = [
      (.exchangeMarket, .status, .integer(3)), (.exchangeMarket, .isAwaitingImage, .flag(true)),
      (.market, .isAvailable, .flag(false)), (.bettingOffer, .isAvailable, .flag(false)),
      (.match, .status, .integer(3)),
    ]
    for (kind, field, value) in states {
      let ids: [RecordKind: UInt64] = [.match: 1, .bettingOffer: 21]
      let offer = try lay { $0.appendRecord(kind, .update, id: ids[kind] ?? 10) { $0.set(field, value) } }
      #expect(!offer.isAvailable && offer.status == .standard && offer.odds?.description == "2.02", "\(field)")
    }
    let removed = try lay { $0.appendRecord(.bettingOffer, .update, id: 21) { $0.set(.status, .integer(4)) } }
    #expect(removed.status == .removed)
    let withoutOffer = try lay { $0.appendRecord(.bettingOffer, .delete, id: 21) { _ in } }
    #expect(withoutOffer.status == .unknown)
  }

  @Test("A store's dump contains the exchange's records, and applying it restores an equal match")
  mutating func dump() throws {
    var state = state { Self.appendBook(to: &$0) }
    var (batch, other) = (FeedBatch(), ChannelState())
    state.appendDump(to: &batch)
    other.apply(batch)
    #expect(state.match(1) != nil && other.match(1) == state.match(1))
  }

  @Test("A market with an unreadable or unknown status is suspended, and one without an image is locked")
  mutating func status() throws {
    for value in [FieldValue.integer(77), .wrongType, .null] {
      var state = state { batch in
        Self.appendBook(to: &batch)
        batch.appendRecord(.exchangeMarket, id: 10) { $0.set(.status, value) }
      }
      #expect(state.match(1)?.tradingStatus == .suspended)
    }
    var state = state { batch in
      Self.appendBook(to: &batch)
      batch.appendRecord(.exchangeMarket, id: 10) { batch in
        batch.set(.status, .integer(2))
        batch.set(.isAwaitingImage, .flag(true))
      }
    }
    #expect(state.match(1)?.tradingStatus == .locked)
  }

  @Test("A source that is not live makes a channel delayed, with the provider's reason, until it is live again")
  func source() async throws {
    let store = ChannelStore(topic: Topic(path: "t"), line: ConnectionUpdate(connection: .live, pulse: .sound))
    var batch = FeedBatch()
    batch.appendMessage(.dump) { Self.appendBook(to: &$0) }
    batch.messages[0].source = .impaired(.sourceStale)
    await store.apply(batch, at: 5)
    #expect(await store.freshness == Freshness(.delayed, since: 5, cause: .sourceStale))
    batch.removeAll()
    batch.appendMessage(.update) { _ in }
    await store.apply(batch, at: 6)
    #expect(await store.freshness.cause == .sourceStale)
    batch.messages[0].source = .live
    await store.apply(batch, at: 7)
    #expect(await store.freshness.grade == .live)
  }

  @Test("A currency is two to four capital letters")
  func currency() {
    #expect(Currency("USDC")?.description == "USDC" && Currency("GBP")?.description == "GBP")
    #expect(Currency("gbp") == nil && Currency("") == nil && Currency("EUROS") == nil && Currency("É") == nil)
  }
}
