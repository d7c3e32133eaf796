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
    if let field = node.boardField { throw FilterError(at: 0, LocalizedMessage(.ruleNoField, field)) }
    self.text = text
    self.node = node
  }

  /// True if the result can change with time while the match stays the same.
  var isTimed: Bool { node.isTimed }

  /// Returns true or false where the filter shows or hides a match, and nil if that depends on a price that cannot be
  /// bet on at present, so that no alert comes from a price that may be out of date.
  ///
  /// - Parameter price: The price that `odds` and `suspended` refer to; nil for those of the row.
  func holds(_ row: MatchRow, price: PriceCell?, margin: Double?, wall: Int64) -> Bool? {
    // An exchange has not sent its prices yet.
    if row.tradingStatus == .locked { return nil }
    return node.decision(State(row: row, price: price, margin: margin, context: FilterContext(wall: wall)))
  }

  fileprivate struct State {
    let row: MatchRow
    let price: PriceCell?
    let margin: Double?
    let context: FilterContext
  }
}

extension FilterNode {
  /// The first field that depends on what a board has shown or what its user has done; nil if there is none.
  fileprivate var boardField: String? {
    switch self {
    case .all(let nodes), .any(let nodes): nodes.lazy.compactMap(\.boardField).first
    case .not(let node): node.boardField
    case .number(.move, _, _): FilterField.move.rawValue
    case .flag(.pinned): FilterFlag.pinned.rawValue
    case .flag, .number, .score, .text, .sport, .words: nil
    }
  }

  /// Evaluates the condition. A comparison with a price that cannot be bet on is undecided. So is a condition of which
  /// such a comparison decides the result.
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
      let cells =
        state.price.map { [$0] } ?? PriceTriple.indices.map { state.row.prices[$0] }.filter { $0.state != .none }
      if cells.contains(where: { $0.bettable.map { comparison.holds($0.units, value) } ?? false }) { return true }
      return cells.isEmpty || cells.contains { $0.bettable == nil } ? nil : false
    case .number(.margin, let comparison, let value):
      return state.margin.map { comparison.holds(Int64(($0 * 1000).rounded()) * (DecimalOdds.unitsPerOne / 10), value) }
    case .number(let field, let comparison, let value) where field.isPrice:
      return state.row.number(field, at: state.context.wall).map { comparison.holds($0, value) }
    case .flag(.suspended):
      guard let price = state.price else { return matches(state.row, state.context) }
      return state.row.tradingStatus == .suspended || price.state == .suspended
    case .flag, .number, .score, .text, .sport, .words: return matches(state.row, state.context)
    }
  }
}

extension FilterField {
  fileprivate var isPrice: Bool { kind == .price }
}
