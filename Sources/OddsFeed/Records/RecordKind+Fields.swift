extension RecordKind {
  /// The fields that the store keeps for records of this type. Computed from the records; not fast.
  package var fields: [RecordField] { RecordField.allCases.filter(keeps) }

  private func keeps(_ field: RecordField) -> Bool {
    switch self {
    case .sport: SportContent.keeps(field)
    case .match: MatchContent.keeps(field)
    case .market: MarketContent.keeps(field)
    case .outcome: OutcomeContent.keeps(field)
    case .marketOutcomeRelation: RelationContent.keeps(field)
    case .bettingOffer: OfferContent.keeps(field)
    case .mainMarket: MainMarketContent.keeps(field)
    case .eventInfo: EventInfoContent.keeps(field)
    case .exchangeMarket: ExchangeMarketContent.keeps(field)
    case .exchangePrices: ExchangePricesContent.keeps(field)
    case .other: false
    }
  }
}

extension RecordContent {
  /// Returns true if setting the field to any of the sample values changes the content or is rejected.
  fileprivate static func keeps(_ field: RecordField) -> Bool {
    var batch = FeedBatch()
    batch.text = Array("x".utf8)
    let values: [FieldValue] = [
      .id(1), .integer(2), .flag(true), .flag(false), .text(TextRange(start: 0, count: 1)), .wrongType,
    ]
    return values.contains { value in
      var (content, texts) = (Self(), TextTable())
      return !content.set(field, value, batch, &texts) || content != Self()
    }
  }
}
