import OddsFeed
package import OddsModel

extension Match {
  /// Returns a match with a name and an id, and without markets.
  package static func named(_ name: String, _ id: MatchID) -> Match {
    var state = ChannelState()
    state.apply(.of(FeedText.dump(#"{"_type":"MATCH","id":"\#(id)","name":"\#(name)"}"#)))
    return state.match(id)!
  }

  /// The football match after the offer 9 has replaced that of its home win.
  package static var footballWithNewOffer: Match {
    .football(
      then: [
        FeedText.delete("BETTING_OFFER", 121),
        FeedText.create("BETTING_OFFER", 9, FeedText.offer(9, outcome: 111, odds: "5")),
      ].joined(separator: ","))
  }

  /// The 1X2 match of `FeedText.football`.
  package static func football(
    _ id: Int = 100, _ name: String = "Ajax - Porto", start: Int64 = 1_750_752_000_000,
    odds: [String] = ["2.45", "3.1", "2.9"], then update: String? = nil
  ) -> Match {
    var state = ChannelState()
    state.apply(.of(FeedText.dump(FeedText.football(id, name, start: start, odds: odds))))
    if let update { state.apply(.of(FeedText.update(update))) }
    return state.match(MatchID(raw: UInt64(id)))!
  }
}

extension Outcome {
  /// The price as text; nil if there is none.
  package var price: String? { offer?.odds?.description }
}
