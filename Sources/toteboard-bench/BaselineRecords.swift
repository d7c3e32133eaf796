import Foundation

// The records of the feed as in most Swift clients: Codable structs, String ids, Double odds (Messages.md, Records.md).

struct BaselineMessage: Decodable {
  let messageType: String?
  let records: [BaselineRecord]
}

indirect enum BaselineRecord: Decodable {
  case match(BaselineMatch)
  case market(BaselineMarket)
  case outcome(BaselineOutcome)
  case relation(BaselineRelation)
  case offer(BaselineOffer)
  case change(BaselineChange)
  case other

  fileprivate enum CodingKeys: String, CodingKey { case _type, changeType, entityType, id, entity, changedProperties }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    if let type = try fields.decodeIfPresent(String.self, forKey: .changeType) {
      // Reuses the container, because a second one for the same object doubles the cost.
      self = .change(try BaselineChange(type, fields))
      return
    }
    switch try fields.decode(String.self, forKey: ._type) {
    case "MATCH", "EVENT": self = .match(try BaselineMatch(from: decoder))
    case "MARKET": self = .market(try BaselineMarket(from: decoder))
    case "OUTCOME": self = .outcome(try BaselineOutcome(from: decoder))
    case "MARKET_OUTCOME_RELATION": self = .relation(try BaselineRelation(from: decoder))
    case "BETTING_OFFER": self = .offer(try BaselineOffer(from: decoder))
    default: self = .other
    }
  }
}

struct BaselineMatch: Decodable {
  let id: String
  var name: String?
  var homeParticipantName: String?
  var awayParticipantName: String?
  var startTime: Int64?
  var sportId: String?
  var statusId: String?
}

struct BaselineMarket: Decodable {
  let id: String
  var eventId: String?
  var name: String?
  var isAvailable: Bool?
  var isClosed: Bool?
}

struct BaselineOutcome: Decodable {
  let id: String
  var marketId: String?
  var name: String?
  var translatedName: String?
  var headerNameKey: String?
}

struct BaselineRelation: Decodable {
  let id: String
  var marketId: String
  var outcomeId: String
}

struct BaselineOffer: Decodable {
  let id: String
  var outcomeId: String?
  var statusId: String?
  var odds: Double?
  var isAvailable: Bool?
  var lastChangedTime: Int64?
}

struct BaselineChange {
  let changeType: String
  let id: String
  let entity: BaselineRecord?
  let offer: BaselineOfferChange?
  let market: BaselineMarketChange?

  fileprivate init(_ type: String, _ fields: KeyedDecodingContainer<BaselineRecord.CodingKeys>) throws {
    changeType = type
    id = try fields.decode(String.self, forKey: .id)
    let entityType = try fields.decode(String.self, forKey: .entityType)
    let (isUpdate, isOffer, isMarket) = (type == "UPDATE", entityType == "BETTING_OFFER", entityType == "MARKET")
    entity = type == "CREATE" ? try fields.decode(BaselineRecord.self, forKey: .entity) : nil
    offer = isUpdate && isOffer ? try fields.decode(BaselineOfferChange.self, forKey: .changedProperties) : nil
    market = isUpdate && isMarket ? try fields.decode(BaselineMarketChange.self, forKey: .changedProperties) : nil
  }
}

struct BaselineOfferChange: Decodable {
  let odds: Double?
  let statusId: String?
  let isAvailable: Bool?
  let lastChangedTime: Int64?
}

struct BaselineMarketChange: Decodable {
  let isAvailable: Bool?
  let isClosed: Bool?
}
