import Localization
import OddsModel

/// A condition in the language of filters: `minute > 80 and lead = 0`.
struct AlertCondition: Hashable, Sendable {
  /// The condition as it was written.
  let text: String
  let node: FilterNode

  /// Parses a condition.
  ///
  /// - Throws: `FilterError`, also for a field that depends on what a board has shown.
  init(_ text: String) throws(FilterError) {
    guard let node = try FilterParser.node(text) else {
      throw FilterError(at: text.count, LocalizedMessage(.alertNoEvent))
    }
    // These depend on what a board has shown or what its user has done.
    if let field = node.firstName(of: [.move], or: [.pinned]) {
      throw FilterError(at: 0, LocalizedMessage(.ruleNoField, field))
    }
    self.text = text
    self.node = node
  }

  /// Returns the decision on a match, which holds if a filter with this condition would show the match. Nil if that
  /// depends on a price that cannot be bet on at present or is missing, so that no alert comes from a price that may be
  /// out of date.
  ///
  /// - Parameter price: The price that `odds` and `suspended` refer to; nil for those of the row.
  func decide(_ current: ConditionRow, price: PriceCell?, margin: Double?, wall: Int64) -> AlertDecision? {
    // The first image of the main market on an exchange has not arrived, so its prices are unknown.
    if current.row.tradingStatus == .locked { return nil }
    var state = State(
      current: current, price: price, margin: margin, context: FilterContext(wall: wall),
      hasPrices: !current.market.isMissing)
    guard let holds = node.decision(state) else { return nil }
    state.hasPrices = false
    return AlertDecision(holds: holds, restsOnPrices: node.decision(state) == nil, market: current.market.shape)
  }

  fileprivate struct State {
    let current: ConditionRow
    let price: PriceCell?
    let margin: Double?
    let context: FilterContext
    /// False if the prices of the main market, and whether they are suspended, are unknown.
    var hasPrices: Bool

    var row: MatchRow { current.row }
    var market: MainMarket { current.market }
  }
}

/// The result of a condition.
struct AlertDecision: Hashable, Sendable {
  let holds: Bool
  /// True if the result depends on prices of the main market.
  let restsOnPrices: Bool
  /// The main market at the time; nil if the match has had none.
  let market: MainMarket.Shape?
}

extension FilterNode {
  /// Evaluates the condition. A comparison with a price that cannot be bet on or is missing is undecided. So is a
  /// condition of which such a comparison decides the result.
  fileprivate func decision(_ state: AlertCondition.State) -> Bool? {
    switch self {
    case .all(let nodes):
      let decisions = nodes.map { $0.decision(state) }
      if decisions.contains(false) { return false }
      return decisions.contains(nil) ? nil : true
    case .any(let nodes):
      let decisions = nodes.map { $0.decision(state) }
      if decisions.contains(true) { return true }
      return decisions.contains(nil) ? nil : false
    case .not(let node): return node.decision(state).map { !$0 }
    case .number(.odds, let comparison, let value):
      if state.price == nil, !state.hasPrices { return nil }
      let cells =
        state.price.map { [$0] } ?? PriceTriple.indices.map { state.row.prices[$0] }.filter { $0.state != .none }
      if cells.contains(where: { $0.bettable.map { comparison.holds($0.units, value) } ?? false }) { return true }
      return cells.isEmpty || cells.contains { $0.bettable == nil } ? nil : false
    case .number(.margin, let comparison, let value):
      if !state.hasPrices { return nil }
      return state.margin.map { comparison.holds(Int64(($0 * 1000).rounded()) * (DecimalOdds.unitsPerOne / 10), value) }
    case .number(let field, let comparison, let value) where field.isPrice:
      if !state.hasPrices { return nil }
      if let column = field.column, state.market.shape?.columns.contains(column) == false { return false }
      return state.row.number(field, at: state.context.wall).map { comparison.holds($0, value) }
    case .flag(.suspended):
      if state.price?.state == .suspended { return true }
      if !state.hasPrices || state.price?.state == .doubtful { return nil }
      return state.price == nil ? matches(state.row, state.context) : state.row.tradingStatus == .suspended
    case .flag, .number, .score, .text, .sport, .words: return matches(state.row, state.context)
    }
  }
}

extension FilterField {
  fileprivate var isPrice: Bool { kind == .price }

  /// The column whose price the field is; nil for another field.
  fileprivate var column: Int? {
    switch self {
    case .home: 0
    case .draw: 1
    case .away: 2
    default: nil
    }
  }
}
