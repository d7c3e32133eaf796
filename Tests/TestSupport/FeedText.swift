import EveryMatrix
package import OddsFeed
import OddsModel

/// Builds the feed's JSON for tests.
package enum FeedText {
  package static func dump(_ records: String...) -> String {
    #"{"version":"1750752646168","format":"AGGREGATOR","messageType":"INITIAL_DUMP","records":[\#(records.joined(separator: ","))]}"#
  }

  package static func update(_ records: String...) -> String {
    #"{"version":"1750752647777","format":"AGGREGATOR","messageType":"UPDATE","records":[\#(records.joined(separator: ","))]}"#
  }

  /// A 1X2 match with its main market: match 100, market 110, outcomes 111 to 113, relations, offers 121 to 123.
  package static func football(
    _ id: Int = 100, _ name: String = "Ajax - Porto", start: Int64 = 1_750_752_000_000,
    odds: [String] = ["2.45", "3.1", "2.9"]
  ) -> String {
    let sides = zip(["home", "draw", "away"], odds).enumerated()
    let outcomes = sides.map { index, side in
      let (outcome, offer, relation) = (id + 11 + index, id + 21 + index, id + 31 + index)
      return """
        {"_type":"OUTCOME","id":"\(outcome)","eventId":"\(id)","translatedName":"\(side.0)","headerNameKey":"\(side.0)"},\
        {"_type":"MARKET_OUTCOME_RELATION","id":"\(relation)","marketId":"\(id + 10)","outcomeId":"\(outcome)"},\
        \(self.offer(offer, outcome: outcome, odds: side.1))
        """
    }
    let teams = name.split(separator: " - ", maxSplits: 1)
    return """
      {"_type":"MATCH","id":"\(id)","sportId":"1","name":"\(name)","startTime":\(start),"statusId":"2",\
      "homeParticipantName":"\(teams[0])","awayParticipantName":"\(teams.last!)"},\
      {"_type":"MARKET","id":"\(id + 10)","eventId":"\(id)","name":"Match Result","bettingTypeId":"69",\
      "isAvailable":true,"isClosed":false},\(outcomes.joined(separator: ","))
      """
  }

  package static func offer(_ id: Int, outcome: Int, odds: String) -> String {
    #"{"_type":"BETTING_OFFER","id":"\#(id)","outcomeId":"\#(outcome)","statusId":"1","odds":\#(odds),"isAvailable":true}"#
  }

  /// The changes that give match 100 another main market, 105, which has a home win only.
  package static func otherMarket(odds: String) -> String {
    [
      create("MARKET", 105, #"{"_type":"MARKET","id":"105","eventId":"100","name":"x","isAvailable":true}"#),
      create("OUTCOME", 201, #"{"_type":"OUTCOME","id":"201","marketId":"105","headerNameKey":"home"}"#),
      create("BETTING_OFFER", 301, offer(301, outcome: 201, odds: odds)),
    ].joined(separator: ",")
  }

  package static func change(_ type: String, _ id: Int, _ properties: String) -> String {
    #"{"changeType":"UPDATE","entityType":"\#(type)","id":"\#(id)","changedProperties":{\#(properties)}}"#
  }

  package static func odds(_ offer: Int, _ odds: String) -> String {
    change("BETTING_OFFER", offer, #""odds":\#(odds)"#)
  }

  package static func create(_ type: String, _ id: Int, _ entity: String) -> String {
    #"{"changeType":"CREATE","entityType":"\#(type)","id":"\#(id)","entity":\#(entity)}"#
  }

  package static func delete(_ type: String, _ id: Int) -> String {
    #"{"changeType":"DELETE","entityType":"\#(type)","id":"\#(id)"}"#
  }
}

extension FeedBatch {
  /// Returns the batch of the messages.
  package static func of(_ messages: String...) -> FeedBatch { lines(messages) }

  package static func lines(_ messages: [String]) -> FeedBatch {
    var batch = FeedBatch()
    let subscription = Subscription(topic: Topic(path: "/test"), generation: 1)
    let bytes = Array(messages.joined(separator: "\n").utf8)
    var decoder = MessageDecoder()
    decoder.decode(TransportFrame(subscription: subscription, bytes: bytes, framing: .lines), into: &batch)
    return batch
  }
}

/// A reproducible generator of random numbers: the same seed gives the same numbers.
package struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  /// SplitMix64.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
