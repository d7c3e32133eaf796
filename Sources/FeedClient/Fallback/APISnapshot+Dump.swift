import OddsFeed

extension APISnapshot {
  /// The snapshot as an INITIAL_DUMP message, in which each match has one market, the main one.
  ///
  /// The ids of markets, outcomes and offers are made up here and are not those of a feed. The ids of outcomes sort as
  /// home, draw, away.
  package var dump: [UInt8] {
    var json = JSONWriter(capacity: rows.count * 1200 + 256)
    json.object { json in
      json.field("format", "AGGREGATOR")
      json.field("messageType", "INITIAL_DUMP")
      json.array("records") { json in
        for row in rows { row.write(into: &json) }
        json.object { json in
          json.field("_type", "MAIN_MARKET")
          json.field("id", Self.bettingType)
          json.field("bettingTypeId", Self.bettingType)
        }
      }
    }
    return json.bytes
  }

  fileprivate static let bettingType: StaticString = "api"
}

extension APISnapshot.Row {
  fileprivate func write(into json: inout JSONWriter) {
    json.object { json in
      json.field("_type", "MATCH")
      json.field("id", matchID)
      json.field("name", "\(home) - \(away)")
      json.field("homeParticipantName", home)
      json.field("awayParticipantName", away)
      if let startTime { json.field("startTime", startTime) }
    }
    let market = "api:\(matchID)"
    json.object { json in
      json.field("_type", "MARKET")
      json.field("id", market)
      json.field("eventId", matchID)
      json.field("bettingTypeId", APISnapshot.bettingType)
      json.field("isAvailable", true)
    }
    write(1, "home", home, homeOdds, in: market, &json)
    if hasDraw { write(2, "draw", "X", drawOdds, in: market, &json) }
    write(3, "away", away, awayOdds, in: market, &json)
  }

  /// Writes an outcome and its offer, which share one id. Without odds the offer is not available.
  private func write(
    _ place: Int, _ key: StaticString, _ name: String, _ odds: DecimalOdds?, in market: String,
    _ json: inout JSONWriter
  ) {
    let id = "\(market):\(place)"
    json.object { json in
      json.field("_type", "OUTCOME")
      json.field("id", id)
      json.field("marketId", market)
      json.field("translatedName", name)
      json.field("headerNameKey", key)
    }
    json.object { json in
      json.field("_type", "BETTING_OFFER")
      json.field("id", id)
      json.field("outcomeId", id)
      json.field("odds", odds)
      json.field("statusId", "1")
      json.field("isAvailable", odds != nil)
    }
  }
}
