import TestSupport
import Testing

@testable import EveryMatrix
@testable import OddsFeed
@testable import OddsModel

/// Messages that no feed should send.
@Suite(.timeLimit(.minutes(45)))
struct HostileInputTests {
  private var state = ChannelState()

  private mutating func send(_ bytes: [UInt8]) {
    sendOne(bytes)
    state.checkConsistency()
  }

  /// Sends without a consistency check, which would take too long on a large channel.
  private mutating func sendOne(_ text: String) { sendOne(Array(text.utf8)) }

  private mutating func sendOne(_ bytes: [UInt8]) {
    var batch = FeedBatch()
    var decoder = MessageDecoder()
    let subscription = Subscription(topic: Topic(path: "/test"), generation: 1)
    decoder.decode(TransportFrame(subscription: subscription, bytes: bytes), into: &batch)
    state.apply(batch)
  }

  private mutating func send(_ text: String) { send(Array(text.utf8)) }

  private mutating func price() -> String? { state.match(100)?.mainMarket?.outcomes[0].offer?.odds?.description }

  @Test(
    "Numbers of any size are read exactly or rejected, and a rejected number leaves no price",
    arguments: [
      (String(repeating: "9", count: 400), nil), ("1e400", nil), ("-1e-400", nil), ("-2", nil),
      ("1" + String(repeating: "0", count: 18), nil), ("922337203685.4775807", nil),
      ("900000.1234567", "900000.1234567"),
      ("0.0000012e6", "1.20"), ("1.\(String(repeating: "0", count: 300))9", "1.00"), ("NaN", nil),
      ("Infinity", nil), ("0x10", nil), ("1e-9223372036854775808", nil),
    ] as [(String, String?)])
  mutating func numbers(odds: String, shown: String?) {
    send(FeedText.dump(FeedText.football()))
    send(FeedText.update(FeedText.odds(121, odds)))
    #expect(price() == shown)
    #expect(state.counters.rejected == (shown == nil ? 1 : 0))
  }

  @Test(
    "Times and codes at the limits of their range neither crash nor affect other records",
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

  @Test("Of a message within a message only the inner one is read, in any order of the keys")
  mutating func nested() {
    send(FeedText.dump(FeedText.football()))
    let records = #""records":[\#(FeedText.odds(121, "3"))]"#
    let inner = #""message":{"records":[\#(FeedText.odds(122, "4"))]}"#
    for keys in [[records, inner, #""messageType":"UPDATE""#], [inner, records], [inner, inner, records]] {
      send("{\(keys.joined(separator: ","))}")
    }
    #expect(state.counters.messages == 4 && state.counters.oddsUpdates == 3)
    #expect(price() == "2.45")
  }

  @Test("In a dump every record is created, whatever its changeType")
  mutating func changesInDumps() {
    let match = #"{"_type":"MATCH","id":"5","name":"A - B","changeType":"UPDATE"}"#
    send(FeedText.dump(match, #"{"_type":"MATCH","id":"6","changeType":"GONE"}"#))
    #expect(Set(state.matchIDs) == [5, 6])
  }

  @Test("Long names are truncated, and records with too long ids are rejected")
  mutating func longTexts() {
    let long = String(repeating: "é", count: 100_000)
    send(FeedText.dump(#"{"_type":"MATCH","id":"5","name":"\#(long)"}"#, #"{"_type":"MATCH","id":"\#(long)"}"#))
    #expect(state.match(5)?.name.utf8.count == 1024)
    #expect(state.counters.rejected == 1)
  }

  @Test("A line of 100 MB is read once, in linear time, with any content")
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

  @Test("In names, invalid UTF-8 becomes U+FFFD and NUL bytes are kept; nothing else is affected")
  mutating func bytes() {
    var message = Array(#"{"records":[{"changeType":"CREATE","entityType":"MATCH","id":"5","entity":{"name":""#.utf8)
    message += [0x41, 0xC3, 0x28, 0xFF, 0x00, 0xED, 0xA0, 0x80] + Array(#"\uD800"}}]}"#.utf8)
    send(message)
    #expect(state.match(5)?.name.hasPrefix("A\u{FFFD}(\u{FFFD}\0") == true)
    send([0] + Array(FeedText.dump().utf8))
    send([0xEF, 0xBB, 0xBF] + Array(FeedText.dump().utf8))
    #expect(state.counters.unparsable == 1)
    #expect(state.counters.byteOrderMarks == 1)
  }

  @Test("The last value of a duplicate key counts")
  mutating func duplicateKeys() {
    send(FeedText.dump(FeedText.football()))
    send(FeedText.update(FeedText.change("BETTING_OFFER", 121, #""odds":9,"odds":"x","odds":3"#)))
    #expect(price() == "3.00")
    #expect(state.counters.rejected == 1)
    send(FeedText.update(FeedText.change("BETTING_OFFER", 121, #""odds":9,"odds":3.5"#)))
    #expect(price() == "3.50")
    send(#"{"records":[],"records":[\#(FeedText.odds(121, "4"))],"messageType":"NEWS","messageType":"UPDATE"}"#)
    #expect(price() == "4.00")
  }

  @Test("50,000 siblings in an adverse order are sorted quickly")
  mutating func manySiblings() {
    let count = 50_000
    let offers = (0..<count).map { at in
      FeedText.create("BETTING_OFFER", at % 2 == 0 ? 1_000_000 + at : 900_000 - at, #"{"outcomeId":"111","odds":2}"#)
    }
    sendOne(FeedText.dump(FeedText.football()))
    sendOne(FeedText.update(FeedText.delete("BETTING_OFFER", 121)))
    sendOne(#"{"records":[\#(offers.joined(separator: ","))]}"#)
    state.checkConsistency()
    #expect(state.match(100)?.markets[0].outcomes[0].offer?.id == OfferID("\(900_000 - count + 1)"))
    let markets = (0..<1000).map {
      FeedText.create("MARKET", $0 % 2 == 0 ? 5000 - $0 : 3000 + $0, #"{"eventId":"100"}"#)
    }
    for market in markets { sendOne(FeedText.update(market)) }
    let shown = state.match(100)?.markets.map(\.id) ?? []
    #expect(shown.count == 1001 && shown == shown.sorted())
  }

  @Test("Pending records are limited, and resolved ones are not kept behind one that stays pending")
  mutating func manyOrphans() {
    sendOne(FeedText.update(FeedText.create("BETTING_OFFER", 1, #"{"outcomeId":"2"}"#)))
    for at in 0..<2000 {
      sendOne(FeedText.update(FeedText.create("BETTING_OFFER", 10 + at, #"{"outcomeId":"\#(50_000 + at)"}"#)))
      sendOne(FeedText.update(FeedText.create("OUTCOME", 50_000 + at, "{}")))
    }
    #expect(state.counters.waiting == 1 && state.waiting.backlog < 200)
    let orphans = (0..<30_000).map {
      FeedText.create("BETTING_OFFER", 100_000 + $0, #"{"outcomeId":"\#(900_000 + $0)"}"#)
    }
    for at in stride(from: 0, to: orphans.count, by: 1000) {
      sendOne(#"{"records":[\#(orphans[at..<at + 1000].joined(separator: ","))]}"#)
    }
    state.checkConsistency()
    #expect(state.counters.waiting == 10_000 && state.counters.expired == 20_001)
  }
}
