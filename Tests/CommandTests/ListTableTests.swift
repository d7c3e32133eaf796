import Testing

@testable import OddsFeed
@testable import OddsModel
@testable import toteboard

/// The table of `toteboard list`.
struct ListTableTests {
  private func table(isAwaitingImage: Bool = false, status: MatchStatus = .inProgress) -> String {
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
      for id: UInt64 in [21, 22] {
        batch.appendRecord(.outcome, id: id) { $0.set(.marketID, .id(10)) }
      }
      batch.appendRecord(.bettingOffer, id: 21) { batch in
        batch.set(.outcomeID, .id(21))
        batch.set(.odds, .fixed(2 * DecimalOdds.unitsPerOne))
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
}
