import FeedSimulator
import JSONText

/// A dump with the format, order and record sizes of the real feed (Rates.md), and updates of its odds. The average
/// sizes are: MATCH 1.2 kB, MARKET 640 B, OUTCOME 540 B, BETTING_OFFER 300 B, MARKET_OUTCOME_RELATION 130 B.
struct RealisticFeed {
  let matches: Int
  let markets: Int
  /// The number of outcomes, which is also that of relations and of offers.
  let outcomes: Int
  /// The number of markets of the first match. The other matches share the rest evenly.
  let topMarkets: Int

  /// A page with a dump of 142 kB.
  static let page = RealisticFeed(matches: 37, markets: 37, outcomes: 75, topMarkets: 1)
  /// All football matches.
  static let football = RealisticFeed(matches: 1330, markets: 124_613, outcomes: 429_527, topMarkets: 987)
  /// A hundred matches with three markets each.
  static let hundred = RealisticFeed(matches: 100, markets: 300, outcomes: 1034, topMarkets: 3)
  /// A 50th of all football matches.
  static let quick = RealisticFeed(matches: 27, markets: 2492, outcomes: 8591, topMarkets: 987)

  static let time: Int64 = 1_750_752_646_168

  var records: Int { 2 + matches + markets + 3 * outcomes }

  /// Returns the INITIAL_DUMP message.
  func dump() -> [UInt8] {
    var json = JSONWriter(capacity: matches * 1300 + markets * 700 + outcomes * 1050 + 4096)
    json.object { json in
      json.messageHead("INITIAL_DUMP")
      json.array("records") { json in
        json.object { $0.sportFields() }
        for match in 0..<matches { json.object { $0.matchFields(match, markets: self.markets(of: match).count) } }
        for match in 0..<matches {
          for market in self.markets(of: match) {
            json.object { $0.marketFields(market, match: match, outcomes: self.outcomes(of: market).count) }
          }
        }
        for match in 0..<matches {
          for market in self.markets(of: match) {
            for outcome in self.outcomes(of: market) {
              json.object { $0.outcomeFields(outcome, market: market, match: match) }
            }
          }
        }
        for market in 0..<markets {
          for outcome in self.outcomes(of: market) { json.object { $0.relationFields(outcome, market: market) } }
        }
        for market in 0..<markets {
          for outcome in self.outcomes(of: market) { json.object { $0.offerFields(outcome, market: market) } }
        }
        json.object { $0.mainMarketFields() }
      }
    }
    return json.bytes
  }

  /// Returns UPDATE messages of one record each, with new odds of a random offer.
  func updates(_ count: Int, seed: UInt64) -> FeedText {
    var random = SeededGenerator(seed: seed)
    var json = JSONWriter(capacity: count * 270)
    for _ in 0..<count {
      json.object { json in
        json.messageHead("UPDATE")
        json.array("records") { json in
          json.object { json in
            json.field("changeType", "UPDATE")
            json.field("entityType", "BETTING_OFFER")
            json.field("id", id: WireID.offer(random.index(below: outcomes)))
            json.object("changedProperties") { json in
              json.field("odds", hundredths: Int64(101 + random.index(below: 2000)))
              json.field("lastChangedTime", Self.time)
            }
          }
        }
      }
      json.newline()
    }
    return FeedText(bytes: json.bytes)
  }

  private func markets(of match: Int) -> Range<Int> {
    if match == 0 { return 0..<topMarkets }
    let (rest, others) = (markets - topMarkets, matches - 1)
    return topMarkets + (match - 1) * rest / others..<topMarkets + match * rest / others
  }

  private func outcomes(of market: Int) -> Range<Int> {
    market * outcomes / markets..<(market + 1) * outcomes / markets
  }
}

/// Ids of 18 digits that grow with the number of the record, with gaps as in the real feed.
enum WireID {
  static func match(_ number: Int) -> Int64 { id(number) }
  static func market(_ number: Int) -> Int64 { id(10_000 + number) }
  static func outcome(_ number: Int) -> Int64 { id(200_000 + number) }
  static func relation(_ number: Int) -> Int64 { id(700_000 + number) }
  static func offer(_ number: Int) -> Int64 { id(1_200_000 + number) }
  static func participant(_ number: Int) -> Int64 { id(1_700_000 + number) }

  private static func id(_ number: Int) -> Int64 {
    272_181_284_331_364_608 + 256 * (2048 * Int64(number) + Int64(SeededGenerator.mix(UInt64(number)) % 2048))
  }
}
