import OddsModel

/// A message of the Betfair stream as values. Prices and amounts are in hundredths.
package struct BetfairMessage: Sendable {
  package var changeType: String?
  package var segment: String?
  package var id = 1
  package var time: Int64 = 0
  package var clock = ""
  package var initialClock: String?
  package var isStale = false
  package var markets: [Market] = []

  package init() {}

  package struct Market: Sendable {
    package var id: String
    package var isImage = false
    package var volume: Int?
    package var definition: Definition?
    package var runners: [Runner] = []
  }

  package struct Definition: Sendable {
    package var status = "OPEN"
    package var isInPlay = false
    package var version = 1
    package var type = "MATCH_ODDS"
    package var event = 1
    /// The names of the event and the market; empty as on the wire, which has none.
    package var eventName = ""
    package var name = ""
    package var startTime: Int64 = 0
    package var runners: [(key: Key, status: String, name: String)] = []
  }

  package struct Key: Hashable, Sendable {
    package var id: Int
    /// Hundredths.
    package var handicap = 0
  }

  package struct Runner: Sendable {
    package var key: Key
    package var lastTraded: Int?
    package var volume: Int?
    /// The changes by ladder: `[level, price, size]` or `[price, size]`. The level is a whole number.
    package var ladders: [(name: String, levels: [[Int]])] = []
  }

  /// The names of the ladders by level.
  package static let byLevel: Set<String> = ["bdatb", "bdatl", "batb", "batl"]
  package static let ladders = ["bdatb", "bdatl", "batb", "batl", "atb", "atl", "trd"]
}

/// The text of the messages. The keys of an object are in a random order if there is a generator for it.
extension BetfairMessage {
  package func text(shuffledBy random: inout SeededRandom?) -> String {
    var fields = [#""op":"mcm""#, #""id":\#(id)"#, #""pt":\#(time)"#, #""clk":"\#(clock)""#]
    if let initialClock { fields.append(#""initialClk":"\#(initialClock)""#) }
    if let changeType { fields.append(#""ct":"\#(changeType)""#) }
    if let segment { fields.append(#""segmentType":"\#(segment)""#) }
    if isStale { fields.append(#""status":503"#) }
    if changeType != "HEARTBEAT" {
      let all = markets.map { $0.text(&random) }
      fields.append(#""mc":[\#(all.joined(separator: ","))]"#)
    }
    return Self.object(fields, &random)
  }

  fileprivate static func object(_ fields: [String], _ random: inout SeededRandom?) -> String {
    var fields = fields
    if random != nil { fields.shuffle(using: &random!) }
    return "{" + fields.joined(separator: ",") + "}"
  }

  /// Returns hundredths as a decimal number: 250 is `2.5`.
  package static func number(_ hundredths: Int) -> String {
    let (whole, rest) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
    let digits = rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : ".\(rest / 10)\(rest % 10)"
    return (hundredths < 0 ? "-" : "") + "\(whole)" + digits
  }
}

extension BetfairMessage.Market {
  fileprivate func text(_ random: inout SeededRandom?) -> String {
    var fields = [#""id":"\#(id)""#]
    if isImage { fields.append(#""img":true"#) }
    if let volume { fields.append(#""tv":\#(BetfairMessage.number(volume))"#) }
    if let definition { fields.append(#""marketDefinition":\#(definition.text(&random))"#) }
    if !runners.isEmpty {
      let all = runners.map { $0.text(&random) }
      fields.append(#""rc":[\#(all.joined(separator: ","))]"#)
    }
    return BetfairMessage.object(fields, &random)
  }
}

extension BetfairMessage.Definition {
  fileprivate func text(_ random: inout SeededRandom?) -> String {
    var all: [String] = []
    for (index, runner) in runners.enumerated() {
      var fields = [
        #""id":\#(runner.key.id)"#, #""sortPriority":\#(index + 1)"#, #""status":"\#(runner.status)""#,
      ]
      if runner.key.handicap != 0 { fields.append(#""hc":\#(BetfairMessage.number(runner.key.handicap))"#) }
      if !runner.name.isEmpty { fields.append(#""name":"\#(runner.name)""#) }
      all.append(BetfairMessage.object(fields, &random))
    }
    let date = ISOTime.text(startTime)
    var fields = [
      #""status":"\#(status)""#, #""inPlay":\#(isInPlay)"#, #""version":\#(version)"#, #""bettingType":"ODDS""#,
      #""marketType":"\#(type)""#, #""eventId":"\#(event)""#, #""eventTypeId":"1""#, #""numberOfWinners":1"#,
      #""betDelay":\#(isInPlay ? 5 : 0)"#, #""bspMarket":false"#, #""openDate":"\#(date)""#,
      #""marketTime":"\#(date)""#, #""runners":[\#(all.joined(separator: ","))]"#,
    ]
    if !eventName.isEmpty { fields.append(#""eventName":"\#(eventName)""#) }
    if !name.isEmpty { fields.append(#""name":"\#(name)""#) }
    return BetfairMessage.object(fields, &random)
  }
}

extension BetfairMessage.Runner {
  fileprivate func text(_ random: inout SeededRandom?) -> String {
    var fields = [#""id":\#(key.id)"#]
    if key.handicap != 0 { fields.append(#""hc":\#(BetfairMessage.number(key.handicap))"#) }
    if let lastTraded { fields.append(#""ltp":\#(BetfairMessage.number(lastTraded))"#) }
    if let volume { fields.append(#""tv":\#(BetfairMessage.number(volume))"#) }
    for (name, levels) in ladders {
      let texts = levels.map { level in
        let numbers = BetfairMessage.byLevel.contains(name) ? level.dropFirst() : level[...]
        let prefix = BetfairMessage.byLevel.contains(name) ? "\(level[0])," : ""
        return "[\(prefix)\(numbers.map(BetfairMessage.number).joined(separator: ","))]"
      }
      fields.append(#""\#(name)":[\#(texts.joined(separator: ","))]"#)
    }
    return BetfairMessage.object(fields, &random)
  }
}
