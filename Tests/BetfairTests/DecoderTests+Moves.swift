import OddsFeed
import OddsModel
import Testing

@testable import Betfair

// Values of a match or a market that follow from several markets or runners.
extension DecoderTests {
  @Test("The stage of a match is that of its remaining markets when a market moves to another event")
  mutating func movedMarket() {
    let inPlay = Self.definition().replacing(#""inPlay":false"#, with: #""inPlay":true"#)
    sendImage(#"{"id":"1.1","img":true,\#(inPlay)},{"id":"1.2","img":true,\#(Self.definition())}"#)
    #expect(state.match(29)?.status == .inProgress)
    let moved = inPlay.replacing(#""eventId":"29""#, with: #""eventId":"30""#)
    _ = send(#"{"op":"mcm","id":1,"pt":1001,"mc":[{"id":"1.1",\#(moved)}]}"#)
    #expect(state.match(29)?.markets.map { "\($0.id)" } == ["1.2"] && state.match(29)?.status == .pending)
    #expect(state.match(30)?.markets.map { "\($0.id)" } == ["1.1"] && state.match(30)?.status == .inProgress)
    // An image without a definition names no event.
    let closed = Self.definition(status: "CLOSED")
    _ = send(#"{"op":"mcm","id":1,"pt":1002,"mc":[{"id":"1.1","img":true,\#(closed)}]}"#)
    #expect(state.match(29)?.markets.count == 2 && state.match(30) == nil && state.match(29)?.status == .pending)
    _ = send(#"{"op":"mcm","id":1,"pt":1003,"mc":[{"id":"1.2","img":true}]}"#)
    #expect(state.match(29)?.markets.map { "\($0.id)" } == ["1.1"] && state.match(29)?.status == .ended)
    #expect(state.counters.held == 0 && state.counters.rejected == 0)
  }

  @Test("A meeting shows its first race that is not closed, and starts with it")
  mutating func meeting() {
    let start: Int64 = 1_749_225_600_000
    func race(_ number: Int, _ status: String, minute: String, type: String = "WIN") -> String {
      let definition = Self.definition(status: status).replacing("MATCH_ODDS", with: type)
        .replacing("T16:00", with: "T16:\(minute)")
      return #"{"id":"1.10\#(number)","img":true,\#(definition),"rc":[]}"#
    }
    func change(_ markets: String) -> String { #"{"op":"mcm","id":1,"pt":1001,"mc":[\#(markets)]}"# }
    sendImage([race(1, "OPEN", minute: "00"), race(2, "OPEN", minute: "30")].joined(separator: ","))
    #expect(state.match(29)?.mainMarket.map { "\($0.id)" } == "1.101" && state.match(29)?.startTime == start)
    // A later definition of another race does not change the start, and neither does a market of another type.
    _ = send(change(race(2, "OPEN", minute: "40") + "," + race(3, "OPEN", minute: "00", type: "PLACE")))
    #expect(state.match(29)?.startTime == start)
    _ = send(change(race(1, "CLOSED", minute: "00")))
    #expect(state.match(29)?.mainMarket.map { "\($0.id)" } == "1.102" && state.match(29)?.tradingStatus == .live)
    #expect(state.match(29)?.startTime == start + 40 * 60_000)
    _ = send(change(race(2, "CLOSED", minute: "40")))
    #expect(state.match(29)?.mainMarket.map { "\($0.id)" } == "1.101" && state.match(29)?.tradingStatus == .closed)
    #expect(state.match(29)?.startTime == start)
  }

  @Test("A market has no matched stakes after the removal of all traded prices")
  mutating func removedTrades() {
    func change(_ levels: String) -> String {
      #"{"op":"mcm","id":1,"pt":1001,"mc":[{"id":"1.0123","rc":[{"id":47972,"trd":\#(levels)}]}]}"#
    }
    sendImage(#"{"id":"1.0123","img":true,\#(Self.definition()),"rc":[{"id":47972,"trd":[[2,10]]}]}"#)
    #expect(state.match(29)?.markets[0].exchange?.totalMatched?.units == 100_000_000)
    _ = send(change("[[2,0]]"))
    #expect(state.match(29)?.markets[0].exchange?.totalMatched == nil)
    _ = send(change("[[2.2,5]]"))
    #expect(state.match(29)?.markets[0].exchange?.totalMatched?.units == 50_000_000)
    _ = send(change("[[2.2,0]]"))
    #expect(state.match(29)?.markets[0].exchange?.totalMatched == nil)
  }
}
