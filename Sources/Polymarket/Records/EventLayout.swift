import OddsModel

/// The markets of an event as the store has them.
///
/// Of a game that can be drawn, Polymarket has a market with Yes and No for each of the three results. They become one
/// market with three outcomes, the tokens of Yes.
struct EventLayout: Hashable {
  struct Market: Hashable {
    /// The id of Gamma's market; of several, the lowest.
    var id: UInt64
    var name: String
    var type: String
    /// The handicap or total, in ten-millionths.
    var line: Int64?
    /// The time by which a bet is delayed, in seconds.
    var delay: Int64?
    /// True for the first market of its type that Gamma does not close.
    var isMainLine: Bool
    var status: MarketStatus
    var outcomes: [Outcome]
  }

  struct Outcome: Hashable {
    var id: UInt64
    var name: String
    var key: String
    var token: TokenID
    /// True if bets are taken on this outcome.
    var isOpen: Bool
  }

  var markets: [Market] = []

  /// The kinds of main markets, the first one first.
  static let mainTypes = ["moneyline", "spreads", "totals"]

  /// Creates the layout of an event. Markets with a token in `resolved` are closed, whatever Gamma says.
  init(_ event: GammaEvent, resolved: Set<TokenID> = []) {
    let results = event.markets.filter { $0.type == "moneyline" && $0.isQuestion }
    var seen: Set<String> = []
    if results.count > 1 {
      markets.append(Self.joined(results, event, resolved))
      seen.insert("moneyline")
    }
    for market in event.markets where !market.tokens.isEmpty && !(results.count > 1 && results.contains(market)) {
      let isMainLine = !market.isClosed && seen.insert(market.type).inserted
      let status = Self.status(of: market, resolved)
      let outcomes = market.outcomes.indices.map { index in
        Outcome(
          id: Self.outcomeID(market, index), name: market.outcomes[index],
          key: Self.key(market.outcomes[index], index, of: market, event), token: market.tokens[index],
          isOpen: status == .open)
      }
      markets.append(
        Market(
          id: market.id, name: market.question, type: market.type, line: market.line, delay: market.delay,
          isMainLine: isMainLine, status: status, outcomes: outcomes))
    }
  }

  private static func joined(_ results: [GammaMarket], _ event: GammaEvent, _ resolved: Set<TokenID>) -> Market {
    let statuses = results.map { status(of: $0, resolved) }
    let outcomes = zip(results, statuses).map { market, status in
      Outcome(
        id: outcomeID(market, 0), name: market.groupTitle.isEmpty ? market.question : market.groupTitle,
        key: resultKey(market, event), token: market.tokens[0], isOpen: status == .open)
    }
    // The market is as open as its most open part: each outcome has its own state.
    let best: MarketStatus = [.open, .suspended, .inactive].first { statuses.contains($0) } ?? .closed
    return Market(
      id: results.map(\.id).min()!, name: event.title, type: "moneyline", line: nil,
      delay: results.compactMap(\.delay).max(), isMainLine: true, status: best, outcomes: outcomes)
  }

  private static func outcomeID(_ market: GammaMarket, _ index: Int) -> UInt64 {
    market.id * 10 + UInt64(min(index, 9))
  }

  private static func status(of market: GammaMarket, _ resolved: Set<TokenID>) -> MarketStatus {
    if market.isClosed || market.tokens.contains(where: resolved.contains) { return .closed }
    if !market.isActive { return .inactive }
    return market.takesOrders ? .open : .suspended
  }

  /// Returns the role of a result of a game that can be drawn.
  private static func resultKey(_ market: GammaMarket, _ event: GammaEvent) -> String {
    let name = market.groupTitle.isEmpty ? market.question : market.groupTitle
    if name.lowercased().hasPrefix("draw") || market.question.contains("end in a draw") { return "draw" }
    guard let (first, second) = event.participants else { return "" }
    let key = side(of: name, first, second)
    return key.isEmpty ? side(of: market.question, first, second) : key
  }

  private static func key(_ name: String, _ index: Int, of market: GammaMarket, _ event: GammaEvent) -> String {
    switch name.lowercased() {
    case "over": return "over"
    case "under": return "under"
    case "yes": return "yes"
    case "no": return "no"
    case "draw": return "draw"
    default: break
    }
    guard let (first, second) = event.participants, mainTypes.contains(market.type) else { return "" }
    return side(of: name, first, second)
  }

  /// Returns the role of the participant that a text names; empty if it could name both, such as "Michigan State" in a
  /// game against "Michigan" that is not exactly one of the names.
  private static func side(of name: String, _ first: String, _ second: String) -> String {
    if name == first { return "home" }
    if name == second { return "away" }
    // One name can contain the other: "Chiefs" and "Kansas City Chiefs".
    let (isFirst, isSecond) = (
      first.contains(name) || name.contains(first), second.contains(name) || name.contains(second)
    )
    if isFirst == isSecond { return "" }
    return isFirst ? "home" : "away"
  }
}

extension GammaMarket {
  /// True if the market's outcomes are Yes and No, in this order.
  var isQuestion: Bool { outcomes.count == 2 && tokens.count == 2 && outcomes[0] == "Yes" && outcomes[1] == "No" }
}

extension GammaEvent {
  /// The tokens of markets that are not closed.
  package var openTokens: [TokenID] {
    EventLayout(self).markets.filter { $0.status != .closed }.flatMap { $0.outcomes.map(\.token) }
  }

  /// Returns the event with its main markets only: results, and the first open handicap and total.
  package var main: GammaEvent {
    var event = self
    var seen: Set<String> = []
    event.markets.removeAll { market in
      if market.type == "moneyline" { return false }
      guard EventLayout.mainTypes.contains(market.type), !market.isClosed else { return true }
      return !seen.insert(market.type).inserted
    }
    return event
  }

  /// Returns the event with the markets closed that have one of the tokens, whatever Gamma says.
  func closed(_ resolved: Set<TokenID>) -> GammaEvent {
    var event = self
    for index in markets.indices where markets[index].tokens.contains(where: resolved.contains) {
      event.markets[index].isClosed = true
    }
    return event
  }

  /// True if the event is a game with a market of its result.
  package var isGame: Bool {
    gameID != nil && markets.contains { $0.type == "moneyline" && !$0.tokens.isEmpty }
  }
}

extension EventLayout {
  /// Returns true if both have the same markets with the same outcomes, including their names. The names and states of
  /// the markets do not count.
  func hasShape(of other: EventLayout) -> Bool {
    markets.count == other.markets.count
      && zip(markets, other.markets).allSatisfy { left, right in
        left.id == right.id && left.type == right.type
          && left.outcomes.map(\.shape) == right.outcomes.map(\.shape)
      }
  }
}

extension EventLayout.Outcome {
  fileprivate struct Shape: Equatable {
    var id: UInt64
    var token: TokenID
    var name: String
    var key: String
  }

  fileprivate var shape: Shape { Shape(id: id, token: token, name: name, key: key) }
}
