/// The prices of a market without the bookmaker's margin.
public struct FairPrices: Hashable, Sendable {
  /// The fair probability of each outcome, above 0 and below 1, in the order of the market's outcomes. Nil for an
  /// outcome that does not take part. The others add up to `winnerCount`.
  public let probabilities: [Double?]
  /// The number of outcomes that win.
  public let winnerCount: Int

  /// The margins for which there are fair prices, as fractions: -0.1 is -10 %. If the margin is lower, outcomes are
  /// missing; if it is higher, more outcomes win than assumed. In both cases the probabilities cannot be computed from
  /// the prices.
  public static let marginRange = -0.1..<1.0

  /// Creates the fair prices of a market.
  ///
  /// Returns nil unless all of these are true:
  /// - Each outcome that takes part has a price above 1 that can be bet on. On an exchange it needs one to back and one
  ///   to lay, and the mean of the two implied probabilities counts.
  /// - There are at least two such outcomes, and more of them than winners.
  /// - The market has as many outcomes as the feed states for it.
  /// - The margin is in `marginRange`.
  /// - The method gives each outcome a probability below 1.
  public init?(_ market: Market, _ method: MarginMethod) {
    guard market.outcomes.count > 1, !market.lacksOutcomes else { return nil }
    var implied: [Double?] = []
    implied.reserveCapacity(market.outcomes.count)
    for outcome in market.outcomes {
      guard market.hasParticipant(outcome) else {
        implied.append(nil)
        continue
      }
      guard let probability = market.impliedProbability(of: outcome) else { return nil }
      implied.append(probability)
    }
    self.init(implied: implied, winnerCount: market.winnerCount, method)
  }

  /// Removes the margin from implied probabilities; nil for an outcome that does not take part. Returns nil under the
  /// conditions of `init(_:_:)` on their number, their sum and the result.
  package init?(implied: [Double?], winnerCount: Int, _ method: MarginMethod) {
    let known = implied.compactMap(\.self)
    let margin = Self.margin(sum: known.reduce(0, +), outcomeCount: known.count, winnerCount: winnerCount)
    guard let margin, Self.marginRange.contains(margin),
      let fair = method.fairProbabilities(implied: known, winners: winnerCount)
    else { return nil }
    var next = fair.makeIterator()
    probabilities = implied.map { $0 == nil ? nil : next.next() }
    self.winnerCount = winnerCount
  }

  /// Returns the margin as a fraction, from the sum of the implied probabilities of the outcomes that take part, and
  /// their number. Nil if there are fewer than two of them, or not more of them than winners.
  static func margin(sum: Double, outcomeCount: Int, winnerCount: Int) -> Double? {
    guard winnerCount > 0, outcomeCount > winnerCount else { return nil }
    return sum / Double(winnerCount) - 1
  }

  /// Returns the implied probability of a price; nil without a price, and for a price of 1 or less, which wins nothing.
  package static func impliedProbability(_ odds: DecimalOdds?) -> Double? {
    odds.flatMap { $0.units > DecimalOdds.unitsPerOne ? $0.impliedProbability : nil }
  }

  /// Returns the fair price of an outcome, rounded to the nearest ten-millionth. Nil if the outcome does not take part,
  /// or if its price is 1 or above the highest valid odds, 10,000,000.
  ///
  /// - Parameter index: The index of the outcome in the market, which is an index of `probabilities`.
  public func odds(ofOutcomeAt index: Int) -> DecimalOdds? {
    guard let probability = probabilities[index] else { return nil }
    let units = (Double(DecimalOdds.unitsPerOne) / probability).rounded()
    guard units > Double(DecimalOdds.unitsPerOne), units <= Double(DecimalOdds.limit.units) else { return nil }
    return DecimalOdds(units: Int64(units))
  }
}

extension Market {
  /// The number of outcomes that win: on an exchange as the feed says, two for a double chance, otherwise one.
  public var winnerCount: Int { exchange?.winnerCount ?? (isDoubleChance ? 2 : 1) }

  private static let doubleChances: [Set<String>] = [
    ["1x", "12", "x2"], ["homedraw", "homeaway", "drawaway"], ["homeordraw", "homeoraway", "draworaway"],
  ]

  /// True if each outcome covers two of three results. One of the three outcomes can be missing.
  private var isDoubleChance: Bool {
    // A draw of its own is no double chance. This spares most markets the comparison of texts.
    guard 2...3 ~= outcomes.count, !outcomes.contains(where: { $0.key == "draw" || $0.name == "X" }) else {
      return false
    }
    func isDouble(_ text: KeyPath<Outcome, String>) -> Bool {
      // The first letters spare most other markets the comparison.
      guard outcomes.allSatisfy({ Self.canBeDouble($0[keyPath: text]) }) else { return false }
      let names = Set(outcomes.map { String($0[keyPath: text].lowercased().filter { $0.isLetter || $0.isNumber }) })
      return names.count == outcomes.count && Self.doubleChances.contains { $0.isSuperset(of: names) }
    }
    return isDouble(\.key) || isDouble(\.name)
  }

  /// Returns false if none of `doubleChances` has the first letter of the text.
  private static func canBeDouble(_ text: String) -> Bool {
    switch text.first(where: { $0.isLetter || $0.isNumber }) {
    case "1", "X", "x", "H", "h", "D", "d": true
    default: false
    }
  }

  /// Returns true if an outcome can win.
  func hasParticipant(_ outcome: Outcome) -> Bool {
    switch outcome.offer?.status {
    case .nonParticipant: false
    // A bookmaker can withdraw the offer of an outcome that can still win.
    case .removed: exchange == nil
    default: true
    }
  }

  /// Returns the probability that the prices of an outcome imply; nil if a price is missing or cannot be bet on.
  fileprivate func impliedProbability(of outcome: Outcome) -> Double? {
    guard outcome.isBettable, let back = FairPrices.impliedProbability(outcome.offer?.odds) else { return nil }
    if exchange == nil { return back }
    guard takesBets(on: outcome), let lay = FairPrices.impliedProbability(outcome.exchange?.lays.first?.odds)
    else { return nil }
    return (back + lay) / 2
  }
}
