import OddsModel
import Testing

/// The state of a match as the lines of a plain board describe it.
struct WrittenState {
  private static let columns = ["home", "draw", "away"]

  /// The main market at the last sentence.
  private var market: MarketID?
  /// "suspended" or "ended, 1-0"; nil while bets are taken.
  private(set) var summary: String?
  private var score: String?
  /// The texts last written for the prices of `market`, by the names of the columns.
  private var prices: [String: String] = [:]

  /// Creates the state before the first sentence of a match.
  init() {}

  /// Creates the state that the sentences of a match have to describe. Its main market has three outcomes.
  init(_ match: Match) {
    let outcomes = match.mainMarket?.outcomes ?? []
    market = match.mainMarket?.id
    score = match.score.map { "\($0.home)-\($0.away)" }
    for (column, outcome) in zip(Self.columns, outcomes) {
      let cents = outcome.offer?.odds?.hundredths ?? 0
      let text = "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
      let other = outcome.offer?.status == .suspended ? "suspended" : "withdrawn"
      prices[column] = outcome.isBettable ? text : other
    }
    if match.status == .ended {
      summary = ["ended", score].compactMap { $0 }.joined(separator: ", ")
    } else if !outcomes.contains(where: \.isBettable) {
      summary = "suspended"
    }
  }

  var isEnded: Bool { summary?.hasPrefix("ended") ?? false }

  /// Returns true if the sentences describe the match. The prices of an ended or suspended match are not written.
  func describes(_ match: Match) -> Bool {
    let expected = WrittenState(match)
    if summary != expected.summary { return false }
    if isEnded { return true }
    return score == expected.score && (summary != nil || market == expected.market && prices == expected.prices)
  }

  /// Applies a sentence without the name of the match and the full stop. Checks that a price is compared with the last
  /// one written of the same market.
  mutating func apply(_ sentence: Substring, market: MarketID?) {
    if market != self.market {
      self.market = market
      prices = [:]
    }
    for clause in sentence.split(separator: "; ") {
      let parts = clause.split(separator: ", ").filter { !$0.hasPrefix("and ") }
      switch parts[0] {
      case "new", "open again": summary = nil
      case "suspended", "ended": summary = parts.joined(separator: ", ")
      case "kick-off": break
      default:
        let words = parts[0].split(separator: " ")
        if words[0] == "score" { score = String(words[1]) } else { applyPrice(words, parts.dropFirst().first) }
      }
    }
  }

  /// Applies the text of a price, and its comparison such as "up from 2.00".
  private mutating func applyPrice(_ words: [Substring], _ comparison: Substring?) {
    let column = String(words[0])
    let price = String(words[1])
    if let comparison {
      let before = comparison.split(separator: " ").last.map(String.init)
      #expect(prices[column] == before, "\(column) \(price), \(comparison)")
      let isHigher = Double(price) ?? 0 > before.flatMap { Double($0) } ?? 0
      #expect(isHigher == comparison.hasPrefix("up "), "\(column) \(price), \(comparison)")
    }
    prices[column] = price
  }
}
