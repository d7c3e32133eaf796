import OddsFeed
import OddsModel
import TestSupport
import Testing

@testable import toteboard

/// An update can cause several lines of `toteboard changes`. After any of them, a reader has no old price with a
/// better freshness than before all of them, and no new price with a better freshness than after all of them.
struct ChangeOrderLawTests {
  /// The prices and grades that a reader has after some lines.
  private struct Reader {
    var channel: Freshness?
    var grades: [MatchID: Freshness.Grade] = [:]
    var prices: [OutcomeID: (match: MatchID, market: MarketID, odds: DecimalOdds?)] = [:]

    mutating func apply(_ change: MatchChange) {
      if let freshness = change.freshness {
        if let match = change.match { grades[match.id] = freshness.grade } else { channel = freshness }
      }
      guard let match = change.match else { return }
      switch change.kind {
      case .matchRemoved: prices = prices.filter { $0.value.match != match.id }
      case .marketRemoved: prices = prices.filter { ($0.value.match, $0.value.market) != (match.id, change.market!.id) }
      case .outcomeRemoved: prices[change.outcome!.id] = nil
      case .price, .status, .outcomeChanged:
        prices[change.outcome!.id] = (match.id, change.market!.id, change.outcome!.offer?.odds)
      case .freshness, .matchAdded, .matchChanged, .marketAdded, .marketChanged: break
      }
    }

    /// Returns true if neither the grade of a price nor that of the channel is better than it is in `other`.
    func isNoBetter(than other: Reader, for outcome: OutcomeID) -> Bool {
      guard let match = prices[outcome]?.match, let grade = grades[match], let limit = other.grades[match] else {
        return true
      }
      return grade >= limit && rank >= other.rank
    }

    /// The grade of the channel, and 1 if it is not known how old its prices are.
    private var rank: (Int, Int) { channel.map { ($0.grade.rawValue, $0.hasKnownPrices ? 0 : 1) } ?? (0, 0) }
  }

  @Test("After any line, no old price is fresher than before, nor a new one than at the end", arguments: Laws.seeds(20))
  func order(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var feed = FeedModel(seed: seed)
    var channel = ChannelState()
    var journal = ChangeJournal()
    var reader = Reader()
    for step in 0..<60 {
      var text = feed.nextMessage().text
      if step == 0 || Int.random(in: 0..<4, using: &random) == 0 { text = feed.dump().text }
      let ids = Array(channel.apply(.of(text), at: 1000).matches)
      let grade = [Freshness.Grade.live, .live, .delayed, .locked].randomElement(using: &random)!
      let causes: [Freshness.Cause?] = [nil] + Freshness.Cause.allCases.map(Optional.some)
      let cause = grade == .delayed ? causes.randomElement(using: &random)! : nil
      let changes = journal.changes(of: &channel, touching: ids, Freshness(grade, since: 5, cause: cause), at: 1000)
      let before = reader
      var after = reader
      for change in changes { after.apply(change) }
      for (number, change) in changes.enumerated() {
        reader.apply(change)
        for (outcome, price) in reader.prices {
          let old = before.prices[outcome]?.odds
          guard let old, let new = after.prices[outcome]?.odds, old != new else { continue }
          let limit = price.odds == old ? before : after
          #expect(reader.isNoBetter(than: limit, for: outcome), "seed \(seed), step \(step), line \(number)")
        }
      }
    }
  }
}
