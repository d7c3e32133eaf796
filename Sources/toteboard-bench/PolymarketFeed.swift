import FeedSimulator

/// A seeded recording of Polymarket: the events, an image of each token's book, then changes of one market each. As on
/// the wire, a change of one token is one of the other token of its market too, and states the best prices after it.
struct PolymarketFeed {
  private static let levels = 5

  private var random: SeededGenerator
  private var time: Int64 = 1_769_383_800_000
  /// The best price to sell the first token of each market, in cents. The best price to buy it is two cents higher.
  private var bids: [Int]

  /// Returns the text of a recording. The same arguments produce the same bytes.
  static func text(events: Int = 100, messages: Int, seed: UInt64 = 1) -> FeedText {
    var feed = PolymarketFeed(
      random: SeededGenerator(seed: seed), bids: (0..<events).map { 20 + $0 % 60 })
    var text = line(#"{"event_type":"events","events":[\#((0..<events).map(event).joined(separator: ","))]}"#)
    text += line("[\((0..<events).flatMap { feed.images($0) }.joined(separator: ","))]")
    for _ in 0..<messages { text += line(feed.update()) }
    return FeedText(bytes: text)
  }

  private static func line(_ text: String) -> [UInt8] { Array(text.utf8) + [0x0A] }

  /// The id of a token has 77 digits.
  private static func token(_ market: Int, _ index: Int) -> String {
    String(repeating: "7", count: 70) + "\(1_000_000 + 2 * market + index)"
  }

  private static func event(_ number: Int) -> String {
    let names = (home: "Home\(number)", away: "Away\(number)")
    return #"{"id":"\#(16_000 + number)","slug":"nfl-a-b-2026-01-25","title":"\#(names.home) vs. \#(names.away)","#
      + #""gameId":\#(19_000 + number),"startTime":"2026-01-25T20:00:00Z","live":true,"ended":false,"closed":false,"#
      + #""markets":[{"id":"\#(50_000 + number)","question":"Winner","groupItemTitle":"","#
      + #""sportsMarketType":"moneyline","active":true,"closed":false,"acceptingOrders":true,"#
      + #""outcomes":["\#(names.home)","\#(names.away)"],"#
      + #""clobTokenIds":["\#(token(number, 0))","\#(token(number, 1))"]}]}"#
  }

  private func price(_ cents: Int) -> String { "0.\(cents / 10)\(cents % 10)" }

  private mutating func size() -> String { "\(1 + random.index(below: 90_000)).\(random.index(below: 10))" }

  private mutating func hash() -> String { String(UInt64.random(in: 0..<(.max), using: &random), radix: 16) }

  private mutating func images(_ market: Int) -> [String] {
    let bid = bids[market]
    return [bid, 98 - bid].enumerated().map { index, bid in
      let buys = (0..<Self.levels).reversed().map { level in #"{"price":"\#(price(bid - level))","size":"\#(size())"}"#
      }
      let sells = (0..<Self.levels).reversed().map { level in
        #"{"price":"\#(price(bid + 2 + level))","size":"\#(size())"}"#
      }
      return #"{"market":"0xc\#(market)","asset_id":"\#(Self.token(market, index))","timestamp":"\#(time)","#
        + #""hash":"\#(hash())","bids":[\#(buys.joined(separator: ","))],"asks":[\#(sells.joined(separator: ","))],"#
        + #""event_type":"book"}"#
    }
  }

  private mutating func update() -> String {
    time += Int64(random.index(below: 40))
    let market = random.index(below: bids.count)
    var changes: [String] = []
    let bid = bids[market]
    switch random.index(below: 10) {
    case 0 where bid < 80:
      bids[market] += 1
      changes += change(market, isBid: false, bid + 2, "0") + change(market, isBid: false, bid + 7, size())
      changes += change(market, isBid: true, bid + 1, size()) + change(market, isBid: true, bid - 4, "0")
    case 1 where bid > 20:
      bids[market] -= 1
      changes += change(market, isBid: true, bid, "0") + change(market, isBid: true, bid - 5, size())
      changes += change(market, isBid: false, bid + 1, size()) + change(market, isBid: false, bid + 6, "0")
    default:
      let level = random.index(below: Self.levels)
      let isBid = random.index(below: 2) == 0
      changes += change(market, isBid: isBid, isBid ? bid - level : bid + 2 + level, size())
    }
    return #"{"market":"0xc\#(market)","price_changes":[\#(changes.joined(separator: ","))],"timestamp":"\#(time)","#
      + #""event_type":"price_change"}"#
  }

  /// Returns a change of the market's first token and the same one of the second.
  private mutating func change(_ market: Int, isBid: Bool, _ cents: Int, _ size: String) -> [String] {
    (0..<2).map { index in
      let isBuy = isBid == (index == 0)
      let best = index == 0 ? bids[market] : 98 - bids[market]
      return #"{"asset_id":"\#(Self.token(market, index))","price":"\#(price(index == 0 ? cents : 100 - cents))","#
        + #""size":"\#(size)","side":"\#(isBuy ? "BUY" : "SELL")","hash":"\#(hash())","#
        + #""best_bid":"\#(price(best))","best_ask":"\#(price(best + 2))"}"#
    }
  }
}
