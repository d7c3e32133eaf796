import OddsFeed
import OddsModel
import Testing

@testable import Betfair

// Messages with unreadable parts.
extension DecoderTests {
  @Test("After an unreadable message, every market is locked until its image arrives")
  mutating func malformed() throws {
    let rest = #"\#(Self.definition()),"rc":[{"id":47972,"atb":[[2.5,1]]}]"#
    sendImage(#"{"id":"1.0123","img":true,\#(rest)},{"id":"1.0124","img":true,\#(rest)}"#)
    let before = state.match(29)
    let batch = send(#"{"op":"mcm","id":1,"mc":[{"id":"1.0123","img":true,"rc":[{"id":47972,"atb":[[9,1]]}]}]"#)
    #expect(batch.unparsable == 1 && batch.messages.map(\.kind) == [.update])
    #expect(state.match(29)?.tradingStatus == .locked)
    #expect(state.match(29)?.markets.map { $0.exchange?.isAwaitingImage } == [true, true])
    #expect(try backs("home") == [] && !outcome("home").isBettable && outcome("home").lastOdds?.description == "2.50")
    // A change is not an image: the rest of the market may have changed too.
    _ = send(#"{"op":"mcm","id":1,"pt":1001,"mc":[{"id":"1.0123",\#(rest)}]}"#)
    #expect(state.match(29)?.tradingStatus == .locked && outcomes().allSatisfy { !$0.isBettable })
    _ = send(#"{"op":"mcm","id":1,"pt":1002,"mc":[{"id":"1.0123","img":true,\#(rest)}]}"#)
    #expect(try state.match(29)?.tradingStatus == .live && backs("home") == ["2.50"] && outcome("home").isBettable)
    #expect(state.match(29)?.markets.map { $0.exchange?.isAwaitingImage } == [false, true])
    sendImage(#"{"id":"1.0123","img":true,\#(rest)},{"id":"1.0124","img":true,\#(rest)}"#)
    #expect(state.match(29)?.markets.map(\.isAvailable) == before?.markets.map(\.isAvailable))
  }

  @Test(
    "An unreadable change locks only its own market, until the market's next image",
    arguments: [
      #""rc":[{"id":47972,"atb":[["x",2]]}]"#, #""rc":[{"id":47972,"atb":[[3.1]]}]"#, #""rc":[{"id":47972,"atb":[7]}]"#,
      #""rc":[{"id":47972,"atb":[[2.6,-1]]}]"#, #""rc":[{"id":47972,"atb":[[2.6,null]]}]"#,
      #""rc":[{"id":47972,"atb":[[]]}]"#, #""rc":[{"id":47972,"atb":{}}]"#, #""rc":[{"id":47972,"bdatb":[[-1,2,3]]}]"#,
      #""rc":[{"id":"x","atb":[[2.5,0]]}]"#, #""rc":[{"atb":[[2.5,0]]}]"#, #""rc":[{"id":47972,"hc":{},"ltp":2}]"#,
      #""rc":[7]"#, #""rc":7"#, #""marketDefinition":7"#, #""img":1"#,
    ])
  mutating func damagedMarket(change: String) throws {
    let rest = #"\#(Self.definition()),"rc":[{"id":47972,"atb":[[2.5,1]]}]"#
    sendImage(#"{"id":"1.0123","img":true,\#(rest)},{"id":"1.0124","img":true,\#(rest)}"#)
    let batch = send(#"{"op":"mcm","id":1,"pt":1001,"mc":[{"id":"1.0123",\#(change)}]}"#)
    #expect(batch.exceptions.malformedMessages == 1)
    #expect(state.match(29)?.markets.map { $0.exchange?.isAwaitingImage } == [true, false])
    #expect(state.match(29)?.markets.map { $0.outcomes.contains(where: \.isBettable) } == [false, true])
    _ = send(#"{"op":"mcm","id":1,"pt":1002,"mc":[{"id":"1.0123","img":true,\#(rest)}]}"#)
    #expect(state.match(29)?.markets.map { $0.outcomes.contains(where: \.isBettable) } == [true, true])
  }

  @Test(
    "A change of an unknown market, or a message of an unknown kind, locks all markets",
    arguments: [
      #""mc":[{"id":7,"rc":[]}]"#, #""mc":[{"rc":[]}]"#, #""mc":[7]"#, #""mc":7"#, #""ct":7,"mc":[]"#,
      #""ct":"SUB_IMAGF","id":2,"mc":[]"#, #""segmentType":"SEGMENT","mc":[]"#, #""op":7,"mc":[]"#,
    ])
  mutating func damagedMessage(rest: String) {
    let market = #"\#(Self.definition()),"rc":[{"id":47972,"atb":[[2.5,1]]}]"#
    sendImage(#"{"id":"1.0123","img":true,\#(market)},{"id":"1.0124","img":true,\#(market)}"#)
    _ = send(#"{"op":"mcm","id":1,"pt":1001,\#(rest)}"#)
    #expect(state.match(29)?.tradingStatus == .locked && outcomes().allSatisfy { !$0.isBettable })
    #expect(state.match(29)?.markets.map { $0.exchange?.isAwaitingImage } == [true, true])
  }

  @Test("An image with a lost part removes the earlier markets, and an unreadable status counts as 503")
  mutating func damagedImage() {
    let rest = #"\#(Self.definition()),"rc":[{"id":47972,"atb":[[2.5,1]]}]"#
    sendImage(#"{"id":"1.0123","img":true,\#(rest)}"#)
    let head = #"{"op":"mcm","id":2,"pt":1001,"ct":"SUB_IMAGE","#
    _ = send(head + #""segmentType":"SEG_START","mc":[{"id":"1.0124","img":true,\#(rest)}]}"#)
    #expect(state.match(29)?.tradingStatus == .live)
    #expect(send(head + #""segmentType":"SEG","mc":["#).messages.map(\.kind) == [.dump])
    #expect(state.match(29)?.markets.map { "\($0.id)" } == ["1.0124"] && state.match(29)?.tradingStatus == .locked)
    _ = send(head + #""segmentType":"SEG_END","mc":[{"id":"1.0125","img":true,\#(rest)}]}"#)
    #expect(state.match(29)?.markets.map { $0.exchange?.isAwaitingImage } == [true, true])
    let stale = send(#"{"op":"mcm","id":2,"ct":"HEARTBEAT","status":{},"pt":1}"#)
    #expect(stale.messages[0].source == .impaired(.sourceStale))
  }

  @Test("A message with a missing segment locks all markets")
  mutating func missingPart() {
    let rest = #"\#(Self.definition()),"rc":[{"id":47972,"atb":[[2.5,1]]}]"#
    for parts in [
      [#""segmentType":"SEG_END","mc":[]"#], [#""segmentType":"SEG""#, #""segmentType":"SEG_END""#],
      [#""segmentType":"SEG_START""#, #""mc":[]"#],
    ] {
      sendImage(#"{"id":"1.0123","img":true,\#(rest)}"#)
      #expect(state.match(29)?.tradingStatus == .live)
      var batches = parts.map { send(#"{"op":"mcm","id":1,"pt":1001,\#($0)}"#) }
      #expect(state.match(29)?.tradingStatus == .locked)
      #expect(
        batches.removeFirst().exceptions.malformedMessages + (batches.last?.exceptions.malformedMessages ?? 0) > 0)
    }
  }

  @Test("A market that starts without an image is locked, except at the start of a recording without ids")
  mutating func incomplete() {
    let rest = #"\#(Self.definition()),"rc":[{"id":47972,"atb":[[2.5,1]]}]"#
    sendImage(#"{"id":"1.0123","img":true,\#(rest)}"#)
    _ = send(#"{"op":"mcm","id":1,"pt":1001,"mc":[{"id":"1.0124",\#(rest)}]}"#)
    #expect(state.match(29)?.markets.map { $0.exchange?.isAwaitingImage } == [false, true])
    let market = #"{"op":"mcm","pt":1001,"mc":[{"id":"1.0124",\#(rest)}]}"#
    let heartbeat = #"{"op":"mcm","id":2,"pt":1000,"ct":"HEARTBEAT"}"#
    for (lines, isAwaiting) in [
      ([market], false), ([market.replacing(#""pt""#, with: #""id":2,"pt""#)], true), ([heartbeat, market], true),
    ] {
      var decoder = BetfairDecoder(isRecorded: true)
      state = ChannelState()
      for line in lines.map({ Array($0.utf8) }) {
        var batch = FeedBatch()
        line.withUnsafeBufferPointer { decoder.decode($0, 0..<line.count, into: &batch) }
        state.apply(batch)
        if line == Array(lines[0].utf8) { #expect(batch.messages.map(\.kind) == [.dump]) }
      }
      #expect(state.match(29)?.markets.map { $0.exchange?.isAwaitingImage } == [isAwaiting], "\(lines)")
      #expect(state.match(29)?.tradingStatus == (isAwaiting ? .locked : .live), "\(lines)")
    }
  }

  @Test("A reopened market that was evicted by 1000 newer closed markets awaits its image")
  mutating func evictedMarket() {
    func change(_ id: String, _ status: String, isImage: Bool) -> String {
      let definition = Self.definition().replacing(#""status":"OPEN""#, with: #""status":"\#(status)""#)
      return #"{"id":"\#(id)","img":\#(isImage),\#(definition),"rc":[{"id":47972,"atb":[[2.5,1]]}]}"#
    }
    sendImage(change("1.0123", "OPEN", isImage: true))
    let others = (0...MarketIndex.closedLimit).map { change("1.9\($0)", "CLOSED", isImage: true) }
    let list = ([change("1.0123", "CLOSED", isImage: false)] + others).joined(separator: ",")
    _ = send(#"{"op":"mcm","id":1,"pt":1001,"mc":[\#(list)]}"#)
    #expect(state.match(29)?.markets.contains { "\($0.id)" == "1.0123" } == false)
    _ = send(#"{"op":"mcm","id":1,"pt":1002,"mc":[\#(change("1.0123", "OPEN", isImage: false))]}"#)
    let market = state.match(29)?.markets.first { "\($0.id)" == "1.0123" }
    #expect(market?.exchange?.isAwaitingImage == true && market?.isAvailable == false)
  }

  @Test(
    "A runner with a missing or unreadable status is not bettable",
    arguments: ["", #","status":null"#, #","status":7"#, #","status":"NEW""#])
  mutating func runnerStatus(status: String) throws {
    let first = #""sortPriority":1"#
    let changed = Self.definition().replacing(first + #","status":"ACTIVE""#, with: first + status)
    #expect(changed != Self.definition())
    sendImage(#"{"id":"1.0123","img":true,\#(changed),"rc":[{"id":47972,"atb":[[2.5,1]]},{"id":47973,"atb":[[3,1]]}]}"#)
    #expect(try !outcome("home").isBettable && outcome("home").offer?.status == .unknown)
    #expect(try outcome("away").isBettable)
  }

  @Test("A runner is not bettable if its handicap or the market's betting type is unreadable")
  mutating func damagedDefinition() throws {
    let rest = #"\#(Self.definition()),"rc":[{"id":47972,"atb":[[2.5,1]]}]"#
    for (part, replacement) in [
      (#""id":47972,"#, #""id":47972,"hc":"x","#), (#""bettingType":"ODDS""#, #""bettingType":7"#),
    ] {
      sendImage(#"{"id":"1.0123","img":true,\#(rest)}"#)
      #expect(outcomes().contains { $0.isBettable })
      let changed = Self.definition().replacing(part, with: replacement)
      #expect(changed != Self.definition())
      _ = send(#"{"op":"mcm","id":1,"pt":1001,"mc":[{"id":"1.0123",\#(changed)}]}"#)
      #expect(outcomes().allSatisfy { !$0.isBettable }, "\(replacement)")
    }
  }
}
