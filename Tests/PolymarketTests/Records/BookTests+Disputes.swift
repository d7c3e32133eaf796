import OddsFeed
import OddsModel
import Testing

@testable import Polymarket

// Updates whose best prices differ from those of the book.
extension BookTests {
  /// A reader with the images of both tokens of a market.
  private var liveReader: Reader {
    var reader = reader
    for id in ["11", "12"] { reader.read(Self.image.replacing("\"11\"", with: "\"\(id)\"")) }
    return reader
  }

  @Test(
    "are unknown after an update that contradicts the book's best prices, until the next image",
    arguments: [
      #"{"event_type":"best_bid_ask","asset_id":"11","best_bid":"0.48","best_ask":"0.50","timestamp":"1769383800002"}"#,
      #"{"event_type":"best_bid_ask","asset_id":"11","best_bid":"0.47","best_ask":"0.52"}"#,
      #"{"event_type":"best_bid_ask","asset_id":"11","best_bid":"0","best_ask":"0.52"}"#,
      #"{"event_type":"best_bid_ask","asset_id":"11","best_bid":"","best_ask":"1"}"#,
      #"""
      {"event_type":"price_change","timestamp":"1769383800002","price_changes":[{"asset_id":"11","price":"0.90",
       "size":"7","side":"SELL","hash":"1","best_bid":"0.48","best_ask":"0.53"}]}
      """#,
      #"""
      {"event_type":"price_change","timestamp":"1769383800002","price_changes":[{"asset_id":"11","price":"0.48",
       "size":"0","side":"BUY","hash":"1","best_bid":"0.48","best_ask":"0.52"}]}
      """#,
    ])
  func contradiction(text: String) {
    var reader = liveReader
    #expect(reader.match()?.tradingStatus == .live)
    reader.read(text)
    #expect(reader.outcome(5010)?.isBettable == false && reader.outcome(5010)?.exchange == nil)
    // The other price is known, but its market takes no bets.
    #expect(reader.match()?.tradingStatus == .locked && reader.outcome(5011)?.isBettable == false)
    #expect(reader.outcome(5011)?.offer?.odds?.description == "1.9230769")
    // A change of another level does not resolve the dispute.
    reader.read(change("0.95", "7", "SELL", hash: "2", time: 1_769_383_800_003))
    #expect(reader.outcome(5010)?.isBettable == false)
    reader.read(Self.image.replacing("0xa1", with: "0xa2").replacing("800001", with: "800004"))
    #expect(reader.match()?.tradingStatus == .live && reader.outcome(5010)?.offer?.odds?.description == "1.9230769")
  }

  @Test("stay unknown when an image older than the last change or statement is sent again")
  func repeatedImage() {
    let statement =
      #"{"event_type":"best_bid_ask","asset_id":"11","best_bid":"0.47","best_ask":"0.52","timestamp":"1769383800003"}"#
    let timeless = statement.replacing(#","timestamp":"1769383800003""#, with: "")
    let removal = change("0.48", "0", "BUY", hash: "1")
    let anonymous = removal.replacing(#""hash":"1","#, with: "").replacing(#""timestamp":"1769383800002","#, with: "")
    for texts in [[removal, statement], [removal, timeless], [anonymous, timeless], [statement]] {
      var reader = liveReader
      for text in texts { reader.read(text) }
      for _ in 0..<2 {
        #expect(reader.match()?.tradingStatus == .locked && reader.outcome(5010)?.exchange == nil, "\(texts)")
        reader.read(Self.image)
      }
      reader.read(Self.image.replacing("0xa1", with: "0xa2").replacing("800001", with: "800004"))
      #expect(reader.match()?.tradingStatus == .live, "\(texts)")
    }
    // Without a change and a time, the statement may be the older one of the two.
    var reader = liveReader
    reader.read(timeless)
    reader.read(Self.image)
    #expect(reader.match()?.tradingStatus == .live)
  }

  @Test("are known again without an image when the change arrives that explains the stated best prices")
  func lateChange() {
    var reader = liveReader
    // An order is matched: its removal arrives in a separate message.
    let match = change("0.52", "9", "BUY", hash: "1").replacing(
      #""best_bid":"","best_ask":"""#, with: #""best_bid":"0.52","best_ask":"0.99""#)
    reader.read(match)
    #expect(reader.outcome(5010)?.isBettable == false && reader.match()?.tradingStatus == .locked)
    reader.read(change("0.52", "0", "SELL", hash: "2"))
    #expect(reader.match()?.tradingStatus == .live && reader.outcome(5010)?.offer?.odds?.description == "1.010101")
  }

  @Test("are not disputed by an outdated update or by one without best prices")
  func oldStatement() {
    var reader = liveReader
    reader.read(change("0.51", "7", "SELL", hash: "1"))
    let old = #"{"event_type":"best_bid_ask","asset_id":"11","best_ask":"0.52","timestamp":"1769383800001"}"#
    for text in [old, #"{"event_type":"best_bid_ask","asset_id":"11","best_bid":"","best_ask":null}"#] {
      reader.read(text)
      #expect(reader.match()?.tradingStatus == .live)
    }
    reader.read(old.replacing("800001", with: "800002"))
    #expect(reader.match()?.tradingStatus == .locked)
  }
}
