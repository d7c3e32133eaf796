import OddsModel
import Testing

@testable import Dashboard

/// Prices that vanish, and prices whose image is missing, in plain text.
struct PlainWithdrawalTests {
  private static let awaited = ExchangeMarket(status: .open, isAwaitingImage: true)
  private static let open = ExchangeMarket(status: .open)
  private static let prices: KeyValuePairs<String, Int64?> = ["home": 24, "draw": 31, "away": 29]

  /// Returns a match with one market. The prices are in tenths by the columns; nil is an offer without a price.
  private static func match(
    _ prices: KeyValuePairs<String, Int64?>, _ status: OfferStatus = .standard, _ exchange: ExchangeMarket? = nil
  ) -> Match {
    let isOpen = exchange.map { $0.status == .open && !$0.isAwaitingImage } ?? true
    let outcomes = prices.enumerated().map { index, price in
      let id = UInt64(index)
      let odds = price.value.map { DecimalOdds(units: $0 * 1_000_000) }
      let offer = BettingOffer(id: OfferID(raw: id), odds: odds, status: status)
      return Outcome(
        id: OutcomeID(raw: id), name: price.key, key: price.key, offer: offer,
        isBettable: odds != nil && status == .standard && isOpen)
    }
    return match(Market(id: MarketID(raw: 1), name: "Result", outcomes: outcomes, exchange: exchange))
  }

  private static func match(_ market: Market?) -> Match {
    Match(id: 100, labels: Match.Names(name: "Ajax - Porto"), status: .inProgress, markets: market.map { [$0] } ?? [])
  }

  /// Returns the line after each state of the match, without the name and the full stop; nil if there is none.
  private func lines(_ states: Match...) throws -> [String?] {
    var plain = try TestPlainBoard()
    return states.map { state in
      plain.apply(state)
      plain.wait(.seconds(6))
      let lines = plain.newLines().filter { $0.hasPrefix("Ajax - Porto: ") }
      #expect(lines.count < 2)
      return lines.first.map { String($0.dropFirst(14).dropLast()) }
    }
  }

  @Test("A price whose outcome is deleted is withdrawn, and written again when it returns")
  func price() throws {
    let lines = try lines(
      Self.match(Self.prices), Self.match(["home": 24, "away": 29]), Self.match(["home": 24, "away": 28]),
      Self.match(["home": 24, "draw": 31, "away": 28]))
    #expect(
      lines == ["new; home 2.40; draw 3.10; away 2.90", "draw withdrawn", "away 2.80, down from 2.90", "draw 3.10"])
  }

  @Test("On an exchange, a price that nobody offers is withdrawn")
  func offer() throws {
    let lines = try lines(
      Self.match(["home": 24, "away": 29], .standard, Self.open),
      Self.match(["home": nil, "away": 29], .standard, Self.open))
    #expect(lines.last == "home withdrawn")
  }

  @Test("A last traded price that vanishes is withdrawn")
  func lastTraded() throws {
    let lines = try lines(
      Self.match(["home": 24, "away": 29], .lastTraded, Self.open), Self.match(["home": 24], .lastTraded, Self.open))
    #expect(lines == ["new; home last traded 2.40; away last traded 2.90", "away withdrawn"])
  }

  @Test("A market that vanishes is withdrawn, and its prices are written again when it returns")
  func market() throws {
    let lines = try lines(Self.match(Self.prices), Self.match(nil), Self.match(nil), Self.match(Self.prices))
    #expect(
      lines == [
        "new; home 2.40; draw 3.10; away 2.90", "withdrawn", nil, "home 2.40; draw 3.10; away 2.90",
      ])
  }

  @Test("A suspended market that loses its outcomes or vanishes is not open again before it has prices")
  func suspendedMarket() throws {
    let lines = try lines(
      Self.match(Self.prices, .suspended), Self.match([:]), Self.match(nil), Self.match(Self.prices, .suspended),
      Self.match(Self.prices))
    #expect(lines == ["new; suspended", nil, nil, nil, "open again; home 2.40; draw 3.10; away 2.90"])
  }

  @Test("A suspended match is not open again while its market awaits its image")
  func awaitedImage() throws {
    let lines = try lines(
      Self.match(["home": 24], .standard, Self.open),
      Self.match(["home": 24], .standard, ExchangeMarket(status: .suspended)),
      Self.match(["home": 24], .standard, Self.awaited), Self.match(["home": 25], .standard, Self.open))
    #expect(lines == ["new; home 2.40", "suspended", nil, "open again; home 2.50"])
  }

  @Test("While a market awaits its image, no price is written; then prices are compared with those written before")
  func awaitedPrices() throws {
    let lines = try lines(
      Self.match(["home": 24, "draw": 31, "away": 29], .standard, Self.open),
      Self.match(["home": 26, "draw": 31], .suspended, Self.awaited),
      Self.match(["home": 25, "draw": nil, "away": 29], .standard, Self.open))
    #expect(lines == ["new; home 2.40; draw 3.10; away 2.90", nil, "home 2.50, up from 2.40; draw withdrawn"])
  }

  @Test("A match that is first seen without its image has no price before the image arrives")
  func unknownAtFirst() throws {
    let lines = try lines(
      Self.match(["home": 24, "away": 29], .suspended, Self.awaited),
      Self.match(["home": 24, "away": 29], .suspended, Self.open))
    #expect(lines == ["new", "home suspended; away suspended"])
  }
}
