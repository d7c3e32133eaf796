import OddsModel
import Testing

/// The state of a match as the lines of a plain board describe it.
struct WrittenState {
  private static let columns = ["home", "draw", "away"]
  private static let withdrawn = "withdrawn"

  private struct Price: Equatable {
    let text: String
    /// The main market at the time of the sentence.
    let market: MarketID?
  }

  /// "suspended" or "ended, 1-0"; nil while bets are taken.
  private(set) var summary: String?
  private var score: String?
  /// The texts last written for the prices, by the names of the columns. A price that was never written has none.
  private var prices: [String: Price] = [:]

  /// Creates the state before the first sentence of a match.
  init() {}

  /// Creates the state that the sentences of a match have to describe. Prices of a market that awaits its image are not
  /// known.
  init(_ match: Match) {
    let market = match.mainMarket
    let outcomes = market?.outcomes ?? []
    score = match.score.map { "\($0.home)-\($0.away)" }
    for outcome in outcomes where market?.exchange?.isAwaitingImage != true {
      let cents = outcome.offer?.odds?.hundredths ?? 0
      let text = "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
      let other = outcome.offer?.status == .suspended ? "suspended" : Self.withdrawn
      prices[outcome.key] = Price(text: outcome.isBettable ? text : other, market: market?.id)
    }
    if match.status == .ended {
      summary = ["ended", score].compactMap { $0 }.joined(separator: ", ")
    } else if !outcomes.isEmpty, market?.exchange == nil, !outcomes.contains(where: \.isBettable) {
      summary = "suspended"
    }
  }

  var isEnded: Bool { summary?.hasPrefix("ended") ?? false }

  /// Returns true if the sentences describe the match, whose prices are known. The prices of an ended or suspended
  /// match are not written. A suspended match stays so while it has no outcome.
  func describes(_ match: Match) -> Bool {
    let expected = WrittenState(match)
    let isEmpty = match.mainMarket?.outcomes.isEmpty ?? true
    let isSame = summary == expected.summary || isEmpty && summary == "suspended" && !expected.isEnded
    if !isSame || isEnded { return isSame }
    return score == expected.score && (summary != nil || hasSamePrices(as: expected))
  }

  private func hasSamePrices(as other: WrittenState) -> Bool {
    Self.columns.allSatisfy { column in
      let (price, expected) = (prices[column], other.prices[column])
      let isWithdrawn = (price?.text ?? Self.withdrawn) == Self.withdrawn
      return isWithdrawn ? (expected?.text ?? Self.withdrawn) == Self.withdrawn : price == expected
    }
  }

  /// Applies a sentence without the name of the match and the full stop. Checks that a price is compared with the last
  /// one written of the same market, and that nothing is said about bets while the prices of the match are not known.
  mutating func apply(_ sentence: Substring, market: MarketID?, isKnown: Bool) {
    for clause in sentence.split(separator: "; ") {
      let parts = clause.split(separator: ", ").filter { !$0.hasPrefix("and ") }
      switch parts[0] {
      case "new", "kick-off": break
      case _ where parts[0].hasPrefix("kick-off at "): break
      case "open again":
        #expect(isKnown && summary == "suspended", "\(sentence)")
        summary = nil
      case "ended":
        summary = parts.joined(separator: ", ")
      case "suspended", "withdrawn":
        #expect(isKnown, "\(sentence)")
        summary = parts[0] == "suspended" ? "suspended" : nil
        prices = [:]
      default:
        let words = parts[0].split(separator: " ")
        if words[0] == "score" {
          score = String(words[1])
        } else {
          #expect(isKnown, "\(sentence)")
          applyPrice(words, parts.dropFirst().first, of: market)
        }
      }
    }
  }

  /// Applies the text of a price, and its comparison such as "up from 2.00".
  private mutating func applyPrice(_ words: [Substring], _ comparison: Substring?, of market: MarketID?) {
    let column = String(words[0])
    let price = String(words[1])
    if let comparison {
      let before = comparison.split(separator: " ").last.map(String.init)
      #expect(prices[column]?.text == before && prices[column]?.market == market, "\(column) \(price), \(comparison)")
      let isHigher = Double(price) ?? 0 > before.flatMap { Double($0) } ?? 0
      #expect(isHigher == comparison.hasPrefix("up "), "\(column) \(price), \(comparison)")
    }
    prices[column] = Price(text: price, market: market)
  }
}
