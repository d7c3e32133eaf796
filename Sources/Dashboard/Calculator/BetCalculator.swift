import AccountModel
import Localization
import OddsModel
import TerminalCore

/// The results of the bet calculator for one frame, with the prices that the pane shows.
struct BetCalculator {
  /// A row below the markets: forms of a text from the longest, of which the first that fits is shown.
  struct Row: Equatable {
    enum Kind: Equatable { case title, result, noResult, note }

    let kind: Kind
    let forms: [String]
  }

  /// The reason why there is no result.
  private enum Obstacle: Error {
    case uncertain, noPrice, noMark, noFairPrice, decimals
  }

  private struct Selection {
    let odds: DecimalOdds
    let market: Market
    /// The index of the outcome in the market.
    let index: Int

    /// Returns the fair probability, in ten-millionths; nil if there is none.
    func fairChance(_ method: MarginMethod) -> Int64? {
      FairPrices(market, method)?.probabilities[index].map {
        Int64(($0 * Double(BetCalculation.certainty)).rounded())
      }
    }
  }

  static let rowCount = 3

  private(set) var rows: [Row] = []
  /// The stakes on the marked outcomes, in parts of `unit`. Empty for another kind, and without a result.
  private(set) var stakes: [OutcomeKey: Int128] = [:]
  let unit: MoneyUnit

  private let ticket: BetTicket
  private let pane: DetailPane
  private let isTrusted: Bool
  private let settings: BoardSettings
  private let words: Catalog
  /// The mark in place of a price that cannot be used.
  private let unknown: String

  /// Returns nil if the calculator is not open.
  init?(of state: borrowing BoardState, _ pane: DetailPane) {
    guard let ticket = state.detail.ticket else { return nil }
    self.ticket = ticket
    self.pane = pane
    isTrusted = pane.isCurrent(state.connection, isFrozen: state.list.isFrozen)
    settings = state.settings
    words = state.words
    unknown = Glyphs(state.glyphs).unknown
    unit = state.moneyUnit
    rows = [title, result(), note]
  }

  /// Returns the first `count` rows; if there is room for one only, the result.
  func rows(fitting count: Int) -> [Row] {
    switch count {
    case ..<1: []
    case 1: [rows[1]]
    default: Array(rows.prefix(count))
    }
  }

  // MARK: Texts

  private var title: Row {
    let amount =
      ticket.amount(in: unit).map { words.money($0, in: unit) } ?? words.money(ticket.amount, in: ticket.unit)
    if ticket.kind == .dutch { return Row(kind: .title, forms: [words(.calculatorDutch, pane.marks.count, amount)]) }
    let name = pane.chosenOutcome?.outcome.name ?? ""
    let odds = (try? selection(pane.chosen)).map { text($0.odds) } ?? unknown
    let key: MessageKey =
      switch ticket.kind {
      case .back, .dutch: .calculatorBack
      case .lay: .calculatorLay
      case .liability: .calculatorLayLiability
      case .kelly: .calculatorKelly
      }
    return Row(kind: .title, forms: [words(key, amount, name, odds)])
  }

  private func text(_ odds: DecimalOdds) -> String { "\(words.price(odds, settings.odds))" }

  private var note: Row {
    let smallest = words.money(1, in: unit)
    var parts: [String] = []
    switch ticket.kind {
    case .back: parts = [words(.calculatorDown, smallest)]
    case .lay: parts = [words(.calculatorUp, smallest)]
    case .liability: parts = [words(.calculatorStakeDown, smallest), words(.calculatorLiabilityUp)]
    // The stakes are rounded down or up: they add up to the total.
    case .dutch: parts = [words(.calculatorReturnDown, smallest)]
    case .kelly:
      if let chance = ticket.chance {
        parts.append(words(.calculatorChance, percent(chance)))
      } else if let chance = (try? selection(pane.chosen))?.fairChance(settings.marginMethod) {
        parts.append(words(.calculatorFairChance, percent(chance)))
      }
      parts.append(words(.calculatorFraction, "\(words.decimal(Double(settings.kellyFraction) / 1000))"))
      parts.append(words(.calculatorDown, smallest))
    }
    let all = parts + [words(.calculatorNoBet)]
    return Row(kind: .note, forms: [joined(all), joined(parts), parts[0].capitalizedFirst])
  }

  private func joined(_ parts: [String]) -> String {
    words.text(parts.map(LocalizedMessage.verbatim), joinedBy: .joinedWords).capitalizedFirst
  }

  /// Returns a probability in per cent with one decimal.
  private func percent(_ chance: Int64) -> String {
    "\(words.tenths(Int((chance + 5_000) / 10_000)))"
  }

  // MARK: Results

