import OddsClient
import Testing

@Suite("The prices of a market")
struct PricesTests {
  private static func market(_ exchange: ExchangeMarket?, isMatchOver: Bool = false) -> Market {
    let offer = BettingOffer(id: 3, odds: DecimalOdds(units: 25_000_000))
    let outcome = Outcome(id: 2, name: "Ajax", offer: offer, isBettable: true)
    return Market(id: 1, name: "Match Odds", isMatchOver: isMatchOver, outcomes: [outcome], exchange: exchange)
  }

  @Test("are nil on an exchange that takes no bets, or whose image has not arrived, and when the match is over")
  func exchange() {
    let open = ExchangeMarket(status: .open)
    for market in [Self.market(nil), Self.market(open)] {
      #expect(market.prices.map { $0?.description } == ["2.50"])
    }
    for exchange in [
      ExchangeMarket(status: .suspended), ExchangeMarket(status: .unknown),
      ExchangeMarket(status: .open, isAwaitingImage: true),
    ] {
      #expect(Self.market(exchange).prices == [nil])
    }
    for exchange in [nil, open] { #expect(Self.market(exchange, isMatchOver: true).prices == [nil]) }
  }

  @Test("take bets only on an open exchange market, and never as fixed odds")
  func takesBets() {
    let (open, closed) = (Self.market(ExchangeMarket(status: .open)), Self.market(ExchangeMarket(status: .closed)))
    #expect(open.takesBets(on: open.outcomes[0]) && !closed.takesBets(on: closed.outcomes[0]))
    let fixed = Self.market(nil)
    #expect(!fixed.takesBets(on: fixed.outcomes[0]))
  }
}
