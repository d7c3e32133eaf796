import OddsFeed
import OddsModel
import Testing

@testable import Polymarket

// Updates that arrive after newer ones.
extension BookTests {
  private static let time = 1_769_383_800_000

  /// The image with another time and another hash.
  private static func image(at time: Int) -> String {
    image.replacing("1769383800001", with: "\(time)").replacing("0xa1", with: "0xa\(time)")
  }

  /// A reader with the images of both tokens of a market, and one order of the first token removed at `time + 3`.
  private var changedReader: Reader {
    var reader = reader
    for id in ["11", "12"] { reader.read(Self.image.replacing("\"11\"", with: "\"\(id)\"")) }
    reader.read(change("0.52", "0", "SELL", hash: "3", time: Self.time + 3))
    return reader
  }

  @Test("stay unknown after a lost update while images are older than the update or the last change")
  func imageBeforeLoss() {
    let unreadable = change("0.52", "x", "SELL", hash: "4", time: Self.time + 4)
    let tickSize = #"{"event_type":"tick_size_change","asset_id":"11","new_tick_size":"0.001"}"#
    let withdrawn = String(decoding: SessionMessage.withdrawn([TokenID("11")!]), as: UTF8.self)
    for (loss, time) in [(unreadable, 4), (tickSize, 3), (withdrawn, 3), ("[7]", 3)] {
      var reader = changedReader
      reader.read(loss)
      for old in 1..<time {
        reader.read(Self.image(at: Self.time + old))
        reader.read(Self.image)
        #expect(reader.match()?.tradingStatus == .locked && reader.outcome(5010)?.isBettable == false, "\(loss)")
      }
      reader.read(Self.image(at: Self.time + time))
      #expect(reader.outcome(5010)?.offer?.odds?.description == "1.9230769", "\(loss)")
    }
  }

  @Test("are not reverted by an image older than the book's last change")
  func imageBeforeChange() {
    var reader = changedReader
    reader.read(Self.image(at: Self.time + 2))
    #expect(reader.outcome(5010)?.offer?.odds?.description == "1.010101" && reader.match()?.tradingStatus == .live)
    // An image of the same millisecond can be later.
    reader.read(Self.image(at: Self.time + 3))
    #expect(reader.outcome(5010)?.offer?.odds?.description == "1.9230769")
  }

  @Test("ignore a late change of a level that has changed since, but apply one of another level")
  func changeBeforeChange() {
    var reader = changedReader
    reader.read(change("0.50", "0", "SELL", hash: "5", time: Self.time + 3))
    reader.read(change("0.50", "7", "SELL", hash: "6", time: Self.time + 2))
    #expect(reader.outcome(5010)?.offer?.odds?.description == "1.010101")
    reader.read(change("0.51", "7", "SELL", hash: "7", time: Self.time + 2))
    #expect(reader.outcome(5010)?.offer?.odds?.description == "1.9607843")
    reader.read(change("0.50", "7", "SELL", hash: "8", time: Self.time + 3))
    #expect(reader.outcome(5010)?.offer?.odds?.description == "2.00")
  }

  @Test("are withdrawn only from readers without an update at or after the given time")
  func withdrawnBefore() {
    func withdrawn(_ time: Int) -> [UInt8] {
      SessionMessage.withdrawn([TokenID("11")!], before: Int64(Self.time + time))
    }
    var reader = changedReader
    reader.read(withdrawn(3))
    #expect(reader.match()?.tradingStatus == .live)
    reader.read(withdrawn(4))
    #expect(reader.match()?.tradingStatus == .locked)
    reader.read(Self.image(at: Self.time + 3))
    #expect(reader.match()?.tradingStatus == .locked)
    reader.read(Self.image(at: Self.time + 4))
    #expect(reader.match()?.tradingStatus == .live)
    var new = self.reader
    new.read(withdrawn(3))
    new.read(Self.image)
    #expect(new.outcome(5010)?.offer == nil)
  }

  @Test("of a reopened market await an image, even if other markets of its event changed too")
  func closedAndOpen() {
    var other = Sample.game
    other.markets[0].isClosed = true
    other.markets.removeLast()
    var reader = changedReader
    for event in [other, Sample.game] { reader.read(SessionMessage.changed([event], removed: [])) }
    #expect(reader.match()?.tradingStatus == .locked && reader.outcome(5010)?.offer == nil)
  }
}
