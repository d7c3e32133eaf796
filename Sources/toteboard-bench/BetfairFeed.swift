import FeedSimulator

/// A seeded recording of the Betfair stream: an image of all markets, then messages of one to three markets, each with
/// the changed prices of one or two runners.
struct BetfairFeed {
  enum Kind {
    /// The stream as the board subscribes to it: the best prices by level.
    case stream
    /// A historical file: all prices and the matched stakes by price, and no fields of a subscription.
    case historical
  }

  private let kind: Kind
  private var random: SeededGenerator
  private var time: Int64 = 1_750_000_000_000
  /// The prices of the runners of each market, in hundredths.
  private var prices: [[Int]]

  /// Returns the text of a recording. The same arguments produce the same bytes.
  static func text(
    _ kind: Kind = .stream, markets: Int = 100, runners: Int = 3, messages: Int, seed: UInt64 = 1
  ) -> FeedText {
    let fair = (0..<runners).map { 250 + 20 * $0 }
    var feed = BetfairFeed(
      kind: kind, random: SeededGenerator(seed: seed), prices: Array(repeating: fair, count: markets))
    var text = feed.image()
    for _ in 0..<messages { text += feed.update() }
    return FeedText(bytes: text)
  }

  private func number(_ hundredths: Int) -> String { "\(hundredths / 100).\(hundredths / 10 % 10)\(hundredths % 10)" }

  private mutating func message(_ subscription: String, _ markets: [String]) -> [UInt8] {
    time += 20 + Int64(random.index(below: 40))
    let more = kind == .stream ? #""id":2,\#(subscription)"# : ""
    return Array(
      #"{"op":"mcm",\#(more)"clk":"AAAAAAAA","pt":\#(time),"mc":[\#(markets.joined(separator: ","))]}"#.utf8) + [0x0A]
  }

  private mutating func image() -> [UInt8] {
    let markets = prices.indices.map { market in
      let runners = prices[market].indices.map { #"{"status":"ACTIVE","sortPriority":\#($0 + 1),"id":\#(47972 + $0)}"# }
      let changes = prices[market].indices.map { runner(market, $0, levels: 3) }
      return #"{"id":"1.\#(200_000_000 + market)","img":true,"tv":1000.5,"marketDefinition":{"bspMarket":false,"#
        + #""turnInPlayEnabled":true,"persistenceEnabled":true,"marketBaseRate":5.0,"eventId":"\#(29_000_000 + market)","#
        + #""eventTypeId":"1","numberOfWinners":1,"bettingType":"ODDS","marketType":"MATCH_ODDS","#
        + #""marketTime":"2025-06-15T15:00:00.000Z","suspendTime":"2025-06-15T15:00:00.000Z","bspReconciled":false,"#
        + #""complete":true,"inPlay":true,"crossMatching":true,"runnersVoidable":false,"#
        + #""numberOfActiveRunners":\#(runners.count),"betDelay":5,"status":"OPEN","#
        + #""runners":[\#(runners.joined(separator: ","))],"regulators":["MR_INT"],"discountAllowed":true,"#
        + #""timezone":"GMT","openDate":"2025-06-15T15:00:00.000Z","version":1},"rc":[\#(changes.joined(separator: ","))]}"#
    }
    return message(#""ct":"SUB_IMAGE","initialClk":"AAAA","#, markets)
  }

  private mutating func update() -> [UInt8] {
    let markets = (0..<min(prices.count, 1 + random.index(below: 3))).map { _ in
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
    let (back, lay) = (ladder(price, -2, levels), ladder(price, 2, levels))
    let rest =
      #""ltp":\#(number(price)),"tv":\#(number(random.index(below: 9_000_000))),"id":\#(47972 + place)}"#
    guard kind == .historical else { return #"{"bdatb":[\#(back)],"bdatl":[\#(lay)],"# + rest }
    let traded = "[\(number(price)),\(number(100 + random.index(below: 900_000)))]"
    // The price itself is between both sides. What was there before a move is removed.
    return #"{"atb":[\#(back),[\#(number(price)),0]],"atl":[\#(lay),[\#(number(price)),0]],"trd":[\#(traded)],"# + rest
  }

  /// Returns the given number of levels on one side of a price, the nearest first. `step` is in hundredths.
  private mutating func ladder(_ price: Int, _ step: Int, _ levels: Int) -> String {
    (0..<levels).map { level in
      let first = kind == .stream ? "\(level)," : ""
      return "[\(first)\(number(price + step * (level + 1))),\(number(200 + random.index(below: 90_000)))]"
    }.joined(separator: ",")
  }
}
