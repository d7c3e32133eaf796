import Testing

@testable import OddsFeed
@testable import OddsModel
@testable import toteboard

/// The table of `toteboard list`.
struct ListTableTests {
  /// An outcome with its price in whole units; nil for no price.
  private struct Offered {
    let id: UInt64
    var key = ""
    let odds: Int64?
  }

  private func table(
    isAwaitingImage: Bool = false, status: MatchStatus = .inProgress,
    _ outcomes: [Offered] = [Offered(id: 21, odds: 2), Offered(id: 22, odds: nil)]
  ) -> String {
    var (state, batch) = (ChannelState(), FeedBatch())
    batch.appendMessage(.dump) { batch in
      batch.appendRecord(.match, id: 1) { batch in
        batch.set(.name, text: "Ajax v Porto".utf8)
        batch.set(.status, .integer(Int64(status.rawValue)))
      }
      batch.appendRecord(.market, id: 10) { $0.set(.matchID, .id(1)) }
      batch.appendRecord(.exchangeMarket, id: 10) { batch in
        batch.set(.status, .integer(2))
        batch.set(.isAwaitingImage, .flag(isAwaitingImage))
      }
      for outcome in outcomes {
        batch.appendRecord(.outcome, id: outcome.id) { batch in
          batch.set(.marketID, .id(10))
          batch.set(.key, text: outcome.key.utf8)
        }
        guard let odds = outcome.odds else { continue }
        batch.appendRecord(.bettingOffer, id: outcome.id) { batch in
          batch.set(.outcomeID, .id(outcome.id))
          batch.set(.odds, .fixed(odds * DecimalOdds.unitsPerOne))
        }
      }
    }
    state.apply(batch)
    return String(decoding: List.text(of: &state, .table), as: UTF8.self)
  }

  @Test("A price of a market whose image has not arrived has a question mark")
  func awaitedImage() {
    let (known, unknown) = (table(isAwaitingImage: false), table(isAwaitingImage: true))
    #expect(known.contains("2.00") && !known.contains("2.00?"))
    #expect(unknown.contains("2.00?"))
  }

  @Test("A price of a match that is over has a question mark")
  func over() { #expect(table(status: .ended).contains("2.00?")) }

  @Test("Prices are in the columns of their outcomes, whatever the order of the ids, and without a column are left out")
  func columns() {
    let draw = [
      Offered(id: 21, key: "away", odds: 4), Offered(id: 22, key: "home", odds: 2),
      Offered(id: 23, key: "draw", odds: 3),
    ]
    #expect(table(draw).hasSuffix("Ajax v Porto  inProgress  2.00  3.00  4.00\n"))
    let noDraw = [Offered(id: 21, key: "away", odds: 4), Offered(id: 22, key: "home", odds: 2)]
    #expect(table(noDraw).hasSuffix("Ajax v Porto  inProgress  2.00     4.00\n"))
    let race = [21, 22, 23, 24].map { Offered(id: $0, odds: 5) }
    #expect(table(race).hasSuffix("Ajax v Porto  inProgress\n"))
  }
}
