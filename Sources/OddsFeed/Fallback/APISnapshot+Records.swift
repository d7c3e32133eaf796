import OddsModel

extension APISnapshot {
  /// The snapshot as a dump, in which each match has one market, the main one.
  ///
  /// The ids of markets, outcomes and offers are made up here and are not those of a feed. The ids of outcomes sort as
  /// home, draw, away. A match without a usable id is left out.
  package var dump: FeedBatch {
    var batch = FeedBatch()
    batch.appendMessage(.dump) { batch in
      for row in rows { row.append(to: &batch) }
      batch.appendRecord(.mainMarket, id: Self.bettingType) { $0.set(.bettingTypeID, .id(Self.bettingType)) }
    }
    return batch
  }

  fileprivate static let bettingType = MarketID("api")!.raw
}

extension APISnapshot.Row {
  fileprivate func append(to batch: inout FeedBatch) {
    guard let match = MatchID(matchID)?.raw, let market = MarketID("api:\(matchID)")?.raw else { return }
    batch.appendRecord(.match, id: match) { batch in
      batch.set(.name, text: "\(home) - \(away)".utf8)
      batch.set(.homeName, text: home.utf8)
      batch.set(.awayName, text: away.utf8)
      if let startTime { batch.set(.startTime, .integer(startTime)) }
    }
    batch.appendRecord(.market, id: market) { batch in
      batch.set(.matchID, .id(match))
      batch.set(.bettingTypeID, .id(APISnapshot.bettingType))
    }
    append(1, "home", home, homeOdds, market, to: &batch)
    if hasDraw { append(2, "draw", "X", drawOdds, market, to: &batch) }
    append(3, "away", away, awayOdds, market, to: &batch)
  }

  /// Appends an outcome and its offer, which share one id. Without odds the offer is not available.
  private func append(
    _ number: Int, _ key: String, _ name: String, _ odds: DecimalOdds?, _ market: UInt64, to batch: inout FeedBatch
  ) {
    guard let id = OutcomeID("api:\(matchID):\(number)")?.raw else { return }
    batch.appendRecord(.outcome, id: id) { batch in
      batch.set(.marketID, .id(market))
      batch.set(.translatedName, text: name.utf8)
      batch.set(.key, text: key.utf8)
    }
    batch.appendRecord(.bettingOffer, id: id) { batch in
      batch.set(.outcomeID, .id(id))
      if let odds { batch.set(.odds, .fixed(odds.units)) }
      batch.set(.status, .integer(Int64(OfferStatus.standard.rawValue)))
      batch.set(.isAvailable, .flag(odds != nil))
    }
  }
}
