import OddsModel

/// Rows of text that state what follows from the messages of a stream alone: no names and no times of changes. Prices
/// and amounts are in ten-millionths.
enum MatchRow {
  typealias Level = (price: Int64, size: Int64)

  static func match(
    _ id: String, _ status: MatchStatus, _ tradingStatus: Freshness.Grade, start: Int64?
  ) -> String {
    "match \(id) \(status.word) \(tradingStatus.word) start=\(text(start))"
  }

  static func market(
    _ id: String, _ status: MarketStatus, isAvailable: Bool, isClosed: Bool, isInPlay: Bool, isAwaitingImage: Bool,
    matched: Int64?
  ) -> String {
    "  market \(id) \(status.word) available=\(isAvailable) closed=\(isClosed) inPlay=\(isInPlay)"
      + " awaitingImage=\(isAwaitingImage) matched=\(text(matched))"
  }

  /// Returns the row of an outcome.
  ///
  /// - Parameters:
  ///   - availableCount: The number of levels that are available.
  ///   - prices: The text of the prices; nil if the market awaits its image.
  static func outcome(
    _ id: String, role: String, _ status: OfferStatus, takesBets: Bool, isBettable: Bool, availableCount: Int,
    lastTraded: Int64?, matched: Int64?, prices: String?
  ) -> String {
    "    outcome \(id) \(role) \(status.word) takesBets=\(takesBets) bettable=\(isBettable)"
      + " available=\(availableCount) last=\(text(lastTraded)) matched=\(text(matched)) \(prices ?? "unknown")"
  }

  /// Returns the text of an outcome's prices. `offer` has the price of the outcome's offer, or nothing.
  static func prices(offer: [Level], backs: [Level], lays: [Level]) -> String {
    "offer=\(text(offer)) backs=\(text(backs)) lays=\(text(lays))"
  }

  private static func text(_ levels: [Level]) -> String {
    "[" + levels.map { "\($0.price)x\($0.size)" }.joined(separator: " ") + "]"
  }

  private static func text(_ units: Int64?) -> String { units.map { "\($0)" } ?? "-" }
}

extension Match {
  /// The match, its markets and their outcomes as rows of text.
  var rows: [String] {
    var rows = [MatchRow.match("\(id)", status, tradingStatus, start: startTime)]
    for market in markets {
      guard let exchange = market.exchange else {
        rows.append("  market \(market.id) has no state of an exchange")
        continue
      }
      rows.append(
        MatchRow.market(
          "\(market.id)", exchange.status, isAvailable: market.isAvailable, isClosed: market.isClosed,
          isInPlay: exchange.isInPlay, isAwaitingImage: exchange.isAwaitingImage,
          matched: exchange.totalMatched?.units))
      for outcome in market.outcomes { rows.append(outcome.row(in: market)) }
    }
    return rows
  }
}

extension Outcome {
  fileprivate func row(in market: Market) -> String {
    let backs = exchange?.backs ?? []
    let lays = exchange?.lays ?? []
    var offered: [MatchRow.Level] = []
    if let offer, offer.odds != nil { offered.append(offer.priceAndSize) }
    let prices = MatchRow.prices(
      offer: offered, backs: backs.map(\.priceAndSize), lays: lays.map(\.priceAndSize))
    return MatchRow.outcome(
      "\(id)", role: key, offer?.status ?? .unknown, takesBets: market.takesBets(on: self), isBettable: isBettable,
      availableCount: (backs + lays).count(where: \.isAvailable), lastTraded: exchange?.lastTraded?.units,
      matched: exchange?.matched?.units, prices: market.exchange?.isAwaitingImage == true ? nil : prices)
  }
}

extension BettingOffer {
  fileprivate var priceAndSize: MatchRow.Level { (price: odds?.units ?? 0, size: size?.units ?? 0) }
}
