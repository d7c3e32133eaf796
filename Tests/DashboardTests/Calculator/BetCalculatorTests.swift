import AccountModel
import Localization
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

@Suite("The bet calculator")
struct BetCalculatorTests {
  private func opened(
    _ rich: RichMatch = RichMatch(), rows: Int = 24, columns: Int = 80, account: AccountStatus? = nil
  ) -> Board {
    var board = account == nil ? Board(rows: rows, columns: columns) : .withAccount(rows: rows, columns: columns)
    if let account { board.account(account) } else { board.fill() }
    board.openMatch(rich.match)
    board.updateMatch(rich.match)
    board.paint()
    return board
  }

  private func calculate(_ text: String, _ board: inout Board) {
    board.type(":calculate \(text)")
    board.press(.enter)
    board.paint()
  }

  private func expect(
    _ text: String, in board: Board, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(board.text.contains(text), "\(board.text)", sourceLocation: location)
  }

  @Test("A back bet shows its return and profit, rounded down")
  func back() {
    var board = opened()
    calculate("back 25.01", &board)
    expect("Back 25.01 at 2.45: home", in: board)
    expect("Return 61.27, profit 36.26", in: board)
    expect("Rounded down to 0.01", in: board)
    calculate("back 0.01", &board)
    expect("Return 0.02, profit 0.01", in: board)
    calculate("back 99999999999.99", &board)
    expect("Return 244,999,999,999.97, profit 144,999,999,999.98", in: board)
  }

  @Test("A lay bet shows its liability, rounded up")
  func lay() {
    var board = opened()
    calculate("lay 25.01", &board)
    expect("Liability 36.27, profit 25.01", in: board)
    expect("Rounded up to 0.01", in: board)
    calculate("lay 0.01", &board)
    expect("Liability 0.02, profit 0.01", in: board)
  }

