import OddsHistory
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// A history in which each search finds one match.
private struct SingleMatchHistory: PriceHistorySource {
  let match: Match

  func record(of outcome: OutcomeID, in market: MarketID, of match: MatchID, since begin: Int64) async -> OutcomeRecord?
  { nil }

  func pastMatches(_ query: MatchQuery) async -> Result<[Match], HistoryError> { .success([match]) }

  func pastPrices(_ requests: [AlertHistoryRequest]) async -> [AlertHistoryAnswer] { [] }
}

/// Searches in the history, on a running board.
@Suite(.timeLimit(.minutes(45)))
struct PastMatchRuntimeTests {
  @Test("A key is not handled while the result of a search opens its match: Esc closes that match")
  func opening() async throws {
    let match = Match.football()
    let gate = Gate()
    let update = ChannelUpdate(changed: [match], freshness: Freshness(.live, since: 0))
    let harness = RuntimeHarness(update: update, history: SingleMatchHistory(match: match), matchGate: gate)
    try await harness.run { harness in
      for character in ":history ajax" { harness.input.send(.key(.character(character))) }
      harness.input.send(.key(.enter))
      await gate.wait()
      harness.input.send(.key(.escape))
      // Enough for a board that does not wait.
      for _ in 0..<1000 { await Task.yield() }
      gate.open()
      harness.input.send(.key(.character("M")))
      try await harness.waitFor("reports 1")
      #expect(harness.log.contains("match closed"))
    }
  }
}
