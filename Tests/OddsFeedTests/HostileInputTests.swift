import OddsFeed
import TestSupport
import Testing

/// What no feed should send, and somebody will.
struct HostileInputTests {
  private var state = ChannelState()

  private mutating func send(_ bytes: [UInt8]) {
    var batch = FeedBatch()
    var decoder = MessageDecoder()
    let subscription = Subscription(topic: Topic(path: "/test"), generation: 1)
    decoder.decode(TransportFrame(subscription: subscription, bytes: bytes), into: &batch)
    state.apply(batch)
    state.checkConsistency()
  }

  private mutating func send(_ text: String) { send(Array(text.utf8)) }

  private mutating func price() -> String? { state.match(100)?.mainMarket?.outcomes[0].offer?.odds?.description }

  @Test(
    "Numbers of any size are exact or set aside",
    arguments: [
      (String(repeating: "9", count: 400), "2.45"), ("1e400", "2.45"), ("-1e-400", "2.45"), ("-2", "2.45"),
      ("1" + String(repeating: "0", count: 18), "2.45"), ("900000.1234567", "900000.1234567"),
      ("0.0000012e6", "1.20"), ("1.\(String(repeating: "0", count: 300))9", "1.00"), ("NaN", "2.45"),
      ("Infinity", "2.45"), ("0x10", "2.45"), ("1e-9223372036854775808", "2.45"),
    ])
  mutating func numbers(odds: String, shown: String) {
    send(FeedText.dump(FeedText.football()))
    send(FeedText.update(FeedText.odds(121, odds)))
    #expect(price() == shown)
    #expect(state.counters.setAside == (shown == "2.45" ? 1 : 0))
  }

  @Test(
    "Times and codes at the ends of their range neither stop the program nor pass for others",
    arguments: ["9223372036854775807", "-9223372036854775808", "-1", "0", "18446744073709551616"])
  mutating func extremes(number: String) {
    send(FeedText.dump(FeedText.football()))
    let offer = FeedText.change("BETTING_OFFER", 121, #""lastChangedTime":\#(number),"statusId":\#(number)"#)
    let match = FeedText.change("MATCH", 100, #""startTime":\#(number),"statusId":\#(number)"#)
    let info = #"{"eventId":"100","typeId":"1","paramFloat1":\#(number),"paramFloat2":\#(number)}"#
    var batch = FeedBatch.of(FeedText.update(offer, match, FeedText.create("EVENT_INFO", 7, info)))
    state.apply(batch, at: .max)
    batch = FeedBatch.of(#"{"receivedAt":\#(number),"message":\#(FeedText.update(FeedText.odds(122, "2")))}"#)
    state.apply(batch, at: .min)
    state.checkConsistency()
    #expect(state.match(100)?.mainMarket?.outcomes[1].offer?.odds?.description == "2.00")
  }

  @Test("A line of 100 MB is read once, in time that goes with its length, whatever is in it")
  mutating func longLines() {
    send(FeedText.dump(FeedText.football()))
    let size = 100_000_000
    for filling in [UInt8(ascii: "x"), UInt8(ascii: "["), UInt8(ascii: "\\"), 0] {
      var line = Array(#"{"junk":""#.utf8)
      line += [UInt8](repeating: filling, count: size)
      send(line)
    }
    #expect(state.counters.unparsable == 4)
    var line = Array(#"{"junk":""#.utf8)
    line += [UInt8](repeating: UInt8(ascii: "x"), count: size)
    line += Array(#"","records":[\#(FeedText.odds(121, "3"))]}"#.utf8)
    send(line)
    #expect(price() == "3.00")
  }

  @Test("NUL bytes, invalid UTF-8 and broken escapes stand in names as U+FFFD and break nothing else")
  mutating func bytes() {
    var message = Array(#"{"records":[{"changeType":"CREATE","entityType":"MATCH","id":"5","entity":{"name":""#.utf8)
    message += [0x41, 0xC3, 0x28, 0xFF, 0x00, 0xED, 0xA0, 0x80] + Array(#"\uD800"}}]}"#.utf8)
    send(message)
    #expect(state.match(5)?.name.hasPrefix("A\u{FFFD}(\u{FFFD}\0") == true)
    send([0] + Array(FeedText.dump().utf8))
    send([0xEF, 0xBB, 0xBF] + Array(FeedText.dump().utf8))
    #expect(state.counters.unparsable == 2)
  }

  @Test("Of a key that comes twice the last counts")
  mutating func duplicateKeys() {
    send(FeedText.dump(FeedText.football()))
    send(FeedText.update(FeedText.change("BETTING_OFFER", 121, #""odds":9,"odds":"x","odds":3"#)))
    #expect(price() == "2.45")
    send(FeedText.update(FeedText.change("BETTING_OFFER", 121, #""odds":9,"odds":3"#)))
    #expect(price() == "3.00")
    send(#"{"records":[],"records":[\#(FeedText.odds(121, "4"))],"messageType":"NEWS","messageType":"UPDATE"}"#)
    #expect(price() == "4.00")
  }

  @Test(
    "A thousand siblings in falling order, and ten thousand orphans, take no time to speak of and no more than may wait"
  )
  mutating func manyChildren() {
    let markets = (0..<1000).map { FeedText.create("MARKET", 5000 - $0, #"{"eventId":"100"}"#) }
    send(FeedText.update(FeedText.create("MATCH", 100, "{}")))
    for market in markets { send(FeedText.update(market)) }
    #expect(state.match(100)?.markets.map { Int("\($0.id)")! } == Array(4001...5000))
    let orphans = (0..<30_000).map {
      FeedText.create("BETTING_OFFER", 10_000 + $0, #"{"outcomeId":"\#(90_000 + $0)"}"#)
    }
    state.apply(
      .lines(
        stride(from: 0, to: orphans.count, by: 100).map { at in
          #"{"records":[\#(orphans[at..<at + 100].joined(separator: ","))]}"#
        }))
    state.checkConsistency()
    #expect(state.counters.waiting == 10_000 && state.counters.expired == 20_000)
  }
}
