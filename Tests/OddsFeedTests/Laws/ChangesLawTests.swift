import OddsFeed
import OddsModel
import TestSupport
import Testing

/// The ids in `FeedChanges`, compared with the values that changed.
struct ChangesLawTests {
  /// The values of everything that can be observed.
  private struct Values {
    var matches: [MatchID: String] = [:]
    var markets: [MarketID: String] = [:]
    var outcomes: [OutcomeID: Set<String>] = [:]

    init(_ engine: inout Engine) {
      for id in Array(engine.state.matchIDs) {
        let match = engine.state.match(id)!
        matches[id] = match.picture
        for market in match.markets {
          markets[market.id] = market.picture
          for outcome in market.outcomes { outcomes[outcome.id, default: []].insert(outcome.picture) }
        }
      }
    }
  }

  private func changed<ID, Value: Equatable>(_ old: [ID: Value], _ new: [ID: Value]) -> Set<ID> {
    Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
  }

  // NB: `FeedChanges` may also name unchanged ids; readers compare the values.
  @Test("Everything that differs after a batch of messages is reported exactly once", arguments: Laws.seeds(12))
  func named(seed: UInt64) {
    var truth = FeedModel(seed: seed)
    var engine = Engine()
    engine.state.tracksParts = true
    var old = Values(&engine)
    var messages = [truth.dump()]
    for _ in 0..<20 { messages.append(truth.chance(15) ? truth.dump() : truth.nextMessage()) }
    var rest = messages[...]
    while !rest.isEmpty {
      let batch = rest.prefix(1 + truth.upTo(2)).map(\.text)
      rest = rest.dropFirst(batch.count)
      let changes = engine.changes(batch)
      let new = Values(&engine)
      #expect(Set(changes.matches).count == changes.matches.count)
      #expect(Set(changes.markets).count == changes.markets.count)
      #expect(Set(changes.outcomes).count == changes.outcomes.count)
      #expect(changed(old.matches, new.matches).subtracting(changes.matches).isEmpty, "\(batch)")
      #expect(changed(old.markets, new.markets).subtracting(changes.markets).isEmpty, "\(batch)")
      #expect(changed(old.outcomes, new.outcomes).subtracting(changes.outcomes).isEmpty, "\(batch)")
      old = new
    }
  }
}