  private mutating func result() -> Row {
    do throws(Obstacle) {
      guard let amount = ticket.amount(in: unit) else { throw Obstacle.decimals }
      let parts: [String]
      switch ticket.kind {
      case .back: parts = back(amount, try selection(pane.chosen))
      case .lay: parts = lay(amount, try selection(pane.chosen))
      case .liability: parts = try lay(liability: amount)
      case .dutch: parts = try dutch(amount)
      case .kelly: parts = try kelly(amount)
      }
      return Row(kind: .result, forms: (1...parts.count).reversed().map { joined(Array(parts.prefix($0))) })
    } catch {
      return Row(kind: .noResult, forms: [text(of: error)])
    }
  }

  private func number(_ parts: Int128) -> String { words.number(parts, in: unit) }

  private func back(_ stake: Int128, _ selection: Selection) -> [String] {
    let payout = BetCalculation.payout(of: stake, at: selection.odds)
    return [words(.calculatorReturn, number(payout)), words(.calculatorProfit, number(payout - stake))]
  }

  private func lay(_ stake: Int128, _ selection: Selection) -> [String] {
    let liability = BetCalculation.liability(of: stake, at: selection.odds)
    return [words(.calculatorLiability, number(liability)), words(.calculatorProfit, number(stake))]
  }

  private func lay(liability: Int128) throws(Obstacle) -> [String] {
    let selection = try selection(pane.chosen)
    guard let stake = BetCalculation.layStake(liability: liability, at: selection.odds) else { throw .noPrice }
    return [words(.calculatorStake, number(stake))] + lay(stake, selection)
  }

  private mutating func dutch(_ total: Int128) throws(Obstacle) -> [String] {
    let keys = pane.list.outcomes.compactMap(pane.list.key).filter(pane.marks.contains)
    if keys.isEmpty, pane.marks.isEmpty { throw .noMark }
    // A marked outcome that the match no longer has is one without a price.
    if keys.count < pane.marks.count { throw isTrusted ? .noPrice : .uncertain }
    var prices: [DecimalOdds] = []
    for key in keys { prices.append(try selection(key).odds) }
    let stakes = BetCalculation.dutchStakes(total: total, prices: prices)
    self.stakes = Dictionary(uniqueKeysWithValues: zip(keys, stakes))
    let payout = zip(stakes, prices).map { BetCalculation.payout(of: $0, at: $1) }.min() ?? 0
    return [words(.calculatorReturn, number(payout)), words(.calculatorProfit, number(payout - total))]
  }

  private func kelly(_ bank: Int128) throws(Obstacle) -> [String] {
    let selection = try selection(pane.chosen)
    guard let chance = ticket.chance ?? selection.fairChance(settings.marginMethod) else { throw .noFairPrice }
    guard
      let stake = BetCalculation.kellyStake(
        bank: bank, at: selection.odds, chance: chance, fraction: settings.kellyFraction)
    else { return [words(.calculatorNoStake, percent(chance), text(selection.odds))] }
    return [words(.calculatorStake, number(stake))] + back(stake, selection)
  }

  /// Returns an outcome with a price that can be bet on, above 1. For a lay bet on an exchange it is the best price to
  /// lay.
  private func selection(_ key: OutcomeKey?) throws(Obstacle) -> Selection {
    if !isTrusted { throw .uncertain }
    guard let match = pane.match, let key, let position = pane.list.position(of: key),
      case let entry = pane.list.entries[position], let index = entry.outcome
    else { throw .noPrice }
    let market = match.markets[Int(entry.market)]
    let outcome = market.outcomes[Int(index)]
    if PriceCell(outcome, in: market).state == .doubtful { throw .uncertain }
    var odds: DecimalOdds?
    if ticket.kind.isLay, market.exchange != nil {
      odds = market.takesBets(on: outcome) ? outcome.exchange?.lays.first?.odds : nil
    } else if PriceCell(outcome, in: market).state == .live {
      odds = outcome.offer?.odds
    }
    guard let odds, odds.units > DecimalOdds.unitsPerOne, odds <= DecimalOdds.limit else { throw .noPrice }
    return Selection(odds: odds, market: market, index: Int(index))
  }

  private func text(of obstacle: Obstacle) -> String {
    switch obstacle {
    case .uncertain: words(.calculatorUncertain)
    case .noPrice: words(.calculatorNoPrice)
    case .noMark: words(.calculatorNoMark, settings.keys.name(of: .mark, words))
    case .noFairPrice: words(.calculatorNoFairPrice)
    case .decimals: words(.calculatorDecimals, unit.code)
    }
  }
}

extension BoardState {
  /// The unit of money: the currency of the account's wallet; without a wallet, that of the exchange market of the
  /// selected outcome.
  var moneyUnit: MoneyUnit {
    MoneyUnit(
      account?.status.shownWallet?.currency
        ?? detail.pane?.chosenOutcome?.market.currency?.description)
  }
}

extension Market {
  /// The currency of the amounts on an exchange; nil while there are no amounts, and for a market with fixed odds.
  fileprivate var currency: Currency? {
    if let matched = exchange?.totalMatched { return matched.currency }
    for outcome in outcomes {
      let best = outcome.exchange?.backs.first ?? outcome.exchange?.lays.first
      if let size = best?.size { return size.currency }
    }
    return nil
  }
}
