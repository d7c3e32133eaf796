import OddsFeed
import OddsModel
import Testing

@testable import Betfair

@Suite("A historical file without offers")
struct LastTradedTests {
  private var decoder = BetfairDecoder(isRecorded: true)
  private var state = ChannelState()

  private mutating func send(_ change: String, head: String = "") -> Outcome? {
    let line = #"{"op":"mcm",\#(head)"pt":1000,"clk":"A","mc":[{"id":"1.5",\#(change)}]}"#
    var batch = FeedBatch()
    Array(line.utf8).withUnsafeBufferPointer { decoder.decode($0, 0..<$0.count, into: &batch) }
    state.apply(batch)
    state.checkConsistency()
    return state.match(29)?.mainMarket?.outcomes.first
  }

  private static func definition(_ status: String = "OPEN", runner: String = "ACTIVE") -> String {
    #""marketDefinition":{"status":"\#(status)","bettingType":"ODDS","marketType":"MATCH_ODDS","eventId":"29","#
      + #""runners":[{"id":1,"status":"\#(runner)","sortPriority":1},{"id":2,"status":"ACTIVE","sortPriority":2}]}"#
  }

  @Test("has the prices of the last matched bets, which are not bettable")
  mutating func prices() {
    let first = send(Self.definition())
    #expect(first?.offer?.odds == nil)
    for price in ["2.50", "2.60", "2.40"] {
      let outcome = send(#""rc":[{"id":1,"ltp":\#(price)}]"#)
      #expect(outcome?.offer?.odds?.description == price && outcome?.offer?.status == .lastTraded)
      #expect(outcome?.isBettable == false && outcome?.exchange?.lastTraded?.description == price)
      #expect(outcome?.exchange?.backs.isEmpty == true && outcome?.exchange?.lays.isEmpty == true)
    }
    let market = state.match(29)?.mainMarket
    #expect(market?.outcomes.contains(where: \.isBettable) == false)
    #expect(market?.outcomes.first?.offer != nil && market?.outcomes.first?.lastOdds == nil)
    // A settled market has no price that could be taken for an offer.
    let settled = send(Self.definition("CLOSED", runner: "WINNER"))
    #expect(settled?.offer?.odds == nil && settled?.offer?.status == .resolved && settled?.lastOdds == nil)
    #expect(settled?.exchange?.lastTraded?.description == "2.40")
  }

  @Test("shows no last traded prices once an offer of the market appears")
  mutating func offers() {
    _ = send(Self.definition() + #","rc":[{"id":1,"ltp":2.5}]"#)
    let outcome = send(#""rc":[{"id":2,"atb":[[3.0,10]]}]"#)
    #expect(outcome?.offer?.odds == nil && outcome?.offer?.status == .standard && outcome?.isBettable == false)
    let offered = send(#""rc":[{"id":1,"atb":[[2.4,5]]}]"#)
    #expect(offered?.isBettable == true && offered?.lastOdds?.description == "2.40")
    // An emptied ladder still counts as an offer.
    let emptied = send(#""rc":[{"id":1,"atb":[[2.4,0]]}]"#)
    #expect(emptied?.offer?.odds == nil && emptied?.lastOdds?.description == "2.40")
  }

  @Test("is distinguished from a live stream, whose last traded price is not shown as an offer")
  mutating func live() {
    decoder = BetfairDecoder()
    let outcome = send(#""img":true,"# + Self.definition() + #","rc":[{"id":1,"ltp":2.5}]"#)
    #expect(outcome?.offer?.odds == nil && outcome?.offer?.status != .lastTraded)
  }

  @Test("is distinguished from a recorded stream, whose open markets can temporarily lack offers")
  mutating func recordedStream() {
    let image = Self.definition() + #","rc":[{"id":1,"ltp":9}]"#
    let first = send(#""img":true,"# + image, head: #""ct":"SUB_IMAGE","#)
    #expect(first?.offer?.odds == nil && first?.offer?.status == .standard && first?.isBettable == false)
    let traded = send(#""rc":[{"id":1,"ltp":8}]"#)
    #expect(traded?.offer?.odds == nil && traded?.exchange?.lastTraded?.description == "8.00")
  }

  @Test("has prices that do not count as an outcome's last odds")
  func lastOdds() {
    let odds = DecimalOdds(units: 25_000_000)
    func outcome(_ status: OfferStatus) -> Outcome {
      Outcome(id: 1, name: "Ajax", offer: BettingOffer(id: 1, odds: odds, status: status))
    }
    #expect(outcome(.lastTraded).lastOdds == nil && outcome(.suspended).lastOdds == odds)
  }
}
