import JSONText
import OddsModel

extension GammaEvent {
  /// Writes the event with Gamma's own names, but only the fields that are used.
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.field("id", id: Int64(id))
      json.field("slug", slug)
      json.field("title", title)
      if let gameID { json.field("gameId", Int64(gameID)) }
      if let startTime { json.field("startTime", ISOTime.text(startTime)) }
      json.field("live", isLive)
      json.field("ended", hasEnded)
      json.field("closed", isClosed)
      if !score.isEmpty { json.field("score", score) }
      if !period.isEmpty { json.field("period", period) }
      if !elapsed.isEmpty { json.field("elapsed", elapsed) }
      json.array("markets") { json in for market in markets { market.write(to: &json) } }
    }
  }
}

extension GammaMarket {
  fileprivate func write(to json: inout JSONWriter) {
    json.object { json in
      json.field("id", id: Int64(id))
      json.field("question", question)
      json.field("groupItemTitle", groupTitle)
      json.field("sportsMarketType", type)
      if let line { json.field("line", number: DecimalOdds(units: line).description) }
      if let delay { json.field("secondsDelay", delay) }
      json.field("active", isActive)
      json.field("closed", isClosed)
      json.field("acceptingOrders", takesOrders)
      if let endTime { json.field("endDate", ISOTime.text(endTime)) }
      json.array("outcomes") { json in for outcome in outcomes { json.element(outcome) } }
      json.array("clobTokenIds") { json in for token in tokens { json.element(token.description) } }
    }
  }
}