  @Test("A liability gives the largest stake to lay with at most that liability")
  func liability() {
    var rich = RichMatch()
    var board = opened(rich)
    calculate("liability 25", &board)
    expect("Lay with liability 25.00 at 2.45: home", in: board)
    expect("Stake 17.24, liability 25.00, profit 17.24", in: board)
    // The exact liability is 24.998.
    expect("Stake rounded down to 0.01, liability up, no bet is placed", in: board)
    calculate("liability 24.99", &board)
    expect("Stake 17.23, liability 24.99, profit 17.23", in: board)
    calculate("liability 0.01", &board)
    expect("Stake 0.00, liability 0.00, profit 0.00", in: board)
    rich.result[0] = "1"
    board.updateMatch(rich.match)
    board.paint()
    expect("No result: a price is suspended or missing", in: board)
    rich.result[0] = "3"
    board.updateMatch(rich.match)
    calculate("liability 99999999999.99", &board)
    expect("Stake 49,999,999,999.99, liability 99,999,999,999.98", in: board)
    rich.updates = [FeedText.change("BETTING_OFFER", 121, #""statusId":"7""#)]
    board.updateMatch(rich.match)
    board.paint()
    expect("No result: a price is suspended or missing", in: board)
    board.updateMatch(grade: .locked)
    board.paint()
    expect("No result: prices may be out of date", in: board)
  }

  @Test("A dutch bet splits a total among the marked outcomes and shows each stake beside its outcome")
  func dutch() {
    var board = opened(RichMatch(result: ["2", "4", "4"]))
    calculate("dutch 100", &board)
    expect("No result: mark outcomes with x", in: board)
    board.type("xjx")
    board.paint()
    expect("Dutch 100.00 on 2 outcomes", in: board)
    expect("Return 133.32, profit 33.32", in: board)
    expect("Return rounded down to 0.01", in: board)
    expect("✓home", in: board)
    expect("66.67", in: board)
    expect("33.33", in: board)
    board.type("x")
    board.paint()
    expect("Return 200.00, profit 100.00", in: board)
  }

  @Test("Marking an outcome of another market removes the other market's marks")
  func oneMarket() {
    var board = opened()
    board.type("xjxG")
    #expect(board.state.detail.pane?.marks.count == 2)
    board.type("x")
    #expect(board.state.detail.pane?.marks.count == 1)
    board.paint()
    expect("marks of the other market", in: board)
  }

  @Test("A Kelly stake uses the given probability, or the fair one if none is given")
  func kelly() {
    var board = opened()
    calculate("kelly 1000 45%", &board)
    expect("Stake 70.68, return 173.16, profit 102.48", in: board)
    expect("Probability 45.0%", in: board)
    calculate("kelly 1000", &board)
    expect("Fair probability 37.9%", in: board)
    expect("No stake: a probability of 37.9% is too low for 2.45", in: board)
    board.state.settings.kellyFraction = 500
    calculate("kelly 1000 45%", &board)
    expect("Stake 35.34", in: board)
    expect("fraction 0.5", in: board)
  }

  @Test("The result follows the price; a price that is suspended or may be out of date gives no result")
  func movingPrice() {
    var rich = RichMatch()
    var board = opened(rich)
    calculate("back 10", &board)
    expect("Return 24.50", in: board)
    rich.result[0] = "3"
    board.updateMatch(rich.match)
    board.paint()
    expect("Return 30.00", in: board)
    rich.updates = [FeedText.change("BETTING_OFFER", 121, #""statusId":"7""#)]
    board.updateMatch(rich.match)
    board.paint()
    expect("No result: a price is suspended or missing", in: board)
    #expect(!board.text.contains("30.00"))
    rich.updates = []
    board.updateMatch(rich.match)
    board.paint()
    expect("Return 30.00", in: board)
    board.updateMatch(grade: .locked)
    board.paint()
    expect("No result: prices may be out of date", in: board)
    #expect(!board.text.contains("30.00"))
  }

  @Test("A marked outcome that is suspended leaves a dutch bet without a result")
  func suspendedMark() {
    var rich = RichMatch()
    var board = opened(rich)
    calculate("dutch 10", &board)
    board.type("xjx")
    rich.updates = [FeedText.change("BETTING_OFFER", 122, #""statusId":"7""#)]
    board.updateMatch(rich.match)
    board.paint()
    expect("No result: a price is suspended or missing", in: board)
  }

  @Test("Amounts are in the account's currency, with its decimals")
  func currency() {
    var board = opened(account: .live(currency: "JPY"))
    calculate("back 1500", &board)
    expect("Back 1,500 JPY at 2.45: home", in: board)
    expect("Return 3,675, profit 2,175", in: board)
    calculate("back 2.5", &board)
    #expect(board.state.promptBar.prompt?.error != nil)
    board.press(.escape)
    board.account(.live(currency: "KWD"))
    board.paint()
    expect("Return 3,675.000", in: board)
    calculate("back 2.555", &board)
    board.account(.live(currency: "EUR"))
    board.paint()
    expect("No result: EUR has fewer decimals", in: board)
  }

  @Test(
    "Invalid input is refused with the value and the remedy",
    arguments: [
      ("sell 5", "'sell'"), ("back", "'' is not an amount"), ("back 0", "'0'"), ("back -5", "'-5'"),
      ("back 1,000", "'1,000'"), ("back ten", "'ten'"), ("back 5 40%", "'40%'"), ("kelly 5 40", "'40'"),
      ("kelly 5 0%", "'0%'"), ("liability 0", "'0'"), ("liability 5 40%", "'40%'"), ("l 5", "'l'"),
      ("kelly 5 100%", "'100%'"), ("kelly 5 40% 3", "'3'"), ("back 123456789012", "'123456789012'"),
    ])
  func refused(line: String, value: String) {
    var board = opened()
    calculate(line, &board)
    let error = board.state.promptBar.prompt?.error?.sentence.description
    #expect(error?.contains(value) == true, "\(error ?? "accepted")")
    #expect(error != nil && board.state.detail.ticket == nil)
  }

  @Test("b suggests the last input, Esc closes the calculator before the match")
  func keys() {
    var board = opened()
    board.type("b")
    #expect(board.state.promptBar.prompt?.text == "calculate back 10")
    board.press(.enter)
    calculate("kelly 1000.50 45.5%", &board)
    board.type("b")
    #expect(board.state.promptBar.prompt?.text == "calculate kelly 1000.5 45.5%")
    board.press(.escape)
    calculate("liability 0.50", &board)
    board.type("b")
    #expect(board.state.promptBar.prompt?.text == "calculate liability 0.5")
    board.press(.escape, .escape)
    #expect(board.state.detail.ticket == nil && board.state.detail.pane != nil)
    calculate("back 5", &board)
    calculate("off", &board)
    #expect(board.state.detail.ticket == nil && board.state.detail.pane != nil)
    board.press(.escape)
    calculate("back 5", &board)
    #expect(board.state.promptBar.prompt?.error != nil)
  }

  @Test(
    "On an exchange that states no matched stakes the currency is that of the amounts",
    arguments: [OfferSide.back, .lay])
  func currencyOfSizes(side: OfferSide) {
    let size = Amount(units: 50_000_000, currency: Currency("USDC"))
    let price = BettingOffer(id: 1, odds: DecimalOdds(units: 32_000_000))
    let level = price.on(side, level: 0, size: size)
    let prices = ExchangePrices(backs: side == .back ? [level] : [], lays: side == .lay ? [level] : [])
    let outcome = Outcome(id: 1, name: "Bills", offer: price, isBettable: true, exchange: prices)
    let market = Market(id: 1, name: "Winner", outcomes: [outcome], exchange: ExchangeMarket(status: .open))
    var board = opened()
    board.updateMatch(Match(id: 100, labels: Match.Names(name: "Bills - Chiefs"), markets: [market]))
    calculate("back 10", &board)
    expect("Back 10.00 USDC at 3.20: Bills", in: board)
  }

  @Test("On an exchange a lay bet uses the price to lay")
  func exchange() {
    func price(_ units: Int64) -> BettingOffer { BettingOffer(id: OfferID(raw: 1), odds: DecimalOdds(units: units)) }
    func match(lays: [BettingOffer]) -> Match {
      let outcome = Outcome(
        id: OutcomeID(raw: 1), name: "Ajax", offer: price(32_000_000), isBettable: true,
        exchange: ExchangePrices(lays: lays))
      let exchange = ExchangeMarket(status: .open, totalMatched: Amount(units: 0, currency: Currency("GBP")))
      let market = Market(id: MarketID(raw: 1), name: "Match Odds", outcomes: [outcome], exchange: exchange)
      return Match(id: 100, labels: Match.Names(name: "Ajax v Porto"), markets: [market])
    }
    var board = opened()
    board.updateMatch(match(lays: [price(33_000_000)]))
    calculate("lay 10", &board)
    expect("Lay 10.00 GBP at 3.30: Ajax", in: board)
    expect("Liability 23.00, profit 10.00", in: board)
    calculate("back 10", &board)
    expect("Return 32.00, profit 22.00", in: board)
    calculate("liability 23", &board)
    expect("Lay with liability 23.00 GBP at 3.30: Ajax", in: board)
    expect("Stake 10.00, liability 23.00, profit 10.00", in: board)
    calculate("lay 10", &board)
    board.updateMatch(match(lays: []))
    board.paint()
    expect("No result: a price is suspended or missing", in: board)
  }

  @Test(
    "The calculator has its golden text on screens of several sizes",
    arguments: [(24, 80), (10, 40), (5, 20), (60, 200), (40, 120)])
  func screens(rows: Int, columns: Int) {
    for kind in ["back 25", "lay 25", "liability 25", "dutch 100", "kelly 1000 45%"] {
      var board = opened(rows: rows, columns: columns)
      board.type("xjx")
      calculate(kind, &board)
      let name = "calculator-\(kind.split(separator: " ")[0])-\(columns)x\(rows)"
      #expect(board.text == Golden.text(name, recording: board.text), "\(name)")
    }
  }
}
