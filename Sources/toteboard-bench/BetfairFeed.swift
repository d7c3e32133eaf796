import FeedSimulator

/// A seeded recording of the Betfair stream: an image of markets with three runners each, then messages of one to three
/// markets, each with the changed levels of some runners.
struct BetfairFeed {
  private var random: SeededGenerator
  private var time: Int64 = 1_750_000_000_000
  /// The prices of the runners of each market, in hundredths.
  private var prices: [[Int]]

  /// Returns the text of a recording. The same arguments produce the same bytes.
  static func text(markets: Int = 100, messages: Int, seed: UInt64 = 1) -> FeedText {
    var feed = BetfairFeed(
      random: SeededGenerator(seed: seed), prices: Array(repeating: [250, 310, 290], count: markets))
    var text = feed.image()
    for _ in 0..<messages { text += feed.update() }
    return FeedText(bytes: text)
  }

  private func number(_ hundredths: Int) -> String { "\(hundredths / 100).\(hundredths / 10 % 10)\(hundredths % 10)" }

  private mutating func message(_ rest: String, _ markets: [String]) -> [UInt8] {
    time += 20 + Int64(random.index(below: 40))
    return Array(
      #"{"op":"mcm","id":2,"clk":"AAAAAAAA","pt":\#(time),\#(rest)"mc":[\#(markets.joined(separator: ","))]}"#.utf8)
      + [0x0A]
  }

  private mutating func image() -> [UInt8] {
    let markets = prices.indices.map { market in
      let runners = prices[market].indices.map { #"{"id":\#(47972 + $0),"sortPriority":\#($0 + 1),"status":"ACTIVE"}"# }
      let changes = prices[market].indices.map { runner(market, $0, levels: 3) }
      return #"{"id":"1.\#(200_000_000 + market)","img":true,"tv":1000.5,"marketDefinition":{"status":"OPEN","#
        + #""inPlay":true,"eventId":"\#(29_000_000 + market)","eventTypeId":"1","marketType":"MATCH_ODDS","#
        + #""version":1,"numberOfWinners":1,"betDelay":5,"openDate":"2025-06-15T15:00:00.000Z","runners":["#
        + runners.joined(separator: ",") + #"]},"rc":[\#(changes.joined(separator: ","))]}"#
    }
    return message(#""ct":"SUB_IMAGE","initialClk":"AAAA","#, markets)
  }

  private mutating func update() -> [UInt8] {
    let markets = (0...random.index(below: 3)).map { _ in
      let market = random.index(below: prices.count)
      let changes = (0...random.index(below: 2)).map { _ in
        let place = random.index(below: prices[market].count)
        prices[market][place] = min(900, max(110, prices[market][place] + 2 * (random.index(below: 3) - 1)))
        return runner(market, place, levels: 1 + random.index(below: 3))
      }
      return #"{"id":"1.\#(200_000_000 + market)","rc":[\#(changes.joined(separator: ","))]}"#
    }
    return message("", markets)
  }

  private mutating func runner(_ market: Int, _ place: Int, levels: Int) -> String {
    let price = prices[market][place]
    func ladder(_ step: Int) -> String {
      (0..<levels).map {
        "[\($0),\(number(price + step * ($0 + (step > 0 ? 1 : 0)))),\(number(200 + random.index(below: 90_000)))]"
      }
      .joined(separator: ",")
    }
    return #"{"bdatb":[\#(ladder(-2))],"bdatl":[\#(ladder(2))],"ltp":\#(number(price)),"#
      + #""tv":\#(number(random.index(below: 9_000_000))),"id":\#(47972 + place)}"#
  }
}
