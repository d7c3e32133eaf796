// The records of the feed as in most Swift clients: Codable structs, String ids, Double odds (Messages.md, Records.md).

struct BaselineMessage: Decodable {
  let messageType: String?
  let records: [BaselineRecord]
}

indirect enum BaselineRecord: Decodable {
  case match(Match)
  case market(Market)
  case outcome(Outcome)
  case relation(Relation)
  case offer(Offer)
  case change(Change)
  case other

  struct Match: Decodable {
    let id: String
    let name: String?
    let homeParticipantName: String?
    let awayParticipantName: String?
    let startTime: Int64?
    let sportId: String?
    let statusId: String?
  }

  struct Market: Decodable {
    let id: String
    let eventId: String?
    let name: String?
    var isAvailable: Bool?
    var isClosed: Bool?

    mutating func apply(_ new: Properties) {
      isAvailable = new.isAvailable ?? isAvailable
      isClosed = new.isClosed ?? isClosed
    }
  }

  struct Outcome: Decodable {
    let id: String
    var marketId: String?
    let name: String?
    let translatedName: String?
    let headerNameKey: String?
  }

  struct Relation: Decodable {
    let marketId: String
    let outcomeId: String
  }

  struct Offer: Decodable {
    let id: String
    let outcomeId: String?
    var statusId: String?
    var odds: Double?
    var isAvailable: Bool?
    var lastChangedTime: Int64?

    mutating func apply(_ new: Properties) {
      odds = new.odds ?? odds
      statusId = new.statusId ?? statusId
      isAvailable = new.isAvailable ?? isAvailable
      lastChangedTime = new.lastChangedTime ?? lastChangedTime
    }
  }

  struct Change {
    let changeType: String
    let id: String
    /// The created record; nil for other changes.
    var entity: BaselineRecord?
    /// The new values of an offer or market; nil for other changes.
    var properties: Properties?
  }

  struct Properties: Decodable {
    let odds: Double?
    let statusId: String?
    let isAvailable: Bool?
    let isClosed: Bool?
    let lastChangedTime: Int64?
  }

  private enum Key: String, CodingKey { case _type, changeType, entityType, id, entity, changedProperties }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    if let type = try fields.decodeIfPresent(String.self, forKey: .changeType) {
      // Reuses the container, because a second one for the same object doubles the cost.
      var change = Change(changeType: type, id: try fields.decode(String.self, forKey: .id))
      let entityType = try fields.decode(String.self, forKey: .entityType)
      if type == "CREATE" { change.entity = try fields.decode(BaselineRecord.self, forKey: .entity) }
      if type == "UPDATE", entityType == "BETTING_OFFER" || entityType == "MARKET" {
        change.properties = try fields.decode(Properties.self, forKey: .changedProperties)
      }
      self = .change(change)
      return
    }
    switch try fields.decode(String.self, forKey: ._type) {
    case "MATCH", "EVENT": self = .match(try Match(from: decoder))
    case "MARKET": self = .market(try Market(from: decoder))
    case "OUTCOME": self = .outcome(try Outcome(from: decoder))
    case "MARKET_OUTCOME_RELATION": self = .relation(try Relation(from: decoder))
    case "BETTING_OFFER": self = .offer(try Offer(from: decoder))
    default: self = .other
    }
  }
}
