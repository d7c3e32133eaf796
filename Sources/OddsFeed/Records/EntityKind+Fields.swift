extension EntityKind {
  /// The names of the fields that the store keeps for each record type.
  package static let keptFields: [EntityKind: Set<String>] = Dictionary(
    uniqueKeysWithValues: allCases.map { kind in
      (kind, Set(WireField.allCases.filter(kind.keeps).map { "\($0)" }))
    })

  private func keeps(_ field: WireField) -> Bool {
    switch self {
    case .sport: SportContent.keeps(field)
    case .match: MatchContent.keeps(field)
    case .market: MarketContent.keeps(field)
    case .outcome: OutcomeContent.keeps(field)
    case .marketOutcomeRelation: RelationContent.keeps(field)
    case .bettingOffer: OfferContent.keeps(field)
    case .mainMarket: MainMarketContent.keeps(field)
    case .eventInfo: EventInfoContent.keeps(field)
    case .other: false
    }
  }
}

extension RecordContent {
  /// Returns true if setting the field to any of the sample values changes the content or is rejected.
  fileprivate static func keeps(_ field: WireField) -> Bool {
    var batch = FeedBatch()
    batch.text = Array("x".utf8)
    let values: [WireValue] = [
      .id(1), .integer(2), .flag(true), .flag(false), .text(TextRange(start: 0, count: 1)), .wrongType,
    ]
    return values.contains { value in
      var (content, texts) = (Self(), TextTable())
      return !content.set(field, value, batch, &texts) || content != Self()
    }
  }
}
