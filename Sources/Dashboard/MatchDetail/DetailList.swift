import OddsFeed

/// The lines of a match's pane: its markets, those first that head the list, lines of one market together, and below each
/// its outcomes.
struct DetailList: Sendable {
  /// A market, or one of its outcomes, by their places in the match.
  struct Entry: Hashable, Sendable {
    let market: Int32
    /// Nil for the market itself.
    let outcome: Int32?
  }

  private(set) var entries: [Entry] = []
  /// The positions of outcomes.
  private(set) var outcomes: [Int] = []
  private var keys: [OutcomeKey?] = []
  private var positions: [OutcomeKey: Int] = [:]

  init() {}

  init(_ match: Match) {
    for place in Self.order(of: match.markets) {
      let market = match.markets[place]
      entries.append(Entry(market: Int32(place), outcome: nil))
      keys.append(nil)
      let ranks = market.outcomes.map(\.rank)
      for outcome in market.outcomes.indices.sorted(by: { (ranks[$0], $0) < (ranks[$1], $1) }) {
        let key = OutcomeKey(market: market.id, outcome: market.outcomes[outcome].id)
        positions[key] = entries.count
        outcomes.append(entries.count)
        entries.append(Entry(market: Int32(place), outcome: Int32(outcome)))
        keys.append(key)
      }
    }
  }

  var count: Int { entries.count }
  var keySet: Set<OutcomeKey> { Set(positions.keys) }

  func isMarket(_ position: Int) -> Bool { entries[position].outcome == nil }
  func key(_ position: Int) -> OutcomeKey? { keys[position] }
  func position(of key: OutcomeKey) -> Int? { positions[key] }

  /// Which of the outcomes it is, from the top.
  func place(of key: OutcomeKey) -> Int? {
    guard let position = positions[key] else { return nil }
    var (low, high) = (0, outcomes.count)
    while low < high {
      let middle = (low + high) / 2
      if outcomes[middle] < position { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The outcome at a position, or the next one, or the last.
  func outcome(near position: Int) -> OutcomeKey? {
    (outcomes.first { $0 >= position } ?? outcomes.last).flatMap { keys[$0] }
  }

  /// True where the same markets and outcomes stand in the same order under the same names.
  static func isSame(_ old: Match, _ new: Match) -> Bool {
    old.markets.count == new.markets.count
      && zip(old.markets, new.markets).allSatisfy { old, new in
        old == new || old.isPlaced(as: new)
      }
  }

  /// Markets that the feed names as main in its order, then all others by the name of their kind; of a kind by the line.
  private static func order(of markets: [Market]) -> [Int] {
    struct Rank {
      let main: Int
      let kind: String
      let type: UInt64
      let line: Double
      let id: MarketID
    }
    let ranks = markets.map { market in
      let (kind, number) = market.name.splitNumber
      return Rank(
        main: market.mainMarketRank ?? .max, kind: market.isMain ? "" : kind, type: market.bettingTypeID,
        line: market.line.map { Double($0) / Double(DecimalOdds.unitsPerOne) } ?? number ?? 0, id: market.id)
    }
    return markets.indices.sorted { left, right in
      let (a, b) = (ranks[left], ranks[right])
      if a.main != b.main { return a.main < b.main }
      if a.kind != b.kind { return a.kind < b.kind }
      if a.type != b.type { return a.type < b.type }
      return a.line != b.line ? a.line < b.line : a.id < b.id
    }
  }
}

extension Market {
  /// True where it and its outcomes stand where the other's do.
  fileprivate func isPlaced(as other: Market) -> Bool {
    guard id == other.id, name == other.name, line == other.line, mainMarketRank == other.mainMarketRank,
      bettingTypeID == other.bettingTypeID, outcomes.count == other.outcomes.count
    else { return false }
    return zip(outcomes, other.outcomes).allSatisfy { $0.id == $1.id && $0.key == $1.key }
  }
}

extension Outcome {
  /// As every bookmaker lists them: home, draw, away; over, under.
  fileprivate var rank: Int {
    switch key {
    case "home", "over", "yes": 0
    case "draw": 1
    case "away", "under", "no": 2
    default: 3
    }
  }
}

extension String {
  /// The text without its numbers, and the last of them.
  fileprivate var splitNumber: (kind: String, number: Double?) {
    var kind = ""
    var number: Double?
    var digits = ""
    func isPart(_ character: Character) -> Bool {
      character.isASCII && character.isNumber || (character == "." && !digits.isEmpty)
        || ((character == "-" || character == "+") && digits.isEmpty && (kind.last == " " || kind.last == nil))
    }
    for character in self {
      if isPart(character) {
        digits.append(character)
        continue
      }
      if let value = Double(digits) { number = value } else { kind += digits }
      digits = ""
      kind.append(character)
    }
    if let value = Double(digits) { number = value } else { kind += digits }
    return (kind, number)
  }
}
