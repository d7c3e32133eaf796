import OddsModel

/// A textual form of a match, used to compare the engine with the reference and to describe failures.
enum MatchPicture {
  struct Head {
    var id: String
    /// Name, home, away, tournament, category, part.
    var names: [String]
    var sport: String?
    var start: Int64?
    var status = 0
    var score: (home: Int64, away: Int64)?
    var minute: Int64?
    var serving: String?
    /// The players sent off, home then away.
    var redCards: (home: Int64, away: Int64)?
    var mainMarket: String?
  }

  static func head(_ head: Head) -> String {
    let score = head.score.map { "\($0.home)-\($0.away)" } ?? "-"
    let names = head.names.map { "'\($0)'" }.joined(separator: " ")
    return "match \(head.id) \(names) sport \(head.sport ?? "-") start \(text(head.start)) status \(head.status) "
      + "score \(score) minute \(text(head.minute)) serving \(head.serving ?? "-") main \(head.mainMarket ?? "-")"
      + (head.redCards.map { " sent off \($0.home)-\($0.away)" } ?? "")
  }

  static func market(
    id: String, name: String, type: String?, handicap: Int64?, isAvailable: Bool, isClosed: Bool, outcomeCount: Int?,
    mainMarketRank: Int?
  ) -> String {
    "  market \(id) '\(name)' type \(type ?? "-") line \(text(handicap)) \(isAvailable ? "available" : "unavailable") \(isClosed ? "closed" : "open")"
      + (outcomeCount.map { " of \($0)" } ?? "") + (mainMarketRank.map { " main \($0)" } ?? "")
  }

  static func outcome(id: String, name: String, key: String, isBettable: Bool, offer: String?) -> String {
    "    outcome \(id) '\(name)' '\(key)' \(isBettable ? "bettable" : "dead") \(offer ?? "-")"
  }

  static func offer(id: String, units: Int64?, status: Int, isAvailable: Bool, changed: Int64?) -> String {
    "offer \(id) odds \(text(units)) status \(status) \(isAvailable ? "available" : "unavailable") \(text(changed))"
  }

  private static func text(_ number: Int64?) -> String { number.map { "\($0)" } ?? "-" }
}

extension Match {
  var picture: String {
    let head = MatchPicture.Head(
      id: "\(id)",
      names: [labels.name, labels.home, labels.away, labels.tournament, labels.category, labels.part],
      sport: sportID.map { "\($0)" }, start: startTime, status: Int(status.rawValue),
      score: score.map { (Int64($0.home), Int64($0.away)) }, minute: minute.map(Int64.init),
      serving: serving.map { "\($0)" }, redCards: redCards.map { (Int64($0.home), Int64($0.away)) },
      mainMarket: mainMarket.map { "\($0.id)" })
    return ([MatchPicture.head(head)] + markets.map(\.picture)).joined(separator: "\n")
  }
}

extension Market {
  var picture: String {
    let head = MatchPicture.market(
      id: "\(id)", name: name, type: bettingTypeID == RawID.none ? nil : "\(MarketID(raw: bettingTypeID))",
      handicap: handicap,
      isAvailable: isAvailable, isClosed: isClosed, outcomeCount: statedOutcomeCount, mainMarketRank: mainMarketRank)
    return ([head] + outcomes.map(\.picture)).joined(separator: "\n")
  }
}

extension Outcome {
  var picture: String {
    let offer = offer.map {
      MatchPicture.offer(
        id: "\($0.id)", units: $0.odds?.units, status: Int($0.status.rawValue), isAvailable: $0.isAvailable,
        changed: $0.lastChanged)
    }
    return MatchPicture.outcome(id: "\(id)", name: name, key: key, isBettable: isBettable, offer: offer)
  }
}
