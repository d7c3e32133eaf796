import OddsFeed
import OddsModel
import Testing

@testable import Polymarket

@Suite("The prices of a token")
struct BookTests {
  static let image = """
    [{"market":"0xc0","bids":[{"price":".30","size":"100"},{"price":".48","size":"30"}],
      "asks":[{"price":".99","size":"5"},{"price":".52","size":"25"}],"asset_id":"11","timestamp":"1769383800001",
      "hash":"0xa1","event_type":"book"}]
    """

  func change(
    _ price: String, _ size: String, _ side: String, hash: String = "h", time: Int = 1_769_383_800_002
  ) -> String {
    """
    {"market":"0xc0","price_changes":[{"asset_id":"11","price":"\(price)","size":"\(size)","side":"\(side)",
     "hash":"\(hash)","best_bid":"","best_ask":""}],"timestamp":"\(time)","event_type":"price_change"}
    """
  }

  var reader: Reader { Reader([Sample.game]) }

  @Test("are the best levels of the image, which lists the worst first: asks to back, bids to lay")
  func image() throws {
    var reader = reader
    reader.read(Self.image)
    let outcome = try #require(reader.outcome(5010))
    #expect(outcome.offer?.odds?.description == "1.9230769" && outcome.offer?.side == .back)
    #expect(
      outcome.exchange?.backs.map { "\($0.odds!) \($0.size!.units)" } == ["1.9230769 130000000", "1.010101 49500000"])
    #expect(
      outcome.exchange?.lays.map { "\($0.odds!) \($0.size!.units)" } == ["2.0833333 144000000", "3.3333333 300000000"])
    #expect(outcome.exchange?.backs.first?.size?.currency?.description == "USDC")
    #expect(outcome.offer?.lastChanged == 1_769_383_800_001)
  }

  @Test("do not exist before an image, despite changes, and their market is locked")
  func early() throws {
    var reader = reader
    reader.read(change("0.5", "10", "SELL"))
    #expect(reader.outcome(5010)?.offer == nil && reader.match()?.tradingStatus == .locked)
    reader.read(Self.image)
    #expect(reader.outcome(5010)?.offer != nil && reader.match()?.tradingStatus == .locked)
    reader.read(Self.image.replacing("\"11\"", with: "\"12\""))
    #expect(reader.match()?.tradingStatus == .live)
  }

  @Test("change with each level, a size of 0 removes it, and a changed level need not be the best")
  func changes() {
    var reader = reader
    reader.read(Self.image)
    reader.read(change("0.90", "7", "SELL", hash: "1"))
    #expect(reader.outcome(5010)?.offer?.odds?.description == "1.9230769")
    reader.read(change("0.50", "7", "SELL", hash: "2"))
    #expect(reader.outcome(5010)?.offer?.odds?.description == "2.00")
    reader.read(change("0.50", "0", "SELL", hash: "3"))
    #expect(reader.outcome(5010)?.offer?.odds?.description == "1.9230769")
  }

  @Test("are not reverted by a repeated update")
  func repetitions() {
    var reader = reader
    reader.read(Self.image)
    reader.read(change("0.50", "7", "SELL", hash: "1"))
    reader.read(change("0.50", "0", "SELL", hash: "2"))
    reader.read(change("0.50", "7", "SELL", hash: "1"))
    reader.read(Self.image)
    #expect(reader.outcome(5010)?.offer?.odds?.description == "1.9230769")
    reader.read(change("0.52", "0", "SELL", hash: "3"))
    reader.read(Self.image)
    #expect(reader.outcome(5010)?.offer?.odds?.description == "1.010101")
  }

  @Test("are not reverted by a change or an image older than the book's image")
  func older() {
    var reader = reader
    reader.read(Self.image)
    reader.read(change("0.50", "7", "SELL", hash: "old", time: 1_769_383_800_000))
    reader.read(
      Self.image.replacing(".52", with: ".51").replacing("0xa1", with: "0xa0").replacing("800001", with: "800000"))
    #expect(reader.outcome(5010)?.offer?.odds?.description == "1.9230769")
    // A change of the same millisecond can be later.
    reader.read(change("0.50", "7", "SELL", hash: "new", time: 1_769_383_800_001))
    #expect(reader.outcome(5010)?.offer?.odds?.description == "2.00")
  }

  @Test("to lay keep the outcome's status if there is no price to back")
  func oneSided() {
    var reader = reader
    reader.read(Self.image)
    for price in ["0.52", "0.99"] { reader.read(change(price, "0", "SELL", hash: price)) }
    let outcome = reader.outcome(5010)
    #expect(outcome?.exchange?.lays.first?.odds?.description == "2.0833333")
    #expect(outcome?.offer?.status == .standard && outcome?.offer?.odds == nil && outcome?.isBettable == false)
    var suspended = Sample.game
    suspended.markets[0].takesOrders = false
    reader.read(SessionMessage.changed([suspended], removed: []))
    #expect(reader.outcome(5010)?.offer == nil && reader.outcome(5010)?.exchange == nil)
  }

  @Test(
    "of all tokens are unknown after an update without a valid token",
    arguments: [
      #"{"event_type":"price_change","timestamp":"1769383800002"}"#,
      #"{"event_type":"price_change","price_changes":{"asset_id":"11"}}"#,
      #"{"event_type":"price_change","price_changes":[{"price":"0.5","size":"1","side":"BUY"}]}"#,
      #"{"event_type":"price_change","price_changes":[{"asset_id":11,"price":"0.5","size":"1","side":"BUY"}]}"#,
      #"{"event_type":"price_change","price_changes":[7]}"#, #"{"event_type":"book","bids":[],"asks":[]}"#,
      #"{"event_type":"tick_size_change","new_tick_size":"0.001"}"#, #"{"event_type":"market_resolved"}"#,
      #"{"event_type":"market_resolved","assets_ids":["11x","x"]}"#,
      #"{"event_type":"market_resolved","assets_ids":7}"#,
      #"{"price_changes":[{"asset_id":"11","price":"0.5","size":"1","side":"BUY"}]}"#, "[7]", "7", "[{",
    ])
  func unknownToken(text: String) {
    var reader = reader
    for id in ["11", "12"] { reader.read(Self.image.replacing("\"11\"", with: "\"\(id)\"")) }
    #expect(reader.match()?.tradingStatus == .live)
    reader.read(text)
    #expect(reader.match()?.tradingStatus == .locked)
    for id: UInt64 in [5010, 5011] {
      #expect(reader.outcome(id)?.isBettable == false && reader.outcome(id)?.exchange == nil)
    }
    #expect(reader.unparsable + reader.exceptions.malformedMessages + reader.exceptions.malformedRecords == 1)
    var summaries = MarketEventReader()
    #expect(Array(text.utf8).withUnsafeBufferPointer { MarketSummary($0, &summaries) } == nil)
  }

  @Test(
    "of all tokens are unknown after a session message with an unreadable list",
    arguments: [
      #"{"event_type":"withdrawn"}"#, #"{"event_type":"withdrawn","assets_ids":["11",7]}"#,
      #"{"event_type":"withdrawn","assets_ids":"11"}"#, #"{"event_type":"events_changed","removed":["x"]}"#,
      #"{"event_type":"events_changed","removed":7}"#, #"{"event_type":"events_changed","events":[7]}"#,
      #"{"event_type":"events_changed","events":{}}"#,
    ])
  func unreadableList(text: String) {
    var reader = reader
    for id in ["11", "12"] { reader.read(Self.image.replacing("\"11\"", with: "\"\(id)\"")) }
    reader.read(text)
    #expect(reader.match()?.tradingStatus == .locked && reader.exceptions.malformedMessages == 1)
    #expect([5010, 5011].allSatisfy { reader.outcome($0)?.isBettable == false && reader.outcome($0)?.exchange == nil })
  }

  @Test("are unknown after a tick size change until the next image, even an identical one")
  func tickSize() {
    var reader = reader
    reader.read(Self.image)
    reader.read(#"{"event_type":"tick_size_change","asset_id":"11","old_tick_size":"0.01","new_tick_size":"0.001"}"#)
    #expect(reader.outcome(5010)?.offer?.odds == nil && reader.outcome(5010)?.exchange == nil)
    #expect(reader.outcome(5010)?.lastOdds?.description == "1.9230769")
    reader.read(change("0.50", "7", "SELL"))
    #expect(reader.outcome(5010)?.offer?.odds == nil && reader.outcome(5010)?.isBettable == false)
    reader.read(Self.image)
    #expect(reader.outcome(5010)?.offer?.odds?.description == "1.9230769")
  }

  @Test("are not shown while the book is crossed")
  func crossed() {
    var reader = reader
    reader.read(Self.image)
    reader.read(change("0.60", "7", "BUY", hash: "1"))
    #expect(reader.outcome(5010)?.offer?.odds == nil && reader.outcome(5010)?.exchange == nil)
    reader.read(change("0.60", "0", "BUY", hash: "2"))
    #expect(reader.outcome(5010)?.offer?.odds?.description == "1.9230769")
  }

  @Test("end when the market is resolved, even if Gamma does not report it yet")
  func resolved() {
    var reader = reader
    for id in ["11", "12"] { reader.read(Self.image.replacing("\"11\"", with: "\"\(id)\"")) }
    reader.read(#"{"event_type":"market_resolved","assets_ids":["11","12"],"winning_asset_id":"11"}"#)
    #expect(reader.match()?.tradingStatus == .closed && reader.outcome(5010)?.offer == nil)
    reader.read(SessionMessage.changed([Sample.game], removed: []))
    reader.read(Self.image.replacing("0xa1", with: "0xa2"))
    #expect(reader.match()?.tradingStatus == .closed && reader.outcome(5010)?.offer == nil)
  }

  @Test("of a resolved market return after an earlier dump, as when a recording is rewound")
  func rewound() {
    var reader = reader
    reader.read(#"{"event_type":"market_resolved","assets_ids":["11","12"],"winning_asset_id":"11"}"#)
    #expect(reader.match()?.tradingStatus == .closed)
    reader.read(SessionMessage.events([Sample.game]))
    #expect(reader.match()?.tradingStatus == .locked)
    for id in ["11", "12"] { reader.read(Self.image.replacing("\"11\"", with: "\"\(id)\"")) }
    #expect(reader.match()?.tradingStatus == .live)
  }

  @Test("of a game that can be drawn are in one market with three outcomes")
  func threeResults() throws {
    var reader = Reader([Sample.footballGame])
    let market = try #require(reader.match(Sample.footballGame.id)?.mainMarket)
    #expect(market.outcomes.map(\.key) == ["home", "draw", "away"])
    #expect(market.outcomes.map(\.id.raw) == [6010, 6020, 6030])
    for id in ["41", "51", "61"] { reader.read(Self.image.replacing("\"11\"", with: "\"\(id)\"")) }
    let match = try #require(reader.match(Sample.footballGame.id))
    #expect(match.tradingStatus == .live && match.mainMarket?.outcomes.allSatisfy(\.isBettable) == true)
    #expect(match.score == Score(home: 0, away: 1) && match.minute == 81 && match.status == .inProgress)
  }
}

@Suite("The conversion of share prices into odds")
struct QuotationLawTests {
  @Test("is lossless: every price of every tick size can be recovered from its odds")
  func roundTrip() {
    for ticks in 1..<10_000 as Range<Int64> {
      let price = ticks * 1000
      let odds = Quotation.odds(of: price)
      let again = (Double(10_000_000) * 10_000_000 / Double(odds) / 1000).rounded() * 1000
      #expect(Int64(again) == price)
      #expect(odds > DecimalOdds.unitsPerOne)
      // The probability that the board shows is the price itself.
      if ticks % 10 == 0 { #expect(OddsFormat.implied.figure(of: DecimalOdds(units: odds)) == .perMille(ticks / 10)) }
    }
  }

  @Test("reverses the order of prices, so the lowest ask has the highest odds to back")
  func order() {
    for ticks in 1..<9_999 as Range<Int64> {
      #expect(Quotation.odds(of: ticks * 1000) > Quotation.odds(of: ticks * 1000 + 1000))
    }
  }

  @Test("gives the backer's stake as the amount, without overflow")
  func stakes() {
    #expect(Quotation.stake(of: .init(price: 5_000_000, size: 30_000_000)) == 15_000_000)
    #expect(Quotation.stake(of: .init(price: 9_999_999, size: .max)) == 9_223_371_114_517_572_121)
  }
}
