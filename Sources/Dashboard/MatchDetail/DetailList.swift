import Algorithms
import OddsModel

/// The rows of the detail pane: the main markets first, markets that differ only in their handicap together, and the
/// outcomes below each market. Below an outcome of an exchange is its ladder.
struct DetailList: Sendable {
  /// A market, one of its outcomes or a row of an outcome's ladder. Markets and outcomes are indices in the match.
  struct Entry: Hashable, Sendable {
    let market: Int32
    /// Nil for the market itself.
    let outcome: Int32?
    /// The row of the outcome's ladder; nil for the outcome itself.
    var ladder: Int8?
  }

  private(set) var entries: [Entry] = []
  /// The positions of the outcomes in `entries`.
  private(set) var outcomes: [Int] = []
  private var keys: [OutcomeKey?] = []
  private var positions: [OutcomeKey: Int] = [:]

  init() {}

  init(_ match: Match) {
    for index in Self.order(of: match.markets) {
      let market = match.markets[index]
      entries.append(Entry(market: Int32(index), outcome: nil))
      keys.append(nil)
      let ranks = market.outcomes.map(\.rank)
      for outcome in market.outcomes.indices.sorted(by: { (ranks[$0], $0) < (ranks[$1], $1) }) {
        let key = OutcomeKey(market: market.id, outcome: market.outcomes[outcome].id)
        positions[key] = entries.count
        outcomes.append(entries.count)
        entries.append(Entry(market: Int32(index), outcome: Int32(outcome)))
        keys.append(key)
        guard market.outcomes[outcome].exchange != nil else { continue }
        for row in 0..<DetailLadder.rowCount {
          entries.append(Entry(market: Int32(index), outcome: Int32(outcome), ladder: Int8(row)))
          keys.append(nil)
        }
      }
    }
  }

  var count: Int { entries.count }
  var keySet: Set<OutcomeKey> { Set(positions.keys) }

  func isMarket(_ position: Int) -> Bool { entries[position].outcome == nil }
  /// Returns the number of rows of the ladder below the outcome at a position.
  func ladderCount(below position: Int) -> Int {
    entries[(position + 1)...].prefix { $0.ladder != nil }.count
  }

  func key(_ position: Int) -> OutcomeKey? { keys[position] }
  func position(of key: OutcomeKey) -> Int? { positions[key] }

  /// Returns the rank of an outcome among all outcomes of the list. Runs in logarithmic time.
  func rank(of key: OutcomeKey) -> Int? {
    positions[key].map { position in outcomes.partitioningIndex { $0 >= position } }
  }

  /// Returns the first outcome at or after a position, or else the last outcome.
  func outcome(near position: Int) -> OutcomeKey? {
    (outcomes.first { $0 >= position } ?? outcomes.last).flatMap { keys[$0] }
  }

  /// Returns true if both matches have the same markets and outcomes, in the same order and with the same titles.
  static func isSame(_ old: Match, _ new: Match) -> Bool {
    old.markets.count == new.markets.count
      && zip(old.markets, new.markets).allSatisfy { $0 == $1 || $0.isPlaced(as: $1) }
  }

  /// Returns the indices of the markets in display order: main markets in the order of the feed, then the others by the
  /// name of their kind, betting type and handicap. Of those that are equal in all of this, such as the races of a
  /// meeting, closed ones come last.
  private static func order(of markets: [Market]) -> [Int] {
    struct Rank {
      /// Nil for a market that is not a main market.
      let main: Int?
      let kind: String
      let type: UInt64
      let handicap: Double
      let isClosed: Bool
      let id: MarketID
    }
    let ranks = markets.map { market in
      let (kind, number) = market.name.splitNumber
      return Rank(
        main: market.mainMarketRank, kind: market.isMain ? "" : kind, type: market.bettingTypeID,
        handicap: market.handicap.map { Double($0) / Double(DecimalOdds.unitsPerOne) } ?? number ?? 0,
        isClosed: market.isClosed, id: market.id)
    }
    return markets.indices.sorted { left, right in
      let (a, b) = (ranks[left], ranks[right])
      if a.main != b.main { return a.main.precedes(b.main) }
      if a.kind != b.kind { return a.kind < b.kind }
      if a.type != b.type { return a.type < b.type }
      if a.handicap != b.handicap { return a.handicap < b.handicap }
      return a.isClosed != b.isClosed ? b.isClosed : a.id < b.id
    }
  }
}

extension Market {
  /// Returns true if the market and its outcomes have the same position and title as the other's.
  fileprivate func isPlaced(as other: Market) -> Bool {
    guard id == other.id, name == other.name, handicap == other.handicap, mainMarketRank == other.mainMarketRank,
      isClosed == other.isClosed, bettingTypeID == other.bettingTypeID, outcomes.count == other.outcomes.count
    else { return false }
    return zip(outcomes, other.outcomes).allSatisfy {
      $0.id == $1.id && $0.key == $1.key && ($0.exchange == nil) == ($1.exchange == nil)
    }
  }
}

extension Outcome {
  /// The conventional order of outcomes: home, draw, away; over, under.
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
  /// The text without its numbers, and the last of the numbers. A number beside a letter is text, as in `2nd Half`.
  fileprivate var splitNumber: (kind: String, number: Double?) {
    var kind = ""
    var number: Double?
    var digits = ""
    func isPart(_ character: Character) -> Bool {
      character.isASCII && character.isNumber || (character == "." && !digits.isEmpty)
        || ((character == "-" || character == "+") && digits.isEmpty && (kind.last == " " || kind.last == nil))
    }
    func finish(before next: Character?) {
      let isInWord = kind.last?.isLetter == true || next?.isLetter == true
      if !isInWord, let value = Double(digits) { number = value } else { kind += digits }
      digits = ""
    }
    for character in self {
      if isPart(character) {
        digits.append(character)
        continue
      }
      finish(before: character)
      kind.append(character)
    }
    finish(before: nil)
    return (kind, number)
  }
}
